"""The Bare-Knuckle Fighter and its Pub Brawl (2015): dice that fight, drink and duck; knows no mail."""

from pbem.ruleset import Ruleset
from pbem.rulesets.brawl.game import Brawl
from pbem.rulesets.brawl.order import Order
from pbem.rulesets.brawl.state import State

RULESET: Ruleset[State, Order] = Brawl()
