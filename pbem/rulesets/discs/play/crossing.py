"""A Disc across a Base: Block, Dodge, Catch, dive, fall Prone, or De-Rez; and where the Disc is put then."""

from collections.abc import Sequence

from pbem.ruleset import Seat
from pbem.rulesets.discs.grid.bearings import point_of, word_of
from pbem.rulesets.discs.grid.flight import turned
from pbem.rulesets.discs.grid.plane import RADIUS, At, along, entry
from pbem.rulesets.discs.grid.squares import square_of
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.play.losing import de_rez, lose_disc
from pbem.rulesets.discs.play.play import Play

LONGEST_CHAIN = 10
"""How often a Marker is put down because another that was put down crossed a Base (T-k)."""


def cross(play: Play, owner: str, seat: str, how: str, *, moved: bool = False, chain: int = 0) -> bool:
    """
    Let a Disc cross a Base; say whether it goes on, which its Program has let it do then.

    Shape: `how` says where they meet; `moved` where the Base was moved over the Marker; `chain` counts the Markers that
    were put down before.
    Rule: D7, D16, T-l, T-m.
    """
    disc, me = play.program(owner), play.program(seat)
    key = play.named(f"crossing {{}} of {owner} on {seat}")
    text = f"{disc.name}'s Disc crosses {me.name}"
    if not play.sums.claim(key, text, value=True, how=how, rule="T-l"):
        return True
    if owner == seat:
        return _catch(play, me, moved=moved)
    play.note(met=True)
    return _guard(play, disc, me, chain)


def _told(play: Play, owner: Program, me: Program, does: str, rule: str) -> None:
    held = play.program(me.seat).held
    play.tell(
        "crossed", rule, owner=str(owner.seat), disc=owner.name, seat=str(me.seat), who=me.name, does=does, held=held
    )


def _catch(play: Play, me: Program, *, moved: bool) -> bool:
    """
    Catch one's own Disc with a card, dive for it, or let it by.

    Rule: D10, T-v, T-w, T-x, T-aa, T-gg, T-uu.
    """
    wish = play.programme(me.seat).on_my_disc
    if me.prone:
        _told(play, me, me, "lies", "T-w")
    elif wish.card and me.held >= wish.least:
        play.change(me.seat, held=me.held - 1, used=me.used + 1, disc=None)
        _told(play, me, me, "catch", "D10")
        return False
    elif wish.dive and (moved or not me.held):
        play.change(me.seat, prone=True, disc=None)
        _told(play, me, me, "dive", "D10")
        return False
    else:
        _told(play, me, me, "let by", "T-v")
    return True


def _guard(play: Play, owner: Program, me: Program, chain: int) -> bool:
    """Block another's Disc, Dodge it, fall Prone under it, or be struck. Rule: D9, D11, D16, T-j, T-x, M8."""
    guards = play.programme(me.seat).guards(owner.seat) if me.held and not me.prone else ()
    for guard in guards:
        if guard == "dodge" or me.is_armed:
            play.change(me.seat, held=me.held - 1, used=me.used + 1)
            _told(play, owner, me, guard, "D9" if guard == "block" else "D11")
            return guard == "dodge" or _stopped(play, owner, me, chain)
    if not me.held and not me.prone:
        play.change(me.seat, prone=True)
        _told(play, owner, me, "prone", "D11")
        return True
    _told(play, owner, me, "struck", "D16" if me.prone else "T-j")
    de_rez(play, me.seat, owner.seat)
    return _stopped(play, owner, me, chain)


def _stopped(play: Play, owner: Program, me: Program, chain: int) -> bool:
    """Put a Disc down at the Base that stopped it; that of a De-Rezzed Program is gone. Rule: D9, D16, D20."""
    if owner.out:
        lose_disc(play, owner.seat, f"at {me.name}")
    else:
        put_down(play, owner.seat, me.at, RADIUS, against=me.seat, chain=chain + 1)
    return False


def put_down(
    play: Play, owner: str, at: At, gap: int, *, against: str = "", passed: Sequence[Seat] = (), chain: int = 1
) -> None:
    """
    Put a Marker down where the direction die points, its tail so many hundredths from a place.

    Shape: a Marker whose arrow end would be off the Grid points the mirrored way. It crosses Bases, but not the one
    that it is laid `against`, nor those of whom let it by in the same flight, who are the `passed`.
    Rule: D9, D16, T-k, T-p, T-pp.
    """
    grid, marker = play.state.grid, play.state.sizes.marker
    rolled = play.roll(play.program(owner), at)
    over = along(at, rolled, gap + marker)
    bearing = turned(rolled, not grid.low <= over.x <= grid.high, not grid.low <= over.y <= grid.high)
    tip = along(at, bearing, gap + marker)
    play.put(owner, Disc(tip, bearing, tuple(passed)))
    play.tell(
        "placed", "T-pp" if bearing != rolled else "T-k", owner=owner, disc=play.program(owner).name,
        rolled=word_of(rolled), bearing=bearing, points=point_of(bearing), at=list(tip),
        square=square_of(int(play.state.house["grid"]), tip),
    )  # fmt: skip
    if chain <= LONGEST_CHAIN:
        _cross_others(play, owner, [against, *passed], chain)


def _cross_others(play: Play, owner: str, spared: Sequence[str], chain: int) -> None:
    """Let a Marker that was put down cross the other Bases that it lies on, from its tail on. Rule: T-k, T-pp."""
    disc = play.program(owner).disc
    assert disc
    marker = play.state.marker(disc)
    met = {
        program.seat: found
        for program in play.state.from_seat(owner)
        if program.seat not in spared and not program.out and not play.state.spares(owner, program.seat)
        and (found := entry(marker, program.at)) is not None
    }  # fmt: skip
    passed = list(disc.passed)
    for seat in sorted(met, key=lambda seat: met[seat]):
        if not cross(play, owner, seat, "where the Marker was put down", chain=chain):
            return
        passed.append(seat)
    play.put(owner, Disc(disc.tip, disc.bearing, tuple(passed)))
