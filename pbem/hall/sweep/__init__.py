"""The sweep: mail in, what the calendar calls for, letters out."""
