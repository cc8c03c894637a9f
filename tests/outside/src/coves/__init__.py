"""Eight Coves: ships look for a treasure, each with clues of its own."""

from coves.coast import Order, Sea
from coves.game import Coves
from pbem.ruleset import Ruleset

RULESET: Ruleset[Sea, Order] = Coves()
