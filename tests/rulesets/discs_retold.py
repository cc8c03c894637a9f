"""What is true of a phase of the discs, derived from the events that all may see and the states alone."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import dist
from typing import Any

from pbem.ruleset import EVERYONE, Outcome
from pbem.rulesets.discs.model.state import State

Story = Mapping[str, Any]


class Seen:
    """A phase as somebody sees it who reads its report and the states before and after it."""

    def __init__(self, before: State, outcome: Outcome[State]) -> None:
        self.before, self.after = before, outcome.state
        self.events = [event for event in outcome.events if event.to == EVERYONE]
        self.stand = [one.name for one in self.after.programs if not one.out]
        self.flat = {one.name for one in self.after.programs if one.prone}
        self.held = {one.name: one.held for one in self.after.programs if not one.out}
        self.fell = {
            one.name: self.after.program(one.by).name
            for one in self.after.programs
            if one.out and not before.program(one.seat).out
        }

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        """Return what the events of a kind say."""
        return [event.facts for event in self.events if event.kind == kind]

    def does(self, story: Story, *does: str) -> bool:
        """Say whether whom a story names did this about the Disc of whom else it names, or about their own."""
        whose = (story["by"] or [story["who"]])[0]
        met = [one for one in self.told("crossed") if (one["who"], one["disc"]) == (story["who"], whose)]
        return story["who"] in self.stand and any(one["does"] in does for one in met)

    def did(self, act: str) -> list[str]:
        """Return whose cards did this."""
        return [one["who"] for one in self.told("card") if one["act"] == act]

    def side(self, name: str) -> str:
        """Return the side that somebody is on."""
        return next(self.before.side(one.seat) for one in self.before.programs if one.name == name)

    def went_down(self) -> set[str]:
        """Return who fell flat or dived in this phase."""
        rows = self.told("crossed") + self.told("attacked")
        return {row["who"] for row in rows if row["does"] in ("prone", "dive")}

    def saved(self) -> int:
        """Return how often somebody got away from an Attack or from another's Disc."""
        met = [one for one in self.told("crossed") if one["who"] != one["disc"]] + self.told("attacked")
        return sum(one["does"] != "struck" for one in met)

    def came(self, name: str) -> str:
        """Return what happened last before the Disc came that put somebody out: a flight, a Marker laid, a step."""
        place = next(n for n, one in enumerate(self.events) if one.kind == "derezzed" and one.facts["who"] == name)
        for event in reversed(self.events[:place]):
            if event.kind in ("flight", "placed") and event.facts["disc"] == self.fell[name]:
                return f"{event.kind} {'bank' if len(event.facts.get('trail', ())) > 2 else 'straight'}"
            if event.kind == "card":
                return f"{event.facts['act']} of {event.facts['who']}"
        return ""

    def was_flat(self, name: str) -> bool:
        """Say whether somebody lay on the floor when they fell."""
        flat = next(one.prone for one in self.before.programs if one.name == name)
        for event in self.events:
            if event.facts.get("who") != name:
                continue
            if event.kind == "derezzed":
                return flat
            flat = (flat or event.facts.get("does") in ("prone", "dive")) and event.facts.get("act") != "stand"
        return flat

    def by_hand(self, name: str) -> bool:
        """Say whether somebody fell to an Attack."""
        return any(one["who"] == name and one["does"] == "struck" for one in self.told("attacked"))

    def ghostly(self, name: str) -> bool:
        """Say whether who put somebody out had been put out before."""
        by = self.fell[name]
        order = [one["who"] for one in self.told("derezzed")]
        was_out = any(one.out for one in self.before.programs if one.name == by)
        return was_out or (by in order and order.index(by) < order.index(name))

    def most(self, story: Story, act: str) -> bool:
        """Say whether somebody did something that often, and more often than anybody else."""
        counts = Counter(self.did(act))
        others = [count for name, count in counts.items() if name != story["who"]]
        amount: int = story["amount"]
        return counts[story["who"]] == amount > max([1, *others])

    def discs(self) -> int:
        """Return how many Discs are out of hand."""
        return sum(one.disc is not None for one in self.after.programs)

    def nearest(self) -> tuple[set[str], float]:
        """Return which foes are nearest, and how many inches that is."""
        stand = [one for one in self.after.programs if not one.out]
        pairs = sorted(
            (dist(one.at, other.at) / 100, one.name, other.name)
            for place, one in enumerate(stand)
            for other in stand[:place]
            if self.after.side(one.seat) != self.after.side(other.seat)
        )
        return {pairs[0][1], pairs[0][2]}, pairs[0][0]


def _fell(seen: Seen, one: Story, how: str) -> bool:
    """Say whether somebody fell to somebody, and in this way and no better one."""
    who = one["who"]
    if seen.fell.get(who) != (one["by"] or [""])[0]:
        return False
    if seen.by_hand(who):
        return how == "attack"
    if seen.ghostly(who):
        return how == "ghost"
    if seen.side(who) == seen.side(seen.fell[who]):
        return how == "own side"
    if seen.was_flat(who):
        return how == "prone"
    came = {
        "flight bank": "bank",
        "flight straight": "struck",
        "placed straight": "laid",
        f"move of {who}": "walked into",
    }
    return came.get(seen.came(who)) == how


