"""Reckons a round from a power's read-back alone: the words that its owner reads, and no formal line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.powers.language.runnable import abilities
from pbem.rulesets.rumble.powers.wording.descriptions import describe

ME = "ada"


@dataclass
class Round:
    """Who has how much, who sends what against whom, and what Defence is there; nobody falls by any of it."""

    energy: Mapping[str, int]
    attacks: Mapping[tuple[str, str], int]
    defences: Mapping[str, int]


@dataclass
class _Hit:
    source: str
    on: str
    points: int


@dataclass
class _Reckoner:
    scene: Round
    slots: Mapping[str, Sequence[str]]
    shares: dict[str, int] = field(default_factory=dict)
    struck: list[_Hit] = field(default_factory=list)
    happened: int = 0

    def others(self) -> list[str]:
        return [seat for seat in self.scene.energy if seat != ME]

    def holds(self, energy: int, damage: int = 0) -> bool:
        """Say whether what stands behind Only if is so, for an Energy of its owner and some damage."""
        values = {
            "your Energy": energy,
            "that damage": damage,
            "your Defence": self.scene.defences[ME],
            "the number of the round": 2,
            "the sum of your Attacks": sum(n for (by, _), n in self.scene.attacks.items() if by == ME),
        }
        for said in self.slots.get("Only if", ()):
            match = re.fullmatch(r"(.+) is (at least|less than|more than|at most) (\d+)", said)
            assert match, said
            value, number = values[match[1]], int(match[3])
            so = {"at least": value >= number, "less than": value < number}
            if not (so | {"more than": value > number, "at most": value <= number})[match[2]]:
                return False
        return True

    def due(self, energy: int, damage: int = 0) -> bool:
        """Say whether this is the time that is waited for, of those for which all holds."""
        if not self.holds(energy, damage):
            return False
        self.happened += 1
        said = self.slots.get("How often", [""])[0]
        return {"only the first time in every round": 1, "only the second time in every round": 2}.get(
            said, self.happened
        ) == self.happened

    def do(self) -> None:
        """Do what stands behind Effect, but for what it does to some damage."""
        for said in self.slots["Effect"]:
            if match := re.fullmatch(r"you gain (\d+) Energy", said):
                self.share(ME, int(match[1]))
            elif match := re.fullmatch(r"you lose (\d+) Energy, which is no damage", said):
                self.share(ME, -int(match[1]))
            elif match := re.fullmatch(r"every opponent loses (\d+) Energy, which is no damage", said):
                for seat in self.others():
                    self.share(seat, -int(match[1]))
            elif match := re.fullmatch(r"you deal (\d+) unblockable damage to every opponent", said):
                self.struck += [_Hit(ME, seat, int(match[1])) for seat in self.others()]
            else:
                assert said.startswith("that damage"), said

    def share(self, seat: str, amount: int) -> None:
        self.shares[seat] = self.shares.get(seat, 0) + amount

    def changed(self, points: int) -> int:
        """Return what is left of some damage once Effect is done with it."""
        for said in self.slots["Effect"]:
            if said == "that damage is prevented":
                points = 0
            elif said == "that damage is doubled":
                points *= 2
            elif match := re.fullmatch(r"that damage goes (up|down) by (\d+)", said):
                points = max(0, points + (1 if match[1] == "up" else -1) * int(match[2]))
        return points


def reckoned(lines: str, scene: Round) -> dict[str, int]:
    """Return everybody's Energy at the end of a round in which Ada has the power of these lines."""
    (slots,) = describe(abilities(lines), DEFAULTS)
    one = _Reckoner(scene, {str(slot["head"]): slot["says"] for slot in slots})
    when = [*one.slots.get("When", ()), *one.slots.get("Instead of", ())][0]
    before = scene.energy[ME]
    if when in ("always", "in every round, with the blows") and one.holds(before):
        one.do()
    for (_, on), amount in scene.attacks.items():
        least = re.fullmatch(r"there is an Attack of an opponent on you(?:, worth (\d+) or more)?", when)
        if least and on == ME and amount >= int(least[1] or 0) and one.due(before):
            one.do()
    hits = [*one.struck, *(hit for seat in scene.energy for hit in _through(scene, seat))]
    if when == "damage to you, before it counts":
        for hit in _in_order([hit for hit in hits if hit.on == ME]):
            if one.due(before, hit.points):
                one.do()
                hit.points = one.changed(hit.points)
    hits = [hit for hit in hits if hit.points]
    taken = sum(hit.points for hit in hits if hit.on == ME)
    mine: Mapping[str, Callable[[], Sequence[_Hit]]] = {
        "you take damage": lambda: _in_order([hit for hit in hits if hit.on == ME]),
        "an opponent deals damage to you": lambda: _in_order([hit for hit in hits if hit.on == ME]),
        "you deal damage to an opponent": lambda: sorted(
            (hit for hit in hits if hit.source == ME), key=lambda hit: -hit.points
        ),
    }
    for hit in mine[when]() if when in mine else ():
        if one.due(before - taken, hit.points):
            one.do()
    if when == "once all damage of the round is dealt" and one.holds(before - taken):
        one.do()
    left = dict(scene.energy)
    for hit in {id(hit): hit for hit in (*hits, *one.struck)}.values():
        left[hit.on] -= hit.points
    if when == "at the end of the round, after the blows" and one.holds(left[ME]):
        one.do()
    return {seat: energy + one.shares.get(seat, 0) for seat, energy in left.items()}


def _through(scene: Round, seat: str) -> list[_Hit]:
    """Return what comes through to somebody whose Defence stops the smallest first. Rule: A12."""
    coming = sorted(((n, by) for (by, on), n in scene.attacks.items() if on == seat), key=lambda one: one[0])
    left, hits = scene.defences[seat], []
    for amount, by in coming:
        stopped = min(left, amount)
        left -= stopped
        hits.append(_Hit(by, seat, amount - stopped))
    order = list(scene.energy)
    return sorted((hit for hit in hits if hit.points), key=lambda hit: order.index(hit.source))


def _in_order(hits: Sequence[_Hit]) -> list[_Hit]:
    """Return damage as one takes it: the smallest first, then the largest, then the rest. Rule: C17."""
    largest = sorted(hits, key=lambda hit: -hit.points)
    least = min(largest, key=lambda hit: hit.points, default=None)
    return [] if least is None else [least, *(hit for hit in largest if hit is not least)]
