"""How lines of the discs are said: tables of words and shapes, and what they mean as a game stands."""
