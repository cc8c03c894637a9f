"""What is true of a round, derived from the events that all may see, the verdicts and the states alone."""

from collections.abc import Callable, Mapping
from typing import Any

from pbem.ruleset import EVERYONE, Outcome
from pbem.rulesets.rumble.model.state import State

Story = Mapping[str, Any]


class Seen:
    """A round as somebody sees it who reads its report and the states before and after it."""

    def __init__(self, before: State, outcome: Outcome[State]) -> None:
        self.before, self.after, self.result = before, outcome.state, outcome.result
        self.events = [event for event in outcome.events if event.to == EVERYONE]
        self.verdicts = {verdict.key: verdict.value for verdict in outcome.verdicts}
        self.seats = {name: seat for seat, name in outcome.state.names.items()}
        self.stands = {facts["hero"]: facts for facts in self.told("stands")}
        self.damage = {facts["hero"]: facts["damage"] for facts in self.told("came_out")}
        self.ordered = {facts["hero"]: facts for facts in self.told("ordered")}
        self.out = {facts["hero"]: facts for facts in self.told("eliminated")}
        self.now = {name: facts["after"] for name, facts in self.stands.items() if not facts["out"]}
        self.was = {name: facts["before"] for name, facts in self.stands.items()}

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        """Return what the events of a kind say."""
        return [event.facts for event in self.events if event.kind == kind]

    def hit(self, by: str, on: str) -> int:
        """Return what an Attack took, -1 where there was none."""
        return int(self.verdicts.get(f"damage of {self.seats[by]} on {self.seats[on]}", -1))

    def attackers(self, on: str) -> set[str]:
        """Return who attacked somebody."""
        return {by for by in self.stands if by != on and self.hit(by, on) >= 0}

    def meant(self, by: str, on: str) -> int:
        """Return what somebody ordered against somebody."""
        return sum(one["amount"] for one in self.ordered[by]["attacks"] if one["on"] == on)

    def nobody_meant(self, on: str) -> bool:
        """Say whether nobody ordered an Attack on somebody, and no power turned one there or hurt them."""
        aims = [one["on"] for facts in self.ordered.values() for one in facts["attacks"]]
        aims += [one["on"] for facts in self.told("put_late") for one in facts["attacks"]]
        return on not in aims and not self.attackers(on) and not self.damage.get(on)

    def changes(self, name: str, what: str) -> int:
        """Return what changed somebody's Energy under a name."""
        return sum(part["amount"] for part in self.stands[name]["why"] if part["what"] == what)

    def alone_first(self, name: str) -> bool:
        """Say whether somebody began the round with more than each of two or more others."""
        return len(self.was) > 2 and all(self.was[name] > energy for one, energy in self.was.items() if one != name)

    def alone_last(self, name: str) -> bool:
        """Say whether somebody began the round with less than each of two or more others."""
        return len(self.was) > 2 and all(self.was[name] < energy for one, energy in self.was.items() if one != name)

    def had_attacked(self, by: str, on: str) -> bool:
        """Say whether somebody attacked somebody in the round before."""
        return self.seats[on] in self.before.hero(self.seats[by]).attacked

    def fell_by(self, story: Story) -> bool:
        """Say whether somebody fell under the blows of whom a story names, and of no others."""
        facts = self.out.get(story["hero"])
        return facts is not None and facts["when"] == "blows" and facts["by"] == story["by"] != []

    def top(self) -> list[str]:
        """Return who are still in, whoever has most first."""
        return sorted(self.now, key=lambda name: -self.now[name])


def _is_last(s: Seen, f: Story) -> bool:
    living = [(hero.name, hero.energy) for hero in s.after.living]
    return living == [(f["hero"], f["amount"])] and [one["winners"] for one in s.told("ended")] == [[f["hero"]]]


def _is_decided(s: Seen, f: Story) -> bool:
    (by,) = f["by"]
    fallen, value = s.out.get(f["hero"]), s.verdicts[f"attack of {s.seats[by]} on {s.seats[f['hero']]}"]
    is_short = fallen is not None and fallen["when"] == "blows" and f["other"] - f["amount"] > -fallen["energy"]
    return is_short and s.meant(by, f["hero"]) == f["amount"] and value == f["other"] and s.hit(by, f["hero"]) > 0


