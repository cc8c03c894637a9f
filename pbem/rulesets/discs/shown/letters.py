"""What a seat is shown besides the Grid: how all stand, and what its lines would come to at this moment."""

from collections.abc import Sequence

from pbem.ruleset import Facts, Outcome, Picture, phrases
from pbem.rulesets.discs.grid.bearings import hour_of, point_of
from pbem.rulesets.discs.grid.plane import INCH, aim, along, distance
from pbem.rulesets.discs.grid.squares import ROWS, square_of, write_inches
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Line, Order, Standing
from pbem.rulesets.discs.model.program import FARTHEST, Program
from pbem.rulesets.discs.model.programme import Programme, programme
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.orders.kept import kept, with_kept
from pbem.rulesets.discs.play.forecast import Shot, follow, forecast
from pbem.rulesets.discs.shown.drawing import drawing
from pbem.rulesets.discs.shown.initials import initials, trail_signs
from pbem.rulesets.discs.shown.picture import described, picture
from pbem.rulesets.discs.shown.reactions import danger, reaction
from pbem.rulesets.discs.shown.scenes import latest, scenes
from pbem.rulesets.discs.shown.text_map import text_map
from pbem.rulesets.discs.sight.deck import cards_to_turn
from pbem.rulesets.discs.sight.deeds import Attacks, Cannot, Moves, Throws, deed, is_for_the_prone
from pbem.rulesets.discs.sight.outlook import heads_for, holds
from pbem.rulesets.discs.sight.sight import first
from pbem.rulesets.discs.sight.telling import rows


def view(state: State, seat: str) -> State:
    """Return the state as a seat may know it: of what Programs keep to, its own alone."""
    for program in state.programs:
        state = with_program(state, program.seat, kept=program.kept if program.seat == seat else ())
    return state


def pictures(state: State, outcome: Outcome[State], title: str) -> tuple[Picture, ...]:
    """Draw what happened in a phase of cards."""
    if state.phase != "list":
        return ()
    parts, found = scenes(state, outcome.state, outcome.events, title), []
    for place, scene in enumerate(parts, 1):
        drawn, caption = drawing(scene), (f"{scene.title}:",) if len(parts) > 1 else ()
        rows = (*caption, *scene.text())
        found.append(Picture(name=f"grid-{place}", svg=picture(drawn), says=described(drawn), rows=rows))
    return tuple(found)


