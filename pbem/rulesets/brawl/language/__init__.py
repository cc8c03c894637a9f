"""How orders of a brawl are said: tables of words and shapes, and what they mean as a fight stands."""
