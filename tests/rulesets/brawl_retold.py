"""What is true of a round of the brawl, derived from the events that all may see and the states alone."""

from collections.abc import Callable, Mapping
from typing import Any

from pbem.ruleset import EVERYONE, Outcome
from pbem.rulesets.brawl.state import State

Story = Mapping[str, Any]


class Seen:
    """A round as somebody sees it who reads its report and the states before and after it."""

    def __init__(self, before: State, outcome: Outcome[State]) -> None:
        self.before, self.result = before, outcome.result
        self.events = [event for event in outcome.events if event.to == EVERYONE]
        self.was = {one.name: one for one in before.fighters}
        self.now = {row["name"]: row for facts in self.told("stands") for row in facts["rows"]}
        self.blows = [row for facts in self.told("blows") for row in facts["rows"]]
        self.drops = [row for facts in self.told("dropped") for row in facts["rows"]]
        self.hurts = self.told("hurt")
        self.fell = {facts["who"]: facts for facts in self.told("knocked_out")}

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        """Return what the events of a kind say."""
        return [event.facts for event in self.events if event.kind == kind]

    def hit(self, by: str, on: str) -> bool:
        """Say whether somebody hit somebody, and it did something."""
        return any(one["who"] == by and one["on"] == on for one in self.hurts)

    def lost(self, name: str) -> int:
        """Return what hits took of somebody's Endurance and Health."""
        mine = [one for one in self.hurts if one["on"] == name]
        return sum(one[what][0] - one[what][1] for one in mine for what in ("endurance", "health"))

    def drop(self, one: Story, action: str, *, works: bool) -> list[Mapping[str, Any]]:
        """Return what somebody did with a dropped die, or could not."""
        return [row for row in self.drops if (row["who"], row["action"], row["works"]) == (one["who"], action, works)]

    def stopped(self, one: Story, action: str) -> bool:
        """Say whether just these spoiled what somebody meant to do."""
        return any(set(row["by"]) == set(one["by"]) for row in self.drop(one, action, works=False) if row["by"])


def _first(seen: Seen, one: Story, *, attacks: bool) -> bool:
    first = seen.told("declared")[0]
    return seen.before.round == 1 and (first["who"], first["attacks"]) == (one["who"], attacks)


def _fell(seen: Seen, one: Story, *, cold: bool) -> bool:
    by = {hurt["who"] for hurt in seen.hurts if hurt["on"] == one["who"]}
    return one["who"] in seen.fell and seen.fell[one["who"]]["cold"] is cold and set(one["by"]) == by


def _double(seen: Seen, one: Story) -> bool:
    (other,) = one["by"]
    who = one["who"]
    return {who, other} <= set(seen.fell) and seen.hit(who, other) and seen.hit(other, who)


def _item(seen: Seen, one: Story, item: str) -> bool:
    return any((hurt["on"], [hurt["who"]], hurt["item"]) == (one["who"], one["by"], item) for hurt in seen.hurts)


def _never_hurt(seen: Seen) -> bool:
    return all(
        one.knocked == 0 and one.endurance == one.full_endurance and one.health == one.full_health
        for one in seen.was.values()
    )


def _close(seen: Seen, one: Story) -> bool:
    mine = [hurt["health"] for hurt in seen.hurts if hurt["on"] == one["who"]]
    left = min((after for _, after in mine), default=0)  # what was drunk was drunk before
    is_there = one["who"] not in seen.fell and seen.was[one["who"]].is_up
    return is_there and left == one["amount"] and 0 < left <= 3 < seen.was[one["who"]].health


def _in_vain(seen: Seen, one: Story, mine: str, theirs: str) -> bool:
    struck = [row for row in seen.blows if row[mine] == one["who"] and not row["because"]]
    others = {row[theirs] for row in struck}
    return len(struck) == one["amount"] > 1 and set(one["by"]) == others and not any(row["hit"] for row in struck)


