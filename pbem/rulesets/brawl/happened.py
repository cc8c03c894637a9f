"""What a fighter is told first of a round: who hit them, what it took, what they did, and how they stand by it."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import Event, Facts, Outcome
from pbem.rulesets.brawl.state import State


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """An attack: who is at its other end, its strength, what stood against it, whether it hit, and if by ruling."""

    name: str
    strength: int
    defense: int
    hit: bool
    ruled: bool


class Harm(msgspec.Struct, frozen=True, kw_only=True):
    """What hits took of one fighter in all."""

    name: str
    endurance: int
    health: int


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """A dropped die of the fighter's that did not work: what for, and who countered it, nobody where it was ruled."""

    action: str
    by: list[str]


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """
    What happened to one fighter in a round.

    Shape: `coming` are the attacks on the fighter, `made` those of the fighter, without any that could not be made;
    `took` is what hits took of the fighter, `dealt` what the fighter's hits took of others; `regained` and `breath` are
    Endurance that came back by dice and between the rounds, `drunk` Health by a drink. `saves` are rolls to stay up,
    `fell` the event of the knock-out, {} for none; `got_up` says that the fighter is up again, `left` that the fighter
    has resigned; `ruled` are events of what rulings did to the fighter. `stands` is the fighter's row of the table.
    """

    coming: list[Blow]
    made: list[Blow]
    took: Harm | None
    dealt: list[Harm]
    undone: list[Undone]
    regained: int
    breath: int
    drunk: int
    saves: list[Facts]
    fell: Facts
    got_up: bool
    left: bool
    ruled: list[Facts]
    stands: Facts


def happened(outcome: Outcome[State], seat: str) -> Facts:
    """Return the facts for `happened.j2`, {} where there is nothing to tell. Rule: K9, K24-K28."""
    rows = [row for facts in _of(outcome.events, "stands") for row in facts["rows"] if row["seat"] == seat]
    left = any(facts["seat"] == seat for facts in _of(outcome.events, "left"))
    if not rows or (rows[0]["gone"] and not left):
        return {}
    plain: Facts = msgspec.to_builtins(_told(outcome.events, seat, rows[0], left=left))
    return plain


def _told(events: Sequence[Event], seat: str, stands: Facts, *, left: bool) -> Happened:
    name = stands["name"]
    blows = [row for facts in _of(events, "blows") for row in facts["rows"] if not row["because"]]
    hurts = _of(events, "hurt")
    drops = [row for facts in _of(events, "dropped") for row in facts["rows"] if row["seat"] == seat]
    works = [row for row in drops if row["works"]]
    victims = dict.fromkeys(facts["on"] for facts in hurts if facts["who"] == name)
    mine = [facts for facts in hurts if facts["seat"] == seat]
    return Happened(
        coming=[_blow(row, row["who"]) for row in blows if row["on"] == name],
        made=[_blow(row, row["on"]) for row in blows if row["seat"] == seat],
        took=_harm(mine, name) if mine else None,
        dealt=[_harm([one for one in hurts if one["who"] == name and one["on"] == on], on) for on in victims],
        undone=[Undone(action=row["action"], by=row["by"]) for row in drops if not row["works"]],
        regained=sum(row["after"] - row["before"] for row in works if row["action"] == "regain"),
        breath=sum(facts["gained"] for facts in _of(events, "breath") if facts["seat"] == seat),
        drunk=sum(row["gained"] for row in works if row["action"] == "drink"),
        saves=[facts for facts in _of(events, "saved") if facts["seat"] == seat],
        fell=next((facts for facts in _of(events, "knocked_out") if facts["seat"] == seat), {}),
        got_up=any(facts["seat"] == seat for facts in _of(events, "got_up")),
        left=left,
        ruled=[facts for facts in _of(events, "ruled") if facts["seat"] == seat],
        stands=stands,
    )


def _of(events: Sequence[Event], kind: str) -> list[Facts]:
    return [event.facts for event in events if event.kind == kind]


def _blow(row: Facts, name: str) -> Blow:
    return Blow(name=name, strength=row["strength"], defense=row["defense"], hit=row["hit"], ruled=row["ruled"])


def _harm(hurts: Sequence[Facts], name: str) -> Harm:
    """Sum up what some hits took of one fighter."""
    steps = [step for facts in hurts for step in facts["steps"]]
    return Harm(
        name=name, endurance=sum(step["endurance"] for step in steps), health=sum(step["health"] for step in steps)
    )
