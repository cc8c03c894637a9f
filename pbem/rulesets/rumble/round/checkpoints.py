"""Who falls and when: the checkpoints, fatigue, the last hero; knows no Attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Event, Reckoning, Result, phrases
from pbem.rulesets.rumble.effect import Effect, EnergyChange, Revive, Win, changes, of_kind, revival, set_to
from pbem.rulesets.rumble.model.state import START, Hero, State
from pbem.rulesets.rumble.round import farewell

PATIENCE = 3
"""Rounds in a row without any Energy lost before a stalemate is dealt with (A20)."""
STEP = 5
"""What fatigue takes first, and by which it grows each round (A20)."""
MOST_BELOW = 1_000_000
"""How far below zero a ruling may put Energy."""


class Toll(msgspec.Struct, frozen=True):
    """
    A hero's Energy on its way through a round.

    Shape: `why` lists what changed it, for the report; `out_step` is 0 while in, else the checkpoint (1 to 4)
    at which the hero fell; `saved_by` are the powers that saved the hero, "" for the moderator's word; `endures`
    says that the hero cannot fall, `left` that the hero resigned.
    """

    energy: int
    why: tuple[tuple[str, int], ...] = ()
    out_step: int = 0
    saved_by: tuple[str, ...] = ()
    endures: bool = False
    left: bool = False

    @property
    def stands(self) -> bool:
        """Say whether the hero is in as things are, whatever a checkpoint would say."""
        return not self.out_step and (self.energy > 0 or self.endures)

    @property
    def burnt(self) -> int:
        """Return the Energy that the hero burnt."""
        return -sum(amount for what, amount in self.why if what == "burnt")

    def with_change(self, what: str, amount: int) -> Toll:
        """Return the toll with one more gain (positive) or loss; nothing where the amount is 0."""
        if not amount:
            return self
        return msgspec.structs.replace(self, energy=self.energy + amount, why=(*self.why, (what, amount)))

    def with_energy(self, what: str, energy: int) -> Toll:
        """Return the toll with its Energy set."""
        return self.with_change(what, energy - self.energy)


def saved(toll: Toll, effects: Sequence[Effect], seat: str, *, must: bool = False) -> Toll:
    """
    Save a hero that would fall, if a revival is there and not used up; `must` says so whatever the Energy.

    Rule: A26; C15 for who cannot fall.
    """
    while (toll.energy <= 0 or must) and not toll.endures:
        one = revival(effects, seat, toll.saved_by)
        if one is None:
            return toll
        must = False
        toll = msgspec.structs.replace(toll.with_energy("revived", one.amount), saved_by=(*toll.saved_by, one.by))
    return toll


def after_damage(
    toll: Toll, effects: Sequence[Effect], seat: str, shares: Sequence[EnergyChange], damage: int, late: int
) -> Toll:
    """Return the Energy after damage, and after what came later; heroes that burst to be saved are not saved yet."""
    gained, lost = changes(effects, seat, "")
    toll = toll.with_change("damage", -damage)
    toll = toll.with_change("gained", gained).with_change("lost", -lost)
    by_powers = [one for one in of_kind(effects, EnergyChange) if one.by]
    for share in (*by_powers, *shares):
        toll = toll.with_change(share.by, share.amount) if share.on == seat else toll
    energy = set_to(effects, seat)
    toll = toll if energy is None else toll.with_energy("set", energy)
    if toll.energy > 0 and not late:
        return toll
    keeping = [one for one in effects if not (isinstance(one, Revive) and one.bursts)]
    toll = saved(toll, keeping, seat)
    return saved(toll.with_change("damage", -late), keeping, seat) if late else toll


def checked(toll: Toll, book: Reckoning, key: str, text: str, step: int, *, must: bool = False) -> Toll:
    """
    Decide at a checkpoint whether a hero is out; `must` says that it is so whatever the Energy.

    Rule: R3, A8; A30 for a hero who is ruled to be in; C15 for one who cannot fall, whose Energy stops at 0.
    """
    how = f"Energy {toll.energy}{', and cannot lose' if toll.endures else ''}"
    if book.claim(key, text, (must or toll.energy <= 0) and not toll.endures, how, "C15" if toll.endures else "R3"):
        return msgspec.structs.replace(toll, out_step=step)
    if toll.endures:
        return toll.with_energy("cannot lose", max(0, toll.energy))
    return toll if toll.energy > 0 else toll.with_energy("ruled to be in", 1)


def recorded(toll: Toll, book: Reckoning, hero: Hero, start: int, rule: str, suffix: str = "") -> Toll:
    """Record a hero's Energy, from what it was at the start, and return the toll as it is ruled to be."""
    key, text = f"energy{suffix} of {hero.seat}", f"Energy of {hero.name}{suffix}"
    energy = book.number(key, text, toll.energy, _sums(start, toll), rule, least=-MOST_BELOW)
    return toll.with_energy("as ruled", energy)


