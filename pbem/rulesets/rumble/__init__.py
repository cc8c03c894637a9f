"""Rumble classic (2003), heroes with powers that their players invent; to read it, begin with round/stages.py."""

from pbem.ruleset import Ruleset
from pbem.rulesets.rumble.game import Rumble
from pbem.rulesets.rumble.model.order import Order
from pbem.rulesets.rumble.model.state import State

RULESET: Ruleset[State, Order] = Rumble()
