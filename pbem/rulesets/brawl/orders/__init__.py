"""Order lines: read, and a set held to what can be done at all."""
