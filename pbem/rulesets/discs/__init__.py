"""Tron Disc Battle: Programs on a Grid that throw, bank, block, dodge and catch Discs until one of them is left."""

from pbem.rulesets.discs.game import Discs

RULESET = Discs()
