"""Powers in plain words: what is read back of their lines, what was assumed, and the manual of the language."""
