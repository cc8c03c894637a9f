"""The words and shapes of a round, as its tables have them, and what the records call what is said."""

from collections.abc import Mapping

from pbem.ruleset import Shapes, WordClasses, table
from pbem.rulesets.brawl.order import Action
from pbem.rulesets.brawl.state import Use

SHAPES = Shapes(table("pbem.rulesets.brawl.language", "rounds.shapes"))
WORDS = WordClasses(table("pbem.rulesets.brawl.language", "rounds.words"))
NOUNS = ("number", "nth", "foe", "whose", "fellow", "hero", "somebody", "die", "own_die", "leading", "face")
SHAPES.check(WORDS, NOUNS)

SIGNS = {"under": "<", "most": "<=", "is": "=", "least": ">=", "over": ">"}
ROLES: Mapping[str, Use] = {"for_attack": "attack", "for_defense": "defense", "for_damage": "damage"}
"""What a die is for, by the acts of their shapes."""
ACTIONS: Mapping[str, Action] = {
    "countering": "counter", "advantage": "advantage", "maneuver": "maneuver", "regain": "regain", "cooping": "coop",
    "moving": "move", "charging": "charge", "binding": "bind", "pickup": "pickup", "drink": "drink",
}  # fmt: skip
"""What dice are dropped for, by the acts of their shapes."""
TESTS = {
    "always": "always", "first": "first", "last": "last", "attacks": "attacks", "attacked": "attacked by",
    "strongest": "attack on me", "drops": "drops", "defends": "defends", "has": "has", "down": "down", "up": "up",
    "health": "health", "endurance": "endurance", "mine": "my health", "breath": "my endurance", "round": "round",
}  # fmt: skip
"""The kinds of tests, by the acts of their shapes."""
HOW = {"listed": "listed", "high": "high", "low": "low"}
"""The orders in which damage dice hurt, by the acts of their shapes."""
