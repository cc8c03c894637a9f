"""The language of powers: expressions, forms, lines, and which of them run by themselves; knows no game in play."""
