"""A round: dice rolled, declarations, dropped dice, blows, knock-outs, and whether the brawl is over."""
