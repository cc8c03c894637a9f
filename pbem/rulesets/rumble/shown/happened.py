"""What a player is told first of a phase: what came at them, what it did, and where they stand by it."""

import re
from collections.abc import Iterable

import msgspec

from pbem.ruleset import Event, Fact, Facts, Outcome
from pbem.rulesets.rumble.model.state import State


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """
    An Attack, by the name of who is at its other end.

    Shape: `amount` is what it was worth, `did` the damage that came of it; `ignored` says that nothing of it counted;
    `ruled` is what its target took in all where the moderator has ruled that, else -1.
    """

    name: str
    amount: int
    did: int
    ignored: bool
    ruled: int


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A hero's Energy before and after, with what changed it: rows of `what` and `amount`."""

    name: str
    before: int
    after: int
    out: bool
    why: list[dict[str, Fact]]


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """
    What happened to one player.

    Shape: `coming` are Attacks on the hero, `made` those of the hero, `missed` those on who was gone already; `defence`
    is what stood against the first, `defence_how` its sum where powers changed it, else "", and `held` says that it
    alone stopped them all; `damage` is all that the hero took, `by_powers` what powers dealt of it, `prevented` what
    they kept off; `as_ruled` where the parts do not add up to it, since the moderator ruled. `aimed` are powers for
    which others named the hero, each with its owner. `own` is the hero's Energy, None for who was out before,
    `sidekicks` that of their Sidekicks; `fell` the event of the hero's fall, {} for none; `saved` the Energy on which
    the hero was back, 0 for none. `gains` is what the next round began with. Of an auction, `sold` says that it was
    one, `won` names what came to the hero, `tied` what is bid on again.
    """

    coming: list[Blow] = []
    made: list[Blow] = []
    missed: list[Facts] = []
    defence: int = 0
    defence_how: str = ""
    held: bool = False
    damage: int = 0
    by_powers: int = 0
    prevented: int = 0
    as_ruled: bool = False
    aimed: list[dict[str, str]] = []
    own: Standing | None = None
    sidekicks: list[Standing] = []
    fell: Facts = {}
    saved: int = 0
    gains: list[Facts] = []
    sold: bool = False
    won: list[str] = []
    tied: list[str] = []


SALES = frozenset(("bid_shown", "power_won", "power_unsold", "flaw_taken", "tie", "power_passed_on"))
"""The kinds of events that tell how a bidding went."""


def happened(outcome: Outcome[State], seat: str) -> Facts:
    """Return the facts for `happened.j2`, {} where there is nothing to tell. Rule: R7, R8, R10."""
    told = _told(outcome, seat)
    is_nothing = told.own is None and not (told.sidekicks or told.fell or told.won or told.tied)
    plain: Facts = msgspec.to_builtins(told)
    return {} if is_nothing else plain


def _told(outcome: Outcome[State], seat: str) -> Happened:
    state, events = outcome.state, outcome.events
    name = state.names[seat]
    stands = {event.facts["hero"]: event.facts for event in events if event.kind == "stands"}
    own, aides = stands.get(name), [one.name for one in state.heroes if one.power and state.player(one.seat) == seat]
    coming = _blows(outcome, on=seat)
    counted = sum(blow.amount for blow in coming if not blow.ignored)
    prevented = sum(_numbers(outcome, rf"prevented for {re.escape(seat)}").values())
    is_stopped = not prevented and not any(blow.did for blow in coming)
    dealt = _numbers(outcome, rf"(?:damage of \S+|power damage [0-9]+) on {re.escape(seat)}")
    total = _numbers(outcome, rf"damage to {re.escape(seat)}")
    damage = next(iter(total.values()), 0)
    defence = next((one for one in outcome.verdicts if one.key == f"defence of {seat}"), None)
    return Happened(
        coming=coming,
        made=_blows(outcome, by=seat),
        missed=[_without(facts, "hero") for facts in _of(events, "wasted", hero=name)],
        defence=int(defence.value) if defence else 0,
        defence_how=defence.how if defence and defence.rule == "A15" and not defence.pinned else "",
        held=is_stopped and 0 < counted <= (int(defence.value) if defence else 0),
        damage=damage,
        by_powers=sum(points for key, points in dealt.items() if key.startswith("power ")),
        prevented=prevented,
        aimed=[
            {"power": use["power"], "by": facts["hero"]}
            for facts in _of(events, "ordered")
            for use in facts["uses"]
            if use["on"] == name != facts["hero"] and "joint" not in use
        ],
        as_ruled=damage != sum(dealt.values()),
        own=_standing(own) if own else None,
        sidekicks=[_standing(stands[one]) for one in aides if one in stands],
        fell=next(iter(_of(events, "eliminated", hero=name)), {}),
        saved=next((facts["energy"] for facts in _of(events, "revived", hero=name)), 0),
        gains=[_without(facts, "hero") for facts in _of(events, "round_began", hero=name)],
        sold=any(event.kind in SALES for event in events),
        won=_won(events, name),
        tied=[facts["name"] for facts in _of(events, "tie") if not facts["heroes"] or name in facts["heroes"]],
    )


def _of(events: Iterable[Event], kind: str, **wanted: str) -> list[Facts]:
    """Return the facts of the events of a kind that are about somebody."""
    return [
        event.facts
        for event in events
        if event.kind == kind and all(event.facts[what] == value for what, value in wanted.items())
    ]


def _without(facts: Facts, what: str) -> Facts:
    return {key: value for key, value in facts.items() if key != what}


def _standing(facts: Facts) -> Standing:
    return Standing(
        name=facts["hero"], before=facts["before"], after=facts["after"], out=facts["out"], why=facts["why"]
    )


def _numbers(outcome: Outcome[State], pattern: str) -> dict[str, int]:
    """Return the verdicts whose whole key fits a pattern."""
    return {one.key: int(one.value) for one in outcome.verdicts if re.fullmatch(pattern, one.key)}


def _blows(outcome: Outcome[State], *, by: str = "", on: str = "") -> list[Blow]:
    """Return the Attacks of one hero, or on one, which the report shows."""
    names = outcome.state.names
    values = {one.key: one.value for one in outcome.verdicts}
    pinned = {one.key: int(one.value) for one in outcome.verdicts if one.pinned and one.key.startswith("damage to ")}
    found = []
    for key, amount in values.items():
        match = re.fullmatch(r"attack of (\S+) on (\S+)", key)
        if not match or (by and match[1] != by) or (on and match[2] != on):
            continue
        ignored = values.get(f"ignored: {key}") is True
        did = int(values.get(f"damage of {match[1]} on {match[2]}", 0))
        name, ruled = names[match[2] if by else match[1]], pinned.get(f"damage to {match[2]}", -1)
        found.append(Blow(name=name, amount=int(amount), did=did, ignored=ignored, ruled=ruled))
    return found


def _won(events: Iterable[Event], name: str) -> list[str]:
    """Return the names of the powers that came to a hero in an auction."""
    found: list[str] = []
    for event in events:
        facts = event.facts
        if event.kind in ("power_won", "flaw_taken"):
            found += [facts["name"]] if name in facts["heroes"] else []
        elif event.kind == "power_passed_on":
            found = [one for one in found if facts["hero"] != name or one != facts["name"]]
            found += [facts["name"]] if facts["to"] == name else []
    return found
