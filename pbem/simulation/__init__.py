"""Whole games between bots, played at full speed: matches, and what they come to; knows no arena and no mail."""