def _is_held(s: Seen, f: Story) -> bool:
    key = f"defence of {s.seats[f['hero']]}"
    value, energy = s.verdicts[key], s.now[f["hero"]]
    numbers = (s.ordered[f["hero"]]["defence"], value, energy)
    shown = [one["value"] for one in s.told("changed") if one["verdict"] == key]
    is_enough = f["other"] - f["amount"] >= f["more"] > 0
    return (
        numbers == (f["amount"], f["other"], f["more"])
        and shown == [value]
        and is_enough
        and bool(s.attackers(f["hero"]))
    )


def _is_first_blood(s: Seen, f: Story) -> bool:
    hurt = {name for name, damage in s.damage.items() if damage}
    fresh = not any(hero.taken for hero in s.before.heroes) and not s.before.by_powers
    return fresh and set(f["heroes"]) == hurt != set() and f["amount"] == len(s.stands) - len(hurt)


def _is_comeback(s: Seen, f: Story) -> bool:
    below = {name for name, energy in s.now.items() if energy < s.now[f["hero"]]}
    return s.alone_last(f["hero"]) and set(f["heroes"]) == below != set() and s.now[f["hero"]] == f["amount"]


def _leads(s: Seen, f: Story) -> bool:
    (other,) = f["heroes"]
    most = all(energy < f["amount"] for name, energy in s.now.items() if name != f["hero"])
    return s.alone_first(other) and other in s.now and most and s.now[f["hero"]] == f["amount"] and other != f["hero"]


def _is_revenge(s: Seen, f: Story) -> bool:
    (by,) = f["by"]
    began = s.had_attacked(f["hero"], by) and not s.had_attacked(by, f["hero"])
    return began and s.hit(by, f["hero"]) == f["amount"] >= 10


def _is_ganged(s: Seen, f: Story) -> bool:
    hits = [s.hit(by, f["hero"]) for by in f["by"]]
    everybody = set(f["by"]) == s.attackers(f["hero"]) and len(hits) > 1
    return everybody and sum(hits) == f["amount"] > 0 and hits.count(0) == f["other"]


def _is_duel(s: Seen, f: Story) -> bool:
    one, other = f["heroes"]
    alone = s.attackers(one) == {other} and s.attackers(other) == {one}
    return alone and s.hit(one, other) == f["amount"] > 0 and s.hit(other, one) == f["other"] > 0


def _is_unscathed(s: Seen, f: Story) -> bool:
    others = [s.damage.get(name, 0) for name in s.stands if name != f["hero"]]
    whole = not s.damage.get(f["hero"]) and s.now.get(f["hero"], -1) >= s.was[f["hero"]]
    return len(others) > 1 and all(others) and whole


def _is_top(s: Seen, f: Story, apart: range) -> bool:
    first, second = s.top()[:2]
    third = [energy for name, energy in s.now.items() if name not in f["heroes"]]
    numbers = [s.now[name] for name in f["heroes"]] == [f["amount"], f["other"]]
    return {first, second} == set(f["heroes"]) and numbers and f["amount"] - f["other"] in apart and max(third, default=-99) < f["other"]  # fmt: skip


def _is_far_ahead(s: Seen, f: Story) -> bool:
    (other,) = f["heroes"]
    first, second = s.top()[:2]
    numbers = [s.now[f["hero"]], s.now[other]] == [f["amount"], f["other"]]
    return numbers and first == f["hero"] and s.now[second] == f["other"] > 0 and bool(f["amount"] >= 2 * f["other"])


def _is_by_a_power(s: Seen, f: Story) -> bool:
    hits = [s.hit(by, f["hero"]) for by in s.stands if by != f["hero"]]
    return s.damage[f["hero"]] == f["amount"] > 0 and not any(hit > 0 for hit in hits)


