"""Powers: the language in which they say what they do, and the archive of those that people invented."""
