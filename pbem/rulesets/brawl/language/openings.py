"""The words with which lines of a brawl begin, and what they are about, for whoever looks for orders in talk."""

OPENS = r"\bif\b|^coop\b"
"""What goes on to the end of its line; a colon behind `damage` or `damage order` opens nothing."""
ORDER_WORDS = frozenset(
    (
        "ask", "attack", "block", "coop", "damage", "defence", "defend", "defense", "delay", "do", "drop", "hit", "if",
        "nothing", "pass", "resign",
    )
)  # fmt: skip
INNER_WORDS = frozenset(
    (
        "advantage", "bind", "breath", "chair", "counter", "dice", "die", "dodge", "drink", "guard", "maneuver",
        "manoeuvre", "move", "pick", "pickup", "regain",
    )
)  # fmt: skip
"""What dice are for, and the things of a pub."""
