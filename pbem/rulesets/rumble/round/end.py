"""The end of a round: what the blows took, gains, losses and fatigue, each with the checkpoint behind it."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Reckoning
from pbem.rulesets.rumble.effect import Eliminate, EnergyChange, changes, endures, of_kind, without
from pbem.rulesets.rumble.model.state import Hero
from pbem.rulesets.rumble.round import checkpoints
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.held_powers import struck_away
from pbem.rulesets.rumble.round.lasting import orphans_are_void
from pbem.rulesets.rumble.round.powers_at_work import burns_hurt, lose_what_went, shares_at_end
from pbem.rulesets.rumble.round.record import Round


def take_damage(round_: Round, book: Reckoning) -> Round:
    """
    Subtract the damage of the blows from everybody's Energy, and save whom powers save; no checkpoint is passed yet.

    Rule: C32 for what went in the blows.
    """
    tolls = {seat: _struck(round_, seat, toll) for seat, toll in round_.tolls.items()}
    left = without(round_.effects, {one.power for one in struck_away(round_.reactions)})
    return lose_what_went(msgspec.structs.replace(round_, tolls=tolls, struck=tolls, left=left))


def _struck(round_: Round, seat: str, toll: Toll) -> Toll:
    if toll.out_step:
        return toll
    late = round_.blows.late.get(seat, 0)
    first = round_.blows.damage.get(seat, 0) - late
    toll = checkpoints.after_damage(toll, round_.effects, seat, round_.blows.shares, first, late)
    return checkpoints.saved(toll, round_.effects, seat)


def count(round_: Round, book: Reckoning) -> Round:
    """
    Pass the checkpoint after the blows, the end of the round, and its checkpoint.

    Rule: A8 (X2, X3), A20; gains and losses of one step net out.
    """
    state, effects = round_.state, round_.effects
    shares = _last_shares(round_, book)
    quiet = _quiet(round_, shares, book)
    tired = checkpoints.fatigue(quiet)
    how = state.house["stalemate"]
    tolls, events = {}, []
    for seat, toll in round_.tolls.items():
        hero = state.hero(seat)
        if toll.out_step:
            tolls[seat] = toll
            continue
        fatigued = tired if how == "fatigue" else 0
        wasted = round_.blows.unused.get(seat, 0) if tired and how == "unused_defence_burn" else 0
        last = [(share.by, share.amount) for share in shares if share.on == seat]
        gained, lost = changes(effects, seat, "end")
        last += [("gained", gained), ("lost", -lost), ("fatigue", -fatigued), ("unused Defence", -wasted)]
        tolls[seat] = _ended(round_, hero, toll, [one for one in last if one[1]], book)
        if wasted:
            facts = {"hero": hero.name, "amount": wasted, "quiet": quiet}
            events.append(Event(kind="defence_burnt", to=EVERYONE, facts=facts, rule="A20"))
    tolls = _eliminated(round_, tolls, book)
    if tired and how == "told":
        events.append(Event(kind="standstill", to=MODERATOR_ALONE, facts={"quiet": quiet}, rule="A20"))
    if tired and how == "fatigue":
        events.append(Event(kind="fatigue", to=EVERYONE, facts={"amount": tired, "quiet": quiet}, rule="A20"))
    state = msgspec.structs.replace(state, quiet=quiet)
    return msgspec.structs.replace(round_, state=state, tolls=tolls).with_events("blows", *events)


def _last_shares(round_: Round, book: Reckoning) -> tuple[EnergyChange, ...]:
    """
    Return what powers give and take at the end of the round, where fatigue and what the moderator says are losses too.

    Rule: C14, A20.
    """
    if not round_.running:
        return ()
    losing = {seat: changes(round_.effects, seat, "end")[1] for seat in round_.tolls}
    shares = shares_at_end(round_, losing)
    tired = checkpoints.fatigue(_quiet(round_, shares, book.part()))
    if not tired or round_.state.house["stalemate"] != "fatigue":
        return shares
    return shares_at_end(round_, {seat: lost + tired for seat, lost in losing.items()})


def _quiet(round_: Round, shares: Sequence[EnergyChange], book: Reckoning) -> int:
    """Count the rounds in a row in which nobody lost any Energy, this one included."""
    lost = any(amount < 0 for toll in round_.tolls.values() for _, amount in toll.why)
    lost = lost or any(changes(round_.effects, seat, "end")[1] for seat in round_.tolls)
    lost = lost or any(share.amount < 0 for share in shares)
    key = "energy lost"
    if not lost or book.pins(key):
        lost = book.claim(key, "Energy was lost this round", lost, "", "A20")
    ruled = book.ruled("quiet rounds")
    return (0 if lost else round_.state.quiet + 1) if ruled is None else max(0, ruled)


def _ended(round_: Round, hero: Hero, toll: Toll, last: Sequence[tuple[str, int]], book: Reckoning) -> Toll:
    """Pass the checkpoint after the blows, then what comes last in the round, and its checkpoint."""
    keeps = endures(round_.left, hero.seat)
    toll = checkpoints.saved(toll, round_.effects, hero.seat)
    if not last and keeps == toll.endures:
        return _at_checkpoint(hero, toll, book, 2)
    toll = _at_checkpoint(hero, toll, book, 2, after_blows=True)
    if toll.out_step:
        return toll
    toll = msgspec.structs.replace(toll, endures=keeps)
    for what, amount in last:
        toll = toll.with_change(what, amount)
    toll = checkpoints.saved(toll, round_.left, hero.seat)
    return _at_checkpoint(hero, toll, book, 3)


def _at_checkpoint(hero: Hero, toll: Toll, book: Reckoning, step: int, *, after_blows: bool = False) -> Toll:
    suffix, where = (" after the blows", " in the blows") if after_blows else ("", "")
    toll = checkpoints.recorded(toll, book, hero, hero.energy, "R8", suffix)
    return checkpoints.checked(toll, book, f"out{where}: {hero.seat}", f"{hero.name} is out{where}", step)


def _eliminated(round_: Round, tolls: dict[str, Toll], book: Reckoning) -> dict[str, Toll]:
    """
    Put out whom powers put out now, all at once; of those who have fallen, only where the house lets it (A19).

    Rule: C33.
    """
    state = round_.state
    fallen = {seat for seat, toll in tolls.items() if toll.out_step} if orphans_are_void(state) else set()
    doomed = {one.on for one in of_kind(round_.left, Eliminate) if one.hero not in fallen}
    return {
        seat: _put_out(round_, state.hero(seat), toll, book) if seat in doomed and not toll.out_step else toll
        for seat, toll in tolls.items()
    }


def _put_out(round_: Round, hero: Hero, toll: Toll, book: Reckoning) -> Toll:
    saved = checkpoints.saved(toll, round_.left, hero.seat, must=True)  # C15: one fall, whatever brings it about
    if saved is not toll:
        return saved
    text = f"{hero.name} is out by a power"
    return checkpoints.checked(toll, book, f"out by a power: {hero.seat}", text, 4, must=True)


def record(round_: Round, book: Reckoning) -> Round:
    """Write every hero's Energy, fall and record into the state."""
    state, blows = round_.state, round_.blows
    heroes = tuple(_recorded(round_, hero) for hero in state.heroes)
    unowned = sum(dealers.get("", 0) for dealers in blows.by.values())
    state = msgspec.structs.replace(state, heroes=heroes, by_powers=state.by_powers + unowned)
    return msgspec.structs.replace(round_, state=state)


def _recorded(round_: Round, hero: Hero) -> Hero:
    toll, blows = round_.tolls.get(hero.seat), round_.blows
    if toll is None:
        return hero
    counted = toll.burnt if burns_hurt(round_.state) else 0
    return msgspec.structs.replace(
        hero,
        energy=toll.energy,
        out=round_.state.round if toll.out_step else -1,
        out_step=toll.out_step,
        dealt=hero.dealt + sum(dealers.get(hero.seat, 0) for dealers in blows.by.values()),
        taken=hero.taken + blows.damage.get(hero.seat, 0) + counted,
        burnt=hero.burnt + toll.burnt,
    )
