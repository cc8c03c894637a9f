"""The numbers of the rules that opening and handbook name."""

from pbem.rulesets.brawl.round.knocks import COLD, DIFFICULTY, FLOOR
from pbem.rulesets.brawl.round.rolling import DICE
from pbem.rulesets.brawl.state import BIG, BUFFER, MOST_DRUNK

FIGURES = {
    "buffer": BUFFER,
    "drunk": MOST_DRUNK,
    "big": BIG,
    "difficulty": DIFFICULTY,
    "floor": FLOOR,
    "cold": COLD,
    "dice": DICE,
}
