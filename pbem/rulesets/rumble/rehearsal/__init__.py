"""Formal lines before they take effect: tried in short games, shown in an example, explained."""
