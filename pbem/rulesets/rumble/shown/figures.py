"""The numbers of the rules that letters name, so that no template holds a number of its own."""

from collections.abc import Mapping

from pbem.ruleset import phrases
from pbem.rulesets.rumble.model.state import LONGEST_NAME, LONGEST_TEXT, MOST_BID, START
from pbem.rulesets.rumble.orders.sets import POWERS_EACH, powers_each

FIGURES: Mapping[str, int] = {
    "start": START,
    "most_bid": MOST_BID,
    "powers_each": POWERS_EACH,
    "powers_if_mixed": powers_each({"pool": "mixed"}),
    "power_name": LONGEST_NAME,
    "power_text": LONGEST_TEXT,
    "hero_name": phrases.LONGEST_NAME,
}