def _sides(seen: Seen) -> int:
    return len({seen.side(name) for name in seen.stand})


def _hand(seen: Seen, one: Story, does: str) -> bool:
    met = [row for row in seen.told("attacked") if (row["who"], [row["by"]]) == (one["who"], one["by"])]
    return any(row["does"] == does for row in met) and one["who"] in seen.stand


def _outlived(seen: Seen, one: Story) -> bool:
    owners = {row["disc"] for row in seen.told("crossed") if row["who"] == one["who"]} - {one["who"]}
    return len(owners) == one["amount"] > 1 and one["who"] in seen.stand


def _banked(seen: Seen, one: Story) -> bool:
    walls = [(len(row["trail"]) - 2, row["disc"]) for row in seen.told("flight")]
    most: int = one["amount"]
    return [row for row in walls if row[0] >= most] == [(most, one["by"][0])] and most > 1


def _poor(seen: Seen, one: Story) -> bool:
    poor = [name for name, held in seen.held.items() if not held]
    return list(one["by"]) == poor != list(seen.held)


def _rich(seen: Seen, one: Story) -> bool:
    full = [name for name, held in seen.held.items() if held == int(seen.before.house["hold"])]
    return one["by"] == [name for name in full if name not in seen.flat] and len(full) <= len(seen.held)


def _near(seen: Seen, one: Story) -> bool:
    names, inches = seen.nearest()
    return names == set(one["by"]) and one["amount"] - 1.01 < inches < one["amount"]


def _met_nobody(seen: Seen) -> bool:
    return not seen.told("crossed") and not seen.told("attacked") and not seen.fell


def _calm(seen: Seen) -> bool:
    return _met_nobody(seen) and not seen.told("flight") and not seen.told("recalled") and not seen.did("stand")


TRUE: Mapping[str, Callable[[Seen, Story], bool]] = {
    "attack": lambda s, f: _fell(s, f, "attack"),
    "ghost": lambda s, f: _fell(s, f, "ghost"),
    "own side": lambda s, f: _fell(s, f, "own side"),
    "prone": lambda s, f: _fell(s, f, "prone"),
    "bank": lambda s, f: _fell(s, f, "bank"),
    "struck": lambda s, f: _fell(s, f, "struck"),
    "laid": lambda s, f: _fell(s, f, "laid"),
    "walked into": lambda s, f: _fell(s, f, "walked into"),
    "alone": lambda s, f: f["by"] == s.stand and len(s.stand) == 1,
    "together": lambda s, f: f["by"] == s.stand and _sides(s) == 1 < len(s.stand),
    "nobody": lambda s, _: not s.stand,
    "took": lambda s, f: s.after.phase == "over" and s.before.turn == f["amount"],
    "two": lambda s, f: f["by"] == s.stand and _sides(s) == len(s.stand) == 2,
    "hand": lambda s, f: _hand(s, f, "dodge"),
    "hand flat": lambda s, f: _hand(s, f, "prone"),
    "caught": lambda s, f: s.does(f, "catch"),
    "dived": lambda s, f: s.does(f, "dive"),
    "outlived": _outlived,
    "banked": _banked,
    "blocked": lambda s, f: s.does(f, "block") and f["by"] != [f["who"]],
    "dodged": lambda s, f: s.does(f, "dodge") and f["by"] != [f["who"]],
    "sank": lambda s, f: s.does(f, "prone") and f["by"] != [f["who"]],
    "own by": lambda s, f: s.does(f, "lies", "let by") and not f["by"],
    "busy": lambda s, f: s.saved() == f["amount"] > 2 and not s.fell,
    "floor": lambda s, f: set(f["by"]) == s.flat - s.went_down(),
    "flew": lambda s, _: _met_nobody(s) and bool(s.told("flight")),
    "feet": lambda s, _: _calm(s) and bool(s.did("move")),
    "still": lambda s, _: _calm(s) and not s.did("move") and not s.did("throw"),
    "rose": lambda s, f: set(f["by"]) == set(s.did("stand")),
    "threw": lambda s, f: set(f["by"]) == set(s.did("throw")),
    "recalled": lambda s, f: set(f["by"]) == {one["disc"] for one in s.told("recalled")},
    "most held": lambda s, f: s.most(f, "hold"),
    "walked": lambda s, f: s.most(f, "move"),
    "walls": lambda s, _: s.after.inset > s.before.inset,
    "turn": lambda s, f: s.before.turn == f["amount"] == s.after.turn - 1,
    "poor": _poor,
    "rich": _rich,
    "armed": lambda s, _: not s.discs(),
    "air": lambda s, f: s.discs() == f["amount"] > 1,
    "near": _near,
    "cards": lambda s, f: sum(s.held.values()) == f["amount"] > 0,
    "all here": lambda s, f: len(s.stand) == len(s.before.programs) == f["amount"],
    "gone": lambda s, f: (
        (len(s.stand), len(s.before.programs)) == (f["other"], f["other"] + f["amount"]) and f["amount"] > 0
    ),
}
"""Whether a story of each kind is true."""