def _worst(seen: Seen, one: Story) -> bool:
    lost = {name: seen.lost(name) for name in seen.was}
    by = {hurt["who"] for hurt in seen.hurts if hurt["on"] == one["who"]}
    return lost[one["who"]] == max(lost.values()) and set(one["by"]) == by


def _ganged(seen: Seen, one: Story) -> bool:
    by = {row["who"] for row in seen.blows if row["on"] == one["who"] and row["hit"]}
    return set(one["by"]) == by and len(by) == one["amount"] > 2


def _stolen(seen: Seen, one: Story) -> bool:
    drank = {row["who"] for row in seen.drops if row["action"] == "drink" and row["works"]}
    return any(set(one["by"]) <= set(row["by"]) & drank for row in seen.drop(one, "drink", works=False))


def _floor(seen: Seen, one: Story) -> bool:
    acts = any(row["who"] == one["who"] and row["hit"] for row in seen.blows)
    return seen.was[one["who"]].down > 0 and (
        acts or any(row["who"] == one["who"] and row["works"] for row in seen.drops)
    )


def _charged(seen: Seen, one: Story) -> bool:
    (by,) = one["by"]
    charges = {row["attack"] for row in seen.drops if row["who"] == by and row["action"] == "charge" and row["works"]}
    return any(
        row["who"] == by and row["on"] == one["who"] and row["hit"] and row["nth"] in charges for row in seen.blows
    )


