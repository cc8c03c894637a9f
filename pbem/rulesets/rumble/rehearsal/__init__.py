"""Formal lines before they take effect: looked up or read, tried in short games, shown in an example, explained."""
