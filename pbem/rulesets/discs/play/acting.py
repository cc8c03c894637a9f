"""One card: it is drawn, its Program does something, and what follows from it follows."""

from pbem.ruleset import Event, Only
from pbem.rulesets.discs.grid.bearings import point_of
from pbem.rulesets.discs.grid.plane import along, covers, distance
from pbem.rulesets.discs.grid.squares import square_of, write_inches
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Hold, Pass, Stand
from pbem.rulesets.discs.model.program import Disc
from pbem.rulesets.discs.play.crossing import cross
from pbem.rulesets.discs.play.flying import move_discs, throw
from pbem.rulesets.discs.play.losing import de_rez
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.sight.deeds import Attacks, Moves, Throws, chosen


def turn_card(play: Play) -> None:
    """
    Turn the next card and let its Program act.

    Shape: that of a De-Rezzed Program, whose Disc still flies, moves all Discs. Which line was followed is told to
    its writer alone.
    Rule: D4, D5, T-c, T-d, T-e.
    """
    play.card += 1
    seat = play.draw()
    me = play.program(seat)
    play.change(seat, deck=me.deck - 1, used=me.used + 1)
    if me.out:
        play.tell("card", "T-e", seat=str(seat), who=me.name, act="ghost")
        move_discs(play, seat)
        return
    play.own[seat] = play.own.get(seat, 0) + 1
    found, line = chosen(play.state, seat, play.programme(seat), play.own[seat], play.tie)
    facts = {"seat": str(seat), "who": me.name}
    if line:
        said = {"card": play.card, "line": write_order(play.state, line)}
        play.events.append(Event(kind="followed", to=Only((seat,)), facts=said, rule="M2"))
    match found:
        case Hold():
            play.change(seat, held=me.held + 1, used=me.used)
            play.tell("card", "D4", **facts, act="hold", held=me.held + 1)
        case Pass():
            play.tell("card", "T-c", **facts, act="pass", held=me.held)
        case _:
            play.note(acted=True)
            _act(play, seat, found, facts)
            move_discs(play, seat, threw=isinstance(found, Throws))


def _act(play: Play, seat: str, found: Throws | Attacks | Moves | Stand, facts: dict[str, str]) -> None:
    """Take an active action. Rule: D4, D8, D12-D14."""
    match found:
        case Stand():
            play.change(seat, prone=False)
            play.tell("card", "D13", **facts, act="stand")
        case Throws():
            play.tell("card", "D14", **facts, act="throw", bearing=found.bearing, points=point_of(found.bearing))
            throw(play, seat, found.bearing)
        case Attacks():
            play.tell("card", "D8", **facts, act="attack", on=found.on, target=play.program(found.on).name)
            _attack(play, seat, found.on)
        case Moves():
            _move(play, seat, found, facts)


def _attack(play: Play, seat: str, on: str) -> None:
    """Attack a Program, which Dodges with a card, or is De-Rezzed. Rule: D8, T-f, T-qq, M8."""
    me, target = play.program(seat), play.program(on)
    key = play.named(f"attack {{}} of {seat} on {on}")
    text = f"{me.name}'s Attack reaches {target.name}"
    if not play.sums.claim(
        key, text, value=True, how=f"{write_inches(distance(me.at, target.at))} inches apart", rule="T-qq"
    ):
        return
    play.note(met=True)
    if target.held and not target.prone and play.programme(on).dodges_attacks:
        play.change(on, held=target.held - 1, used=target.used + 1)
        does = "dodge"
    elif not target.held and not target.prone and play.state.house["dive_attack"] == "yes":
        play.change(on, prone=True)
        does = "prone"
    else:
        does = "struck"
    rule = {"dodge": "D8", "prone": "T-f", "struck": "D8"}[does]
    held = play.program(on).held
    play.tell("attacked", rule, by=me.name, seat=on, who=target.name, does=does, held=held, verdict=key)
    if does == "struck":
        de_rez(play, on, seat)


def _move(play: Play, seat: str, found: Moves, facts: dict[str, str]) -> None:
    """
    Move a Base, and let it cross the Markers on which it comes to lie: its own first, then clockwise.

    Rule: D12, T-y, T-z, T-aa, T-oo, T-tt.
    """
    before = play.program(seat).at
    after = along(before, found.bearing, found.length)
    play.change(seat, at=after)
    side = int(play.state.house["grid"])
    play.tell(
        "card", "T-hh" if found.forced else "D12", **facts, act="move", bearing=found.bearing,
        points=point_of(found.bearing), length=write_inches(found.length), trail=[list(before), list(after)],
        squares=[square_of(side, before), square_of(side, after)], forced=found.forced,
    )  # fmt: skip
    for program in play.state.from_seat(seat):
        if program.disc:
            passed = tuple(other for other in program.disc.passed if other != seat)
            play.put(program.seat, Disc(program.disc.tip, program.disc.bearing, passed))
    for program in play.state.from_seat(seat):
        disc, me = play.program(program.seat).disc, play.program(seat)
        if me.out or not disc or play.state.spares(program.seat, seat):
            continue
        under = covers(play.state.marker(disc), after)
        if under and cross(play, program.seat, seat, "where the Base was put down", moved=True):
            play.put(program.seat, Disc(disc.tip, disc.bearing, (*disc.passed, me.seat)))
