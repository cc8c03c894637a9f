"""The games, pure; each folder is one ruleset, and deleting it leaves no trace elsewhere."""