def _triple(seen: Seen, one: Story) -> bool:
    (by,) = one["by"]
    hits = [row for row in seen.blows if row["who"] == by and row["on"] == one["who"] and row["hit"]]
    return any(
        value % 3 == 0 and shown.strip("abcdefghijklmnopqrstuvwxyz") == str(value // 3)
        for row in hits
        for shown, value in row["dice"]
    )


def _bound(seen: Seen, one: Story) -> bool:
    bound = [row for row in seen.blows if row["who"] == one["who"] and row["bound"] and not row["because"]]
    return any([row["on"]] == one["by"] for row in bound)


def _back(seen: Seen, one: Story, *, thrown: bool) -> bool:
    moves = [row for row in seen.drop(one, "move", works=True) if not row["on"] and not row["what"]]
    if thrown:
        return any([row["from"]] == one["by"] for row in moves)
    return any(not row["from"] for row in moves) and any(row["who"] == one["who"] and row["hit"] for row in seen.blows)


def _standing(seen: Seen) -> list[Mapping[str, Any]]:
    return [row for row in seen.now.values() if not row["down"] and not row["gone"]]


def _most(seen: Seen, one: Story, *, least: bool = False) -> bool:
    up = _standing(seen)
    others = [row["health"] for row in up if row["name"] != one["who"]]
    mine = seen.now[one["who"]]
    if least:
        is_hurt = 0 < mine["health"] < mine["full_health"]
        return mine in up and mine["health"] == one["amount"] < min(others) and len(others) > 1 and is_hurt
    return mine in up and mine["health"] == one["amount"] > max(others)


def _tally(seen: Seen, one: Story) -> bool:
    struck = [row for row in seen.blows if not row["because"]]
    return (len(struck), sum(row["hit"] for row in struck)) == (one["amount"], one["other"]) and one["other"] > 0


def _guard(seen: Seen, one: Story) -> bool:
    struck = [row for row in seen.blows if row["on"] == one["who"] and not row["because"]]
    return (
        {row["who"] for row in struck} == set(one["by"])
        and len(one["by"]) == 1
        and not any(row["hit"] for row in struck)
    )


def _too(seen: Seen, one: Story) -> bool:
    by = {hurt["who"] for hurt in seen.hurts if hurt["on"] == one["who"]}
    return set(one["by"]) == by and 0 <= seen.lost(one["who"]) < max(seen.lost(name) for name in seen.was)


def _winded(seen: Seen, one: Story) -> bool:
    mine = seen.now[one["who"]]
    return mine in _standing(seen) and mine["endurance"] <= 0 < seen.was[one["who"]].endurance


def _whole(seen: Seen, one: Story) -> bool:
    mine = seen.now[one["who"]]
    full = (mine["endurance"], mine["health"]) == (mine["full_endurance"], mine["full_health"])
    return full and not mine["knocked"] and seen.before.round > 2 and not seen.lost(one["who"])


def _has(seen: Seen, one: Story, item: str) -> bool:
    return seen.now[one["who"]]["item"] == item and seen.now[one["who"]] in _standing(seen)


def _up(seen: Seen, one: Story) -> bool:
    is_one_down = any(row["down"] and not row["gone"] for row in seen.now.values())
    return [row["name"] for row in _standing(seen)] == one["by"] and len(one["by"]) > 1 and is_one_down


TRUE: dict[str, Callable[[Seen, Story], bool]] = {
    "began": lambda seen, one: _first(seen, one, attacks=False),
    "swung": lambda seen, one: _first(seen, one, attacks=True),
    "double": _double,
    "cold": lambda seen, one: _fell(seen, one, cold=True),
    "fell": lambda seen, one: _fell(seen, one, cold=False),
    "left": lambda seen, one: one["who"] in {facts["who"] for facts in seen.told("left")},
    "stood": lambda seen, one: one["who"] not in seen.fell and any(
        facts["who"] == one["who"] and facts["stays"] and facts["chance"] == one["amount"] for facts in seen.told("saved")
    ),
    "thrown": lambda seen, one: _back(seen, one, thrown=True),
    "comeback": lambda seen, one: _back(seen, one, thrown=False),
    "stolen": _stolen,
    "chair": lambda seen, one: _item(seen, one, "big"),
    "bottle": lambda seen, one: _item(seen, one, "small"),
    "floor": _floor,
    "ganged": _ganged,
    "charged": _charged,
    "bound": _bound,
    "triple": _triple,
    "no counter": lambda seen, one: seen.stopped(one, "counter"),
    "no drink": lambda seen, one: seen.stopped(one, "drink"),
    "no pickup": lambda seen, one: seen.stopped(one, "pickup"),
    "no move": lambda seen, one: seen.stopped(one, "move"),
    "drink": lambda seen, one: any(not row["dizzy"] for row in seen.drop(one, "drink", works=True)),
    "dizzy": lambda seen, one: any(row["dizzy"] for row in seen.drop(one, "drink", works=True)),
    "hurt": _worst,
    "blocked": lambda seen, one: not seen.hurts and any(not row["because"] for row in seen.blows),
    "quiet": lambda seen, one: not seen.hurts and not seen.fell and seen.result is None,
    "won": lambda seen, one: seen.result is not None and [seen.before.names[seat] for seat in seen.result.winners] == [one["who"]],
    "side": lambda seen, one: seen.result is not None
    and len(one["by"]) > 1
    and [seen.before.names[seat] for seat in seen.result.winners] == one["by"],
    "drawn": lambda seen, one: seen.result is not None and not seen.result.winners,
    "police": lambda seen, one: any(facts["came"] for facts in seen.told("police")),
    "close": _close,
    "blood": lambda seen, one: _never_hurt(seen) and {hurt["on"] for hurt in seen.hurts} == {one["who"]},
    "whiff": lambda seen, one: _in_vain(seen, one, "who", "on"),
    "unhurt": lambda seen, one: _in_vain(seen, one, "on", "who") and len(one["by"]) > 1,
    "dealt": lambda seen, one: {hurt["on"] for hurt in seen.hurts if hurt["who"] == one["who"]} == set(one["by"]) and len(one["by"]) > 1,
    "tally": lambda seen, one: _tally(seen, one) and 0 < one["other"] < one["amount"],
    "all landed": lambda seen, one: _tally(seen, one) and one["other"] == one["amount"] > 1,
    "fresher": _most,
    "worn": lambda seen, one: _most(seen, one, least=True),
    "winded": _winded,
    "guard": _guard,
    "too": _too,
    "up": _up,
    "has chair": lambda seen, one: _has(seen, one, "big"),
    "has bottle": lambda seen, one: _has(seen, one, "small"),
    "whole": _whole,
}  # fmt: skip
"""Whether a story of each kind is true of a round."""
