"""What the moderator says a power did: read from words, sorted, and carried out on the powers themselves."""
