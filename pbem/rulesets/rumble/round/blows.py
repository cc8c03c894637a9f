"""Attacks against Defence: what is blocked, what is prevented, what comes through; nobody is put out here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Reckoning
from pbem.rulesets.rumble.effect import (
    Damage,
    Ignore,
    Landing,
    PastDefence,
    Revive,
    Rider,
    Shield,
    ValueChange,
    of_kind,
    revival,
)
from pbem.rulesets.rumble.model.order import Block
from pbem.rulesets.rumble.orders.conditions import division
from pbem.rulesets.rumble.round.checkpoints import Toll, after_damage
from pbem.rulesets.rumble.round.division import divide
from pbem.rulesets.rumble.round.record import Blows, Round
from pbem.rulesets.rumble.round.values import attack_values, defence_value


class Packet(msgspec.Struct, frozen=True, kw_only=True):
    """
    Damage on its way: one Attack, or one stroke of a power.

    Shape: `source` is "" where nobody deals it; `rider` are points that go past Defence with the others; the keys are
    those of its two verdicts.
    """

    source: str
    name: str
    amount: int
    blockable: bool
    rider: int = 0
    is_attack: bool = False
    blocked_key: str
    damage_key: str
    blocked_text: str
    damage_text: str


def strike(round_: Round, book: Reckoning) -> Round:
    """
    Reckon all Attacks at once, then what follows from them, wave by wave, until nothing does.

    Shape: later waves meet what Defence the earlier ones left; the verdicts come hero by hero.
    Rule: R7, R8, R9; A13, A14, A15; C17, C24; C27 for those who fall and burst.
    """
    events: list[Event] = []
    reactions = round_.reactions.copy()
    round_ = msgspec.structs.replace(round_, reactions=reactions)
    values = attack_values(round_, book, events)
    hits = {seat: _Hit(seat, book.part()) for seat in round_.fighting}
    riders = of_kind(reactions.riding, Rider)
    past_defence = {(one.source, one.on) for one in of_kind(round_.effects, PastDefence)}
    carried = frozenset(pair for one in riders if _bears(round_, pair := (one.source, one.on), values[pair]))
    for (source, on), value in values.items():
        pair = (source, on)
        rider = sum(one.amount for one in riders if (one.source, one.on) == pair) if pair in carried else 0
        hits[on].coming.append(_attack(round_, source, on, value, rider, past=pair in past_defence))
    strokes, shields = of_kind(round_.effects, Damage), of_kind(round_.effects, Shield)
    for seat, hit in hits.items():
        hit.attacked = tuple(packet.source for packet in hit.coming)
        hit.coming += _packets(round_, seat, [stroke for stroke in strokes if stroke.on == seat])
        hit.shields = [shield.amount for shield in shields if shield.on == seat]
        hit.defence = hit.left = defence_value(round_, hit.book, seat, bool(hit.coming), hit.events)
    following, is_over, followed = _wave(round_, hits), False, 0
    dead = set[str]()
    for _ in range(MOST_WAVES):
        if not following and not is_over:
            following, is_over = reactions.afterwards(), True
        following = following or _bursts(round_, hits, dead)
        followed += len(following)
        if not following or followed > MOST_PACKETS:
            break
        for seat, hit in hits.items():
            hit.coming = _packets(round_, seat, [one for one in following if one.on == seat], hit.strokes)
        following = _wave(round_, hits)
    if following:
        events.append(Event(kind="endless", to=MODERATOR_ALONE, facts={"strokes": followed}, rule="C24"))
    for hit in hits.values():
        hit.total = _damage(round_, hit)
        book.absorb(hit.book)
        events += hit.events
    blows = Blows(
        damage={seat: hit.total for seat, hit in hits.items()},
        by={seat: hit.by() for seat, hit in hits.items()},
        landed={seat: hit.by(attacks=True) for seat, hit in hits.items()},
        attacked={seat: hit.attacked for seat, hit in hits.items()},
        unused={seat: max(0, round_.allocations[seat].defence - hit.blocked) for seat, hit in hits.items()},
        shares=reactions.shares,
        late={seat: min(hit.total, sum(hit.through) - hit.main) for seat, hit in hits.items() if hit.main >= 0},
        left={seat: hit.left for seat, hit in hits.items()},
        shielded=frozenset(seat for seat, hit in hits.items() if hit.is_safe),
        carried=carried,
    )
    return msgspec.structs.replace(round_, blows=blows).with_events("blows", *events)


def _bears(round_: Round, pair: tuple[str, str], value: int) -> bool:
    """Say whether what rides on an Attack goes with it, on one of 0 too, unless a power made it so. Rule: A5."""
    ignored = any((one.source, one.on) == pair for one in of_kind(round_.effects, Ignore))
    changes = of_kind(round_.effects, ValueChange)
    touched = ignored or any(one.by and (one.source, one.on) == pair for one in changes)
    return value > 0 or (round_.allocations[pair[0]].attacks.get(pair[1]) == 0 and not touched)


def _bursts(round_: Round, hits: Mapping[str, _Hit], dead: set[str]) -> list[Damage]:
    """Return what strikes when heroes fall who burst; each hero falls once, and nothing strikes who has fallen."""
    if not any(one.bursts for one in of_kind(round_.effects, Revive)):
        return []
    first = {seat: sum(hit.through) if hit.main < 0 else hit.main for seat, hit in hits.items()}
    tolls = {seat: _as_it_stands(round_, seat, first[seat], sum(hit.through)) for seat, hit in hits.items()}
    last = {seat: revival(round_.effects, seat, toll.saved_by) for seat, toll in tolls.items() if not toll.stands}
    fresh = [one.by for seat, one in last.items() if seat not in dead and one]
    dead.update(last)
    if not fresh:
        return []
    for seat, hit in hits.items():
        hit.main = first[seat]
    round_.reactions.lose({*fresh, *(key for toll in tolls.values() for key in toll.saved_by)})  # C32
    return [stroke for stroke in round_.reactions.bursts(fresh) if stroke.on not in dead]


def _as_it_stands(round_: Round, seat: str, first: int, total: int) -> Toll:
    """Return how much Energy a hero would have were the blows over; `first` is the damage before anybody burst."""
    return after_damage(round_.tolls[seat], round_.effects, seat, round_.reactions.shares, first, total - first)


MOST_WAVES = 16
MOST_PACKETS = 100
"""Where what follows from damage is broken off, since it would not end (C24)."""


class _Hit:
    """What comes against one hero, and what has come of it so far."""

    def __init__(self, seat: str, book: Reckoning) -> None:
        self.seat, self.book = seat, book
        self.events: list[Event] = []
        self.coming: list[Packet] = []
        self.packets: list[Packet] = []
        self.through: list[int] = []
        self.notes: dict[int, str] = {}
        self.attacked: tuple[str, ...] = ()
        self.shields: list[int] = []
        """What prevents damage, each by how much, -1 for all."""
        self.is_shielded = False
        self.defence = self.left = self.blocked = self.prevented = self.strokes = self.total = 0
        self.main = -1
        """The damage before the first hero burst, -1 while none has."""

    @property
    def is_safe(self) -> bool:
        """Say whether all damage is prevented."""
        return any(amount < 0 for amount in self.shields)

    def by(self, *, attacks: bool = False) -> dict[str, int]:
        """Return the damage by who dealt it, all or by Attacks alone."""
        found: dict[str, int] = {}
        for packet, points in zip(self.packets, self.through, strict=True):
            if packet.is_attack or not attacks:
                found[packet.source] = found.get(packet.source, 0) + points
        return found


def _wave(round_: Round, hits: Mapping[str, _Hit]) -> Sequence[Damage]:
    """Let what comes be blocked, changed and prevented; return what follows from what is left."""
    landed: list[Landing] = []
    shares: dict[str, dict[int, int]] = {}
    safely: dict[str, list[Landing]] = {}
    for seat, hit in hits.items():
        blocked = shares[seat] = _blocked(round_, hit)
        stopped = sum(blocked.values())
        hit.left = max(0, hit.left - stopped)
        hit.blocked += stopped
        come = [
            Landing(p.source, seat, "attack" if p.is_attack else "power", p.amount - blocked.get(n, 0) + p.rider)
            for n, p in enumerate(hit.coming)
        ]
        # what prevents all comes before all else
        landed += [msgspec.structs.replace(one, points=0) for one in come] if hit.is_safe else come
        safely[seat] = come if hit.is_safe else []
    turned = iter(round_.reactions.turn(landed))
    counted: list[Landing] = []
    for seat, hit in hits.items():
        after = [next(turned) for _ in hit.coming]
        points = _through(round_, hit, shares[seat], safely[seat] or after)
        counted += [
            one if one.points == left else msgspec.structs.replace(one, points=left)
            for one, left in zip(after, points, strict=True)
        ]
        hit.strokes += sum(not packet.is_attack for packet in hit.coming)
        hit.packets += hit.coming
        hit.through += points
        hit.coming = []
    return round_.reactions.follow(counted)


def changed_by(change: ValueChange) -> str:
    """Write a change of a value as it stands in its sum."""
    sign = {"*=": "x", "+=": "+", "-=": "-"}.get(change.sign, "made")
    return f" {sign} {change.amount} ({change.by})"


def _attack(round_: Round, source: str, on: str, value: int, rider: int, *, past: bool) -> Packet:
    striker, victim = round_.names[source], round_.names[on]
    return Packet(
        source=source,
        name=striker,
        amount=value,
        blockable=not past,
        rider=rider,
        is_attack=True,
        blocked_key=f"blocked by {on} from {source}",
        damage_key=f"damage of {source} on {on}",
        blocked_text=f"Blocked by {victim} from {striker}",
        damage_text=f"Damage of {striker} on {victim}",
    )


def _packets(round_: Round, on: str, deals: Sequence[Damage], before: int = 0) -> list[Packet]:
    """
    Make packets of what powers deal to a seat; `before` is how many there were in earlier waves.

    Rule: A13.
    """
    blockable = round_.state.house["power_damage_blockable"] == "yes"
    victim = round_.names[on]
    return [
        Packet(
            source=deal.source,
            name=f"{deal.by or 'a power'} of {round_.names[deal.source]}" if deal.source else deal.by or "a power",
            amount=deal.amount,
            blockable=blockable and not deal.unblockable,
            blocked_key=f"blocked by {on} from power damage {place}",
            damage_key=f"power damage {place} on {on}",
            blocked_text=f"Blocked by {victim} from power damage {place}",
            damage_text=f"Power damage {place} on {victim}",
        )
        for place, deal in enumerate(deals, before + 1)
    ]


def _blocked(round_: Round, hit: _Hit) -> dict[int, int]:
    """Return how much of each packet that comes is blocked, by its place, where anything is; an answer goes first."""
    if not hit.coming:
        return {}
    pile = {place: packet for place, packet in enumerate(hit.coming) if packet.blockable}
    incoming = [(packet.source, packet.amount) for packet in pile.values()]
    ruled = [hit.book.ruled(packet.blocked_key) for packet in pile.values()]
    fixed = {rank: max(0, points) for rank, points in enumerate(ruled) if points is not None}
    if not hit.left and not fixed:
        return {}
    answers, orders = (said.get(hit.seat, ()) for said in (round_.answers, round_.orders))
    blocks = [*(order for order in answers if isinstance(order, Block)), *orders]
    block = division(round_.state, hit.seat, blocks, round_.seen)
    default = round_.state.house["block_default"]
    shares = divide(hit.left, incoming, block, default, fixed)
    partial = 0 < sum(shares) < sum(amount for _, amount in incoming) and len(pile) > 1
    how = _how_divided(block, default) if partial else ""
    rule = "A12" if block is None else "R9"
    blocked = {}
    for rank, (place, packet) in enumerate(pile.items()):
        if shares[rank] or rank in fixed:
            blocked[place] = shares[rank]
            hit.book.number(packet.blocked_key, packet.blocked_text, shares[rank], how, rule)
    if partial:
        parts = [
            {"who": packet.name, "blocked": points, "through": packet.amount - points}
            for packet, points in zip(pile.values(), shares, strict=True)
            if packet.amount
        ]
        facts = {"hero": round_.names[hit.seat], "parts": parts, "how": how}
        hit.events.append(Event(kind="passed", to=EVERYONE, facts=facts, rule=rule))
    return blocked


def _how_divided(block: Block | None, default: str) -> str:
    how = block.how if block else default
    words = {"first": "in the order chosen", "points": "point by point as chosen", "largest": "the largest first"}
    words |= {"smallest": "the smallest first", "evenly": "in proportion", "pro_rata": "in proportion"}
    return words[how]


def _through(round_: Round, hit: _Hit, blocked: Mapping[int, int], turned: Sequence[Landing]) -> list[int]:
    """Return what comes through of each packet, once powers have changed it and some of it is prevented."""
    left = _prevented(round_, hit, sum(one.points for one in turned))
    hit.prevented += left
    result = []
    for place, (packet, one) in enumerate(zip(hit.coming, turned, strict=True)):
        stopped = min(left, one.points)
        left -= stopped
        sums = f"{packet.amount}"
        sums += f" - {blocked[place]} blocked" if blocked.get(place) else ""
        sums += f" + {packet.rider} unblockable" if packet.rider else ""
        if packet.rider:
            hit.notes[len(hit.through) + place] = sums
        if one.changes:
            sums = f"({sums})" if blocked.get(place) or packet.rider else sums
            sums += "".join(changed_by(change) for change in one.changes)
            hit.notes[len(hit.through) + place] = sums
        sums += f" - {stopped} prevented" if stopped else ""
        result.append(hit.book.number(packet.damage_key, packet.damage_text, one.points - stopped, sums, "R8"))
    return result


def _prevented(round_: Round, hit: _Hit, coming: int) -> int:
    """Return how much of what comes through in a wave is prevented; a ruling counts for the first."""
    key = f"prevented for {hit.seat}"
    if not hit.shields and (hit.is_shielded or not hit.book.pins(key)):
        return 0
    most = coming if hit.is_safe else min(coming, max(0, sum(hit.shields) - hit.prevented))
    if hit.is_shielded:
        return most
    hit.is_shielded = True
    return min(coming, hit.book.number(key, f"Damage prevented for {round_.names[hit.seat]}", most, "", "A33"))


def _damage(round_: Round, hit: _Hit) -> int:
    """Record all damage to a hero, and tell what it came of."""
    key, name = f"damage to {hit.seat}", round_.names[hit.seat]
    if not hit.packets and not hit.book.pins(key):
        return 0
    how = _sum(hit)
    damage = hit.book.number(key, f"Damage to {name}", sum(hit.through), how, "R8")
    facts = {"hero": name, "how": "as ruled" if hit.book.pins(key) else how, "damage": damage, "verdict": key}
    hit.events.append(Event(kind="came_out", to=EVERYONE, facts=facts, rule="R8"))
    return damage


def _sum(hit: _Hit) -> str:
    """Write the arithmetic that led to a hero's damage."""
    pile = [packet for packet in hit.packets if packet.blockable]
    past = [packet for packet in hit.packets if not packet.blockable]
    how = " + ".join(f"{packet.amount} ({packet.name})" for packet in pile)
    how += f" - Defence {hit.defence}" if hit.defence and pile else ""
    for packet in past:
        how += f"{' + ' if how else ''}{packet.amount} past Defence ({packet.name})"
    if hit.notes:  # what powers changed no longer adds up in one line, so each source stands by itself
        parts = [
            f"{points} ({packet.name}{f', {hit.notes[place]}' if place in hit.notes else ''})"
            for place, (packet, points) in enumerate(zip(hit.packets, hit.through, strict=True))
            if points or place in hit.notes
        ]
        return " + ".join(parts)
    how += f" - {hit.prevented} prevented" if hit.prevented else ""
    plain = max(0, sum(packet.amount for packet in pile) - hit.defence) if pile else 0
    plain = max(0, plain + sum(packet.amount for packet in past) - hit.prevented)
    return how if plain == sum(hit.through) else f"{how}, then as ruled"
