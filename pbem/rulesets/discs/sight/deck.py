"""How many cards are turned before everybody writes again."""

from pbem.rulesets.discs.model.state import State


def cards_to_turn(state: State) -> int:
    """
    Return how many cards are turned in the phase that a state is in: never more than the deck has.

    Rule: D6, M1.
    """
    match state.house["pace"]:
        case "half" if state.part == 1:
            return (state.deck + 1) // 2
        case "beat":
            return min(state.deck, len(state.standing()))
        case "card":
            return min(state.deck, 1)
        case _:
            return state.deck
