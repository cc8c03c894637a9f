"""How orders of Rumble are said: tables of words and shapes, and what they mean as a game stands."""
