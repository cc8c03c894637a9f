"""Eight Coves: ships look for a treasure, each with clues of its own."""

from coves.game import Coves, Order, Sea
from pbem.ruleset import Ruleset

RULESET: Ruleset[Sea, Order] = Coves()
