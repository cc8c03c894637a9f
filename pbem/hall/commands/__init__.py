"""What the terminal and the daemon ask for: an arena opened, a game founded, shown, ruled in, replayed, simulated."""
