"""Whether a brawl is over, and who has won it; changes nothing."""

from pbem.ruleset import EVERYONE, Dice, Event, Reckoning, Result, Seat, phrases
from pbem.rulesets.brawl.state import State

CALLED = 6
"""What a die shows when the police come, where their time is random (K28)."""


def police(state: State, sums: Reckoning, dice: Dice) -> tuple[bool, tuple[Event, ...]]:
    """Say whether the police come after this round, with an event if a die decided it. Rule: K28."""
    last, first = int(state.house["police"]), first_rolled(state)
    is_last = bool(last and state.round >= last)
    if is_last or not first or state.round < first:
        return is_last, ()
    face = dice.face("police", 6)
    came = sums.claim("police", "the police come", face == CALLED, f"d6 {face}, {CALLED} needed", "K28")
    facts = {"face": face, "came": came, "ruled": sums.pins("police"), "verdict": "police"}
    return came, (Event(kind="police", to=EVERYONE, facts=facts, rule="K28"),)


def first_rolled(state: State) -> int:
    """Return the first round after which the police may come; 0 for never, as in games older than the rule."""
    return int(state.house.get("police_from", "0"))


def result(state: State, knocked: frozenset[str], came: bool) -> Result | None:
    """
    Return how a brawl ended with this round, or None if it goes on.

    Shape: `knocked` are those who went down in it; `state` is that behind the round; `came` says that the police did.
    Rule: K28, K-z, K-qq, M5.
    """
    staying = _sides(state)
    if len(staying) < 2:
        return _won(state, staying, "nobody else is left")
    end = state.house["end"]
    if end == "first_ko" and knocked:
        safe = {side: seats for side, seats in staying.items() if not knocked & set(seats)}
        return _won(state, safe, "the others went down") if safe else Result((), "All went down together: a draw.")
    standing = {side: seats for side, seats in staying.items() if any(state.stands(seat) for seat in seats)}
    lasts = end == "rounds" and (int(state.house["police"]) or first_rolled(state))  # else it would do so for ever
    if not lasts and end != "first_ko" and len(standing) == 1:
        return _won(state, standing, "nobody else is standing")
    if came:
        return _judged(state, staying, f"The police came after round {state.round}.")
    stall = int(state.house["stall"])
    if stall and state.quiet >= stall:
        return _judged(state, staying, f"Nobody was hurt in {state.quiet} rounds, and it broke up.")
    return None


def _sides(state: State) -> dict[str, list[Seat]]:
    """Return the seats that are still there, by side: those who left cannot win. Rule: M5."""
    sides: dict[str, list[Seat]] = {}
    for fighter in (one for one in state.fighters if not one.gone):
        sides.setdefault(state.side(fighter.seat), []).append(fighter.seat)
    return sides


def _won(state: State, sides: dict[str, list[Seat]], why: str) -> Result:
    seats = tuple(seat for side in sides.values() for seat in side)
    if not seats:
        return Result((), "Everybody left: nobody wins.")
    names = phrases.listed([state.names[seat] for seat in seats], "and")
    return Result(seats, f"{names} {'win' if len(seats) > 1 else 'wins'}: {why}.")


def _judged(state: State, sides: dict[str, list[Seat]], why: str) -> Result:
    """Judge who did best: most of them standing, fewest knock-outs suffered, most Health. Rule: K-z."""

    def worth(seats: list[Seat]) -> tuple[int, int, int]:
        fighters = [state.fighter(seat) for seat in seats]
        standing = sum(state.stands(one.seat) for one in fighters)
        return standing, -sum(one.knocked for one in fighters), sum(one.health for one in fighters)

    best = max(worth(seats) for seats in sides.values())
    winners = {side: seats for side, seats in sides.items() if worth(seats) == best}
    if len(winners) > 1:
        names = [state.names[seat] for seats in winners.values() for seat in seats]
        return Result((), f"{why} {phrases.listed(names, 'and')} did equally well: a draw.")
    won = _won(state, winners, "they did best")
    return Result(won.winners, f"{why} {won.how}")
