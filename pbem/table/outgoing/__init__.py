"""The letters that an entry calls for: computed from the table before and after it, never queued."""
