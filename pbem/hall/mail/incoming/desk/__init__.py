"""The desk: mail that becomes nothing in a game, what waits for somebody, and what is thrown away in time."""