def asked(state: State, seat: str) -> Facts:
    """Return the facts for `asked.j2`: nothing in them is a secret of anybody but the seat itself."""
    me, signs = state.program(seat), trail_signs(state)
    return {
        "kind": state.phase,
        "turn": state.turn,
        "part": state.part,
        "rows": rows(state),
        "me": me.name,
        "prone": me.prone,
        "cards": cards_to_turn(state),
        "mine": min(me.deck, cards_to_turn(state)),
        "limit": state.limit,
        "deck": state.deck,
        "forced": state.forced,
        "map": list(text_map(state)),
        "square": write_inches(int(state.house["grid"]) * INCH // ROWS),
        "legend": [f"{letter} {3 * signs[one]} {state.program(one).name}" for one, letter in initials(state).items()],
        "kept": [write_order(state, order) for order in kept(state, seat)],
        "others": [_other(state, me, other) for other in state.others(seat)],
        "places": state.chooses_places,
        "sizes": list(state.team_sizes) if state.chooses_teams else [],
    }


def _other(state: State, me: Program, other: Program) -> Facts:
    """Return how another Program lies from one's own, and how it could reach one soon. Rule: T-qq, T-rr."""
    bearing = aim(me.at, other.at) or 0
    away = distance(me.at, other.at)
    is_mate = state.side(other.seat) == state.side(me.seat)
    notes = ["of your team"] if is_mate else []
    can_attack = other.is_armed and not other.prone and not is_mate
    if can_attack and away < FARTHEST:
        notes.append("can Attack you")
    elif can_attack and away < 2 * FARTHEST:
        notes.append("can Attack you after a Move")
    if other.disc and heads_for(state, other, me):
        notes.append("its disc is heading at you")
    return {
        "name": other.name,
        "away": write_inches(away),
        "bearing": bearing,
        "points": point_of(bearing),
        "hour": hour_of(bearing),
        "mate": is_mate,
        "notes": notes,
    }


def hand(state: State, seat: str, orders: Sequence[Order]) -> Facts:
    """
    Return the facts for `hand.j2`: each line with what it would come to as things stand, and where all would end.

    Shape: `rows` come as letters list them, those for when it comes to it behind those for cards.
    """
    whole = with_kept(state, seat, orders)
    facts: Facts = {
        "kind": state.phase,
        "rows": sorted((_row(state, seat, programme(whole), one) for one in orders), key=lambda row: row["standing"]),
        "kept": [],
        "cards": 0,
        "map": [],
    }
    if state.phase == "list":
        alone = forecast(state, seat, whole)
        rest = [order for order in whole if order not in orders]
        facts |= {
            "kept": [_row(state, seat, programme(whole), order) for order in rest],
            "cards": alone.cards,
            "map": list(text_map(alone.state, latest(alone.trails))),
        }
    return facts


def _row(state: State, seat: str, whole: Programme, order: Order) -> Facts:
    """Return the facts of a row: a line, what it would come to at this moment, and what to mind besides."""
    now = risk = ""
    if isinstance(order, Line):
        now = _now(state, seat, whole, order)
    elif isinstance(order, Standing):
        now = reaction(state, seat, whole, order)
        risk = danger(state, seat, whole, order)
    return {"line": write_order(state, order), "standing": not isinstance(order, Line), "now": now, "risk": risk}


def _now(state: State, seat: str, whole: Programme, order: Line) -> str:
    """
    Return what a line would come to at this moment, if nobody else acted before; where dice would choose, with whom.

    Rule: M2, M3.
    """
    if state.program(seat).prone and not is_for_the_prone(order):
        return "not looked at, as you are Prone"
    ties: list[str] = []

    def tie(programs: Sequence[Program]) -> Program:
        ties.append(phrases.listed([program.name for program in programs], "and"))
        return first(programs)

    if not all(holds(state, seat, test, tie) for test in order.tests):
        return "its condition does not hold"
    me, side = state.program(seat), int(state.house["grid"])
    match deed(state, seat, order.act, tie):
        case Cannot(because):
            return f"cannot be done: {because}"
        case Throws(bearing):
            now = (
                f"bearing {bearing} ({point_of(bearing)}), {_flights(state, seat, follow(state, seat, whole, bearing))}"
            )
        case Attacks(on):
            now = f"on {state.program(on).name}"
        case Moves(bearing, length):
            goal = along(me.at, bearing, length)
            now = f'{write_inches(length)}" {point_of(bearing)} (bearing {bearing}), to {square_of(side, goal)}'
        case _:
            now = "can be done"
    return f"{now}; the dice choose between {ties[-1]}" if ties else now


def _flights(state: State, seat: str, shot: Shot) -> str:
    """Say where a Disc flies and whom it would meet; of one that meets nobody, its first flight alone is shown."""
    names = ", ".join("you" if one == seat else state.program(one).name for one in shot.met)
    ways = []
    for place, squares in enumerate(shot.flights if shot.ends else shot.flights[:1]):
        walls = [f"wall {square}" for square in squares[1:-1]]
        ways.append(", ".join(dict.fromkeys([*(squares[:1] if not place else ()), *walls, squares[-1]])))
    way, count = "; then ".join(ways), len(shot.flights)
    match shot.ends:
        case "meets" if count == 1:
            return f"{way}, across {names}"
        case "meets":
            return f"{way}; would meet {names} on its {_nth(count)} flight"
        case "recalled":
            return f"{way}; you would recall it in place of its {_nth(count + 1)} flight"
        case "die":
            return f"{way}, where the die turns it"
        case "":
            return f"{way}; would meet nobody on its first {count} flights"


def _nth(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
