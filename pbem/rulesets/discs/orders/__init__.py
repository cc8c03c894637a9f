"""Players' lines, read and written."""
