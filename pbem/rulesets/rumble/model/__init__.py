"""What a game of Rumble is made of, as frozen values: its state, and what a seat can order; knows no rule of play."""
