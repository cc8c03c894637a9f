"""What people write, line by line, turned into the one entry that their mail becomes."""
