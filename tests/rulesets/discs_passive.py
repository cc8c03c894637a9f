"""Programs for the discs that only sit there: they hold what they may, and look after themselves."""

from collections.abc import Mapping
from functools import partial

from pbem.ruleset import Bot
from pbem.rulesets.discs.bots import play
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.state import State

BOTS: Mapping[str, Bot[State, Order]] = {
    "dodger": partial(play, ("hold", "on disc: dodge", "on attack: dodge")),
    "blocker": partial(play, ("hold", "on disc: block, dodge", "on attack: dodge")),
}
