"""Effects, of powers and of the moderator's word: read, sorted, and carried out on the powers themselves."""
