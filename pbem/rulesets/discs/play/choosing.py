"""What is chosen before the first card, places and teams: wishes granted in the order that the dice draw."""

from collections.abc import Iterator, Sequence

from pbem.ruleset import Seat
from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.grid.ring import APART, ring
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, square_middle, square_of
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.sight.sight import find


def choose(play: Play) -> None:
    """Settle what there is to choose, so that the first card can be turned. Rule: T-ff, T-yy."""
    if play.state.chooses_teams:
        _choose_teams(play)
    if play.state.chooses_places:
        _choose_places(play)
    play.note(phase="list")


def _choose_teams(play: Play) -> None:
    """
    Put those on a team who want to be: first those of whom each wants the other, and then whoever wants somebody.

    Shape: teams are as even as those that are dealt. A wish is granted as long as all can still be on teams of these
    sizes then; who is on none in the end is dealt where there is room.
    Rule: T-yy.
    """
    state = play.state
    order = play.dice.shuffle("teams", tuple(state.names))
    rooms = state.team_sizes
    groups: list[tuple[Seat, ...]] = [(seat,) for seat in order]
    for one, other in _wishes(play, order):
        joined = [group for group in groups if one in group or other in group]
        after = [*(group for group in groups if group not in joined), sum(joined, ())]
        if len(joined) > 1 and _packed(after, rooms) is not None:
            groups = after
    for seat, team in (_packed(groups, rooms) or {}).items():
        play.change(seat, team=team)
    names = [[one.name for one in play.state.programs if one.team == team] for team in range(1, len(rooms) + 1)]
    play.tell("teams", "T-yy", teams=names)


def _wishes(play: Play, order: Sequence[Seat]) -> Iterator[tuple[Seat, Seat]]:
    """Yield pairs that are wished for, everybody's first wish first: those that both want, and then all others."""
    mates = {seat: [Seat(mate) for mate in play.programme(seat).mates] for seat in order}
    wished = [(seat, mates[seat][rank]) for rank in range(len(order)) for seat in order if mates[seat][rank:]]
    yield from (pair for pair in wished if pair[::-1] in wished)
    yield from wished


def _packed(groups: Sequence[tuple[Seat, ...]], rooms: tuple[int, ...]) -> dict[Seat, int] | None:
    """Return a team for each seat, so that groups stay together and each team has its size; None where none fit so."""
    if not groups:
        return {}
    first, *rest = sorted(groups, key=len, reverse=True)
    for team, room in enumerate(rooms):
        if len(first) <= room:
            packed = _packed(rest, (*rooms[:team], room - len(first), *rooms[team + 1 :]))
            if packed is not None:
                return {**packed, **dict.fromkeys(first, team + 1)}
    return None


def _choose_places(play: Play) -> None:
    """
    Let everybody begin at the first place of their wishes that is on the Grid and leaves room for a Base.

    Shape: who has no such wish begins where the dice dealt them a place, or where there is most room.
    Rule: D3, T-ff.
    """
    state = play.state
    side = int(state.house["grid"])
    squares = tuple(square_middle(side, f"{column}{row}") for column in COLUMNS for row in range(1, ROWS + 1))
    taken: list[At] = []
    for seat in play.dice.shuffle("order", tuple(state.names)):
        me = state.program(seat)
        wishes = [find(state, seat, place, play.tie) for place in play.programme(seat).begins]
        free = [at for at in wishes if at and _is_free(play, at, taken)]
        spare = [at for at in (me.at, *ring(side, len(state.programs))) if _is_free(play, at, taken)]
        inside = [at for at in squares if state.grid.has_room(at)]
        at = free[0] if free else spare[0] if spare else max(inside, key=lambda at: _room(at, taken))
        taken.append(at)
        play.change(seat, at=at)
        play.tell(
            "begins", "T-ff", seat=str(seat), who=me.name, square=square_of(side, at), at=list(at), wished=bool(free)
        )


def _is_free(play: Play, at: At, taken: Sequence[At]) -> bool:
    return play.state.grid.has_room(at) and _room(at, taken) >= APART**2


def _room(at: At, taken: Sequence[At]) -> int:
    """Return the square of the distance to the nearest place that is taken."""
    return min((at.squared(other) for other in taken), default=APART**2)