def fatigue(quiet: int) -> int:
    """
    Return what everybody loses after `quiet` rounds in a row without any Energy lost.

    Rule: A20.
    """
    return max(0, quiet - PATIENCE + 1) * STEP


def fallen_event(hero: Hero, by: Sequence[str], *, left: bool = False) -> Event:
    """Tell everybody that a hero is out, at which checkpoint, and by whose blows."""
    when = {1: "costs", 2: "blows", 3: "end", 4: "power"}[hero.out_step]
    if hero.energy > 0 and hero.out_step < 4:
        when = "ruling"
    if left:
        when = "gone" if hero.power else "left"
    facts = {"hero": hero.name, "when": when, "energy": hero.energy, "by": list(by)}
    facts["round"] = hero.out
    return Event(kind="eliminated", to=EVERYONE, facts=facts, rule="R3")


def result(state: State, effects: Sequence[Effect], *, stalled: bool = False) -> Result | None:
    """
    Say how the game ended, or None while it goes on.

    Rule: R3; A7 where nobody is left; A20 (stalemate=draw); A31 for a win by a power; N11: the player of the
    last heroes standing wins.
    """
    living = state.living
    wins = {one.on: one.by or "a power" for one in of_kind(effects, Win) if state.hero(one.on).is_in}
    if wins:
        return _result(state, [*wins], f"by {phrases.listed([*dict.fromkeys(wins.values())], 'and')}")
    if len(state.playing) == 1:
        mine = any(hero.seat == state.playing[0] for hero in living)
        last = phrases.listed([hero.name for hero in living], "and")
        how = "as the last hero standing" if mine else f"with {last} standing to the last"
        return _result(state, state.playing, how)
    if not living:
        return _last_to_fall(state)
    if stalled:
        return _result(state, [hero.seat for hero in living], "as nobody could be hurt any more")
    return None


def _last_to_fall(state: State) -> Result:
    last = max((hero.out, hero.out_step) for hero in state.heroes)
    fell = [hero for hero in state.heroes if (hero.out, hero.out_step) == last]
    together = len(fell) > 1
    if state.house["last_fall"] == "most_energy":
        most = max(hero.energy for hero in fell)
        fell = [hero for hero in fell if hero.energy == most]
    how = "as the last to fall"
    if together:
        how = "as the last heroes fell together" if len(fell) > 1 else "with the most Energy of those who fell last"
    return _result(state, [hero.seat for hero in fell], how)


def _result(state: State, heroes: Sequence[str], how: str) -> Result:
    seats = tuple(dict.fromkeys(state.player(hero) for hero in heroes))
    names = phrases.listed([state.names[seat] for seat in seats], "and")
    sentence = f"{names} wins {how}." if len(seats) == 1 else f"A draw between {names}, {how}."
    return Result(seats, sentence)


def ended_events(state: State, ending: Result) -> tuple[Event, ...]:
    """Tell everybody how the game ended, with every hero's record."""
    names = state.names
    facts = {"winners": [names[seat] for seat in ending.winners], "how": ending.how, "rounds": state.round}
    facts |= {"by_powers": state.by_powers}
    rule = "R3" if len(state.playing) == 1 else "A7" if not state.living else "A31"
    events = [Event(kind="ended", to=EVERYONE, facts=facts, rule=rule)]
    events += [Event(kind="record", to=EVERYONE, facts=_record(state, hero, ending)) for hero in state.heroes]
    return (*events, *farewell.events(state, ending.winners))


def _record(state: State, hero: Hero, ending: Result) -> dict[str, object]:
    return {
        "hero": hero.name,
        "won": hero.seat in ending.winners,
        "energy": max(0, hero.energy) if hero.is_in else 0,
        "out": hero.out,
        "dealt": hero.dealt,
        "taken": hero.taken,
        "burnt": hero.burnt,
        "powers": [power.name for power in state.owned(hero.seat)],
    }


def stands_events(
    before: State, after: State, why: Mapping[str, Sequence[tuple[str, int]]], rule: str = "R10"
) -> tuple[Event, ...]:
    """Tell everybody each hero's Energy before and after, with what changed it; `full` is the longest bar of all."""
    events = []
    full = max(START, *(hero.energy for state in (before, after) for hero in state.heroes))
    for was in before.living:
        now = after.hero(was.seat)
        facts = {
            "hero": now.name,
            "before": was.energy,
            "after": now.energy,
            "full": full,
            "out": not now.is_in,
            "why": [{"what": what, "amount": amount} for what, amount in why.get(was.seat, ())],
            "verdict": f"energy of {was.seat}",
        }
        events.append(Event(kind="stands", to=EVERYONE, facts=facts, rule=rule))
    return tuple(events)


def _sums(start: int, toll: Toll) -> str:
    """Write the arithmetic from the Energy at the start of a round to what is left."""
    how = f"{start}"
    for what, amount in toll.why:
        how += f" {'+' if amount > 0 else '-'} {abs(amount)} {what}"
    return how
