"""Which lines can never be done, whatever happens: conditions that never hold, and acts that they rule out."""

from pbem.ruleset import Refused
from pbem.rulesets.discs.language.writing import write_test
from pbem.rulesets.discs.model.order import Act, Attack, Hold, Move, Pass, Stand, Test, Throw
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.sight.deck import cards_to_turn


def never(state: State, seat: str, act: Act, tests: tuple[Test, ...], card: int) -> Refused | None:
    """
    Say why a line can never be done in the phase that is to come, or None.

    Shape: what is looked at are the line itself, the house and the cards; what others may do is not known.
    Rule: M5.
    """
    most = min(state.program(seat).deck, cards_to_turn(state))
    if card > most:
        cards = "one card of yours" if most == 1 else f"{most} cards of yours"
        because = f"There is no card {card}: at most {cards} can come up before you write again."
        return Refused("illegal", because, "M2")
    for test in tests:
        if because := _false(state, test):
            return Refused("illegal", f'"{write_test(state, test)}" can never be true: {because}', "M5")
    for place, one in enumerate(tests):
        for other in tests[place + 1 :]:
            if _clash(state, one, other):
                both = f'"{write_test(state, one)}" and "{write_test(state, other)}"'
                return Refused("illegal", f"{both} can never be true at once. Write two lines.", "M5")
    return _ruled_out(state, act, tests)


def _false(state: State, test: Test) -> str:
    """Say why a test is never true, or ""."""
    match test.kind:
        case "holds" if not _counts(state, test):
            return f"one holds 0 to {state.limit} cards."
        case "within" if not test.number:
            return "nothing is nearer than 0 inches."
        case "beyond" if test.number**2 >= 2 * state.grid.side**2:
            return "that is farther than from corner to corner of the Grid."
        case "left" if test.number < 2:
            return "with fewer than 2 Programs left the game is over."
        case "left" if test.number > len(state.standing()):
            return f"there are {len(state.standing())} left already."
    return ""


def _counts(state: State, test: Test) -> set[int]:
    """Return how many cards somebody may hold for a test about it to be true."""
    return {count for count in range(state.limit + 1) if test.compares(count)}


def _clash(state: State, one: Test, other: Test) -> bool:
    """Say whether two tests are never true at once."""
    if one.kind == other.kind == "holds" and one.place == other.place:
        return not _counts(state, one) & _counts(state, other)
    kinds = {one.kind, other.kind}
    if kinds == {"within", "beyond"} and one.place == other.place:
        near, far = sorted((one, other), key=lambda test: test.kind == "beyond")
        return near.number <= far.number
    in_hand = "disc in hand" in kinds or any(test.kind == "clear" for test in (one, other))
    return in_hand and bool(kinds & {"disc out", "disc away"})


def _ruled_out(state: State, act: Act, tests: tuple[Test, ...]) -> Refused | None:
    """Refuse an act that the conditions of its line rule out."""
    mine = {test.kind for test in tests if not test.place}
    in_hand = "disc in hand" in mine or any(test.kind == "clear" for test in tests)
    if isinstance(act, Throw | Attack) and mine & {"disc out", "disc away"}:
        return Refused("illegal", "To throw or attack you need your Disc in hand, and this asks that it is out.", "D14")
    if isinstance(act, Throw | Move) and in_hand and act.way.place.kind == "my disc" and act.way.how != "bearing":
        return Refused("illegal", "Your Disc has no place while it is in hand, as this line asks that it is.", "M3")
    if "prone" in mine and not isinstance(act, Stand | Hold | Pass):
        return Refused("illegal", "Who is Prone can stand, hold or pass, and nothing else.", "T-rr")
    if isinstance(act, Throw) and act.way.place.kind == "my disc" and act.way.how != "bearing":
        return Refused("illegal", "What you throw is in your hand, so it cannot be thrown at itself.", "M3")
    most = act.to or state.limit if isinstance(act, Hold) else 0
    held = [test for test in tests if test.kind == "holds" and not test.place]
    if most and any(min(_counts(state, test)) >= most for test in held):
        return Refused("illegal", f"You hold a card while you hold fewer than {most}, and this asks for more.", "D4")
    return None
