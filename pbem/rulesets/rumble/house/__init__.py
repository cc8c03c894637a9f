"""What is chosen when a game of Rumble is founded: its house rules, and named sets of them; plays nothing."""
