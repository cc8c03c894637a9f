"""What a mail is and whose: its role, its authority, the letter that it answers, names and tokens in it."""
