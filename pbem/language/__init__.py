"""Words as people write and read them: lists, lines, wrapping; knows no game."""
