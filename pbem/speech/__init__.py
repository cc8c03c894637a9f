"""What people say around their orders, and how they say these; knows no game and no mail."""