TRUE: Mapping[str, Callable[[Seen, Story], bool]] = {
    "last": _is_last,
    "double": lambda s, f: set(f["heroes"]) == set(s.out) and all(s.out[n]["by"] == [o] for n, o in (f["heroes"], f["heroes"][::-1])),
    "decided": _is_decided,
    "toppled": lambda s, f: s.fell_by(f) and s.alone_first(f["hero"]) and s.was[f["hero"]] == f["amount"],
    "together": lambda s, f: set(f["heroes"]) == set(s.out) and len(s.out) > 1,
    "fell": lambda s, f: s.fell_by(f) and s.damage[f["hero"]] == f["amount"] and len(s.out) == 1,
    "felled": lambda s, f: list(s.out) == [f["hero"]],
    "burnt out": lambda s, f: s.out[f["hero"]]["when"] == "costs" and s.changes(f["hero"], "burnt") < 0,
    "tired out": lambda s, f: s.out[f["hero"]]["when"] == "end" and s.changes(f["hero"], "fatigue") < 0 and not s.damage.get(f["hero"]),
    "removed": lambda s, f: f["hero"] in s.out and not s.damage.get(f["hero"]),
    "left": lambda s, f: s.out[f["hero"]]["when"] in ("left", "gone"),
    "revived": lambda s, f: f["hero"] in [one["hero"] for one in s.told("revived")] and s.now[f["hero"]] == f["amount"],
    "swapped": lambda s, f: {"hero": f["hero"], "other": f["heroes"][0], "power": f["power"]} in s.told("swapped"),
    "held by a power": _is_held,
    "narrow": lambda s, f: 0 < s.now[f["hero"]] == f["amount"] <= 5 and f["amount"] < s.was[f["hero"]],
    "on nothing": lambda s, f: s.now[f["hero"]] <= 0,
    "upset": lambda s, f: s.alone_first(f["hero"]) and s.alone_last(f["by"][0]) and s.hit(f["by"][0], f["hero"]) == f["amount"] > 9,
    "first blood": _is_first_blood,
    "comeback": _is_comeback,
    "leads": _leads,
    "revenge": _is_revenge,
    "ganged": _is_ganged,
    "wall": lambda s, f: set(f["by"]) == s.attackers(f["hero"]) and len(f["by"]) > 1 and not s.damage[f["hero"]],
    "duel": _is_duel,
    "unscathed": _is_unscathed,
    "held": lambda s, f: not any(s.damage.values()) and not s.out and set(f["heroes"]) == {n for n in s.stands if s.attackers(n)},
    "silent": lambda s, f: not any(s.damage.values()) and not s.out and all(s.nobody_meant(name) for name in s.stands),
    "unneeded": lambda s, f: s.nobody_meant(f["hero"]) and s.ordered[f["hero"]]["defence"] == f["amount"] >= 20,
    "bold": lambda s, f: (
        s.nobody_meant(f["hero"]) and not s.ordered[f["hero"]]["defence"] and sum(s.meant(f["hero"], on) for on in s.stands) == f["amount"] >= 20
    ),
    "in vain": lambda s, f: s.meant(f["by"][0], f["hero"]) == f["amount"] >= 10 and s.hit(f["by"][0], f["hero"]) == 0 == s.damage[f["hero"]],
    "wasted": lambda s, f: {"hero": f["by"][0], "on": f["hero"], "amount": f["amount"]} in s.told("wasted"),
    "halved": lambda s, f: s.was[f["hero"]] == f["amount"] >= 2 * f["other"] and s.now[f["hero"]] == f["other"] > 5,
    "close": lambda s, f: _is_top(s, f, range(1, 3)),
    "level": lambda s, f: _is_top(s, f, range(1)),
    "two left": lambda s, f: set(f["heroes"]) == set(s.now) and len(s.was) > 2 and _is_top(s, f, range(10**9)),
    "far ahead": _is_far_ahead,
    "bare": lambda s, f: not s.ordered[f["hero"]]["defence"] and s.hit(f["by"][0], f["hero"]) == f["amount"] >= 20,
    "blow": lambda s, f: s.hit(f["by"][0], f["hero"]) == f["amount"] > 0,
    "took": lambda s, f: s.damage[f["hero"]] == f["amount"] > 0,
    "by a power": _is_by_a_power,
    "gained": lambda s, f: (s.was[f["hero"]], s.now[f["hero"]]) == (f["amount"], f["other"]) and f["other"] >= f["amount"] + 10,
    "burnt": lambda s, f: s.changes(f["hero"], "burnt") == -f["amount"] < 0 and f["hero"] in s.now,
    "still first": lambda s, f: (
        s.top()[:2] == [f["hero"], *f["heroes"]] and s.alone_first(f["hero"]) and sorted(s.now.values())[-2:] == [f["other"], f["amount"]]
        and f["amount"] > f["other"]
    ),
    "still last": lambda s, f: (
        s.top()[-1] == f["hero"] and s.alone_last(f["hero"]) and min(s.now.values()) == f["amount"]
        and list(s.now.values()).count(f["amount"]) == 1
    ),
    "it took": lambda s, f: s.result is not None and len(s.now) == 1 and s.before.round == f["amount"],
    "apart": lambda s, f: max(s.now.values()) - min(s.now.values()) == f["amount"] > 0,
    "all they have": lambda s, f: sum(s.now.values()) == f["amount"] and len(s.now) == f["other"],
    "forgotten": lambda s, f: s.nobody_meant(f["hero"]) and s.now[f["hero"]] == f["amount"] <= 20,
}  # fmt: skip
"""When each kind of story is true."""
