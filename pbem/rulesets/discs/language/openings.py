"""The words with which lines of a list begin, and what they are about, for whoever looks for orders in talk."""

ORDER_WORDS = frozenset(
    (
        "throw", "attack", "strike", "move", "go", "step", "walk", "run", "hold", "keep", "pass", "stand", "get", "up",
        "do", "nothing", "skip", "wait", "if", "when", "card", "cards", "on", "at", "recall", "begin", "start", "place",
        "in", "by", "first", "second", "third", "fourth", "for",
    )
)  # fmt: skip
INNER_WORDS = frozenset(
    (
        "disc", "discs", "disk", "dodge", "block", "catch", "dive", "react", "north", "south", "east", "west", "wall",
        "walls", "centre", "center", "nearest", "weakest", "square", "base", "bank", "degrees", "inches", "ahead",
        "away", "prone",
    )
)  # fmt: skip
"""What lines are about."""
