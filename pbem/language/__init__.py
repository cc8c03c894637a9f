"""A kit to read and write orders with: words, shapes, nouns, all readings, and what counts of them; knows no game."""
