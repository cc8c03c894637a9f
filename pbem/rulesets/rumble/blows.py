"""Attacks against Defence: what is blocked, what is prevented, what comes through; nobody falls here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Event
from pbem.rulesets.rumble import doing
from pbem.rulesets.rumble.conditions import division
from pbem.rulesets.rumble.division import divide
from pbem.rulesets.rumble.effects import Deal, Shield
from pbem.rulesets.rumble.orders import Block
from pbem.rulesets.rumble.powers.acting import Stroke
from pbem.rulesets.rumble.reckoning import Reckoning
from pbem.rulesets.rumble.values import Field, attack_values, defence_value


class Packet(msgspec.Struct, frozen=True, kw_only=True):
    """
    Damage on its way: one Attack, or one stroke of a power.

    Shape: `source` is "" where nobody deals it; the keys are those of its two verdicts.
    """

    source: str
    name: str
    amount: int
    blockable: bool
    blocked_key: str
    damage_key: str
    blocked_text: str
    damage_text: str


class Blows(msgspec.Struct, frozen=True):
    """
    What the blows did.

    Shape: damage by victim, the same by dealer ("" where nobody dealt it), of that what came by Attacks, who
    attacked whom, and Defence that blocked nothing.
    """

    damage: dict[str, int]
    by: dict[str, dict[str, int]]
    landed: dict[str, dict[str, int]]
    attacked: dict[str, tuple[str, ...]]
    unused: dict[str, int]
    events: tuple[Event, ...]


def strike(field: Field, book: Reckoning) -> Blows:
    """
    Reckon all Attacks at once.

    Rule: R7, R8, R9; A13, A14, A15.
    """
    events: list[Event] = []
    values = attack_values(field, book, events)
    against: dict[str, list[tuple[str, int]]] = {seat: [] for seat in field.fighting}
    for (source, on), value in values.items():
        against[on].append((source, value))
    damage: dict[str, int] = {}
    by: dict[str, dict[str, int]] = {}
    landed: dict[str, dict[str, int]] = {}
    attacked: dict[str, tuple[str, ...]] = {}
    unused: dict[str, int] = {}
    for seat in field.fighting:
        attacks = [
            _attack(field, source, seat, value, past=(source, seat) in field.acts.passing)
            for source, value in against[seat]
        ]
        attacked[seat] = tuple(packet.source for packet in attacks)
        packets = [*attacks, *_strokes(field, seat)]
        defence = defence_value(field, book, seat, bool(packets), events)
        blocked = _blocked(field, book, seat, packets, defence, events)
        through, prevented = _through(field, book, seat, packets, blocked)
        how = _sum(packets, defence, sum(through), prevented)
        damage[seat] = _damage(field, book, seat, packets, sum(through), how, events)
        landed[seat] = {packet.source: points for packet, points in zip(attacks, through, strict=False)}
        by[seat] = {}
        for packet, points in zip(packets, through, strict=True):
            by[seat][packet.source] = by[seat].get(packet.source, 0) + points
        unused[seat] = max(0, field.allocations[seat].defence - sum(blocked.values()))
    return Blows(damage, by, landed, attacked, unused, tuple(events))


def _attack(field: Field, source: str, on: str, value: int, *, past: bool) -> Packet:
    striker, victim = field.names[source], field.names[on]
    return Packet(
        source=source,
        name=striker,
        amount=value,
        blockable=not past,
        blocked_key=f"blocked by {on} from {source}",
        damage_key=f"damage of {source} on {on}",
        blocked_text=f"Blocked by {victim} from {striker}",
        damage_text=f"Damage of {striker} on {victim}",
    )


def _strokes(field: Field, on: str) -> list[Packet]:
    """
    List the damage that powers deal to a seat.

    Rule: A13.
    """
    said = [effect for effect in doing.of_kind(field.effects, Deal) if effect.on == on]
    deals = [Stroke(deal.source, on, deal.amount, deal.unblockable, "a power") for deal in said]
    deals += [stroke for stroke in field.acts.strokes if stroke.on == on]
    blockable = field.state.house["power_damage_blockable"] == "yes"
    victim = field.names[on]
    return [
        Packet(
            source=deal.source,
            name=f"{deal.by} of {field.names[deal.source]}" if deal.source else deal.by,
            amount=deal.amount,
            blockable=blockable and not deal.unblockable,
            blocked_key=f"blocked by {on} from power damage {place}",
            damage_key=f"power damage {place} on {on}",
            blocked_text=f"Blocked by {victim} from power damage {place}",
            damage_text=f"Power damage {place} on {victim}",
        )
        for place, deal in enumerate(deals, 1)
    ]


def _blocked(
    field: Field, book: Reckoning, seat: str, packets: Sequence[Packet], defence: int, events: list[Event]
) -> dict[int, int]:
    """Return how much of each packet is blocked, by its place, where anything is."""
    pile = [place for place, packet in enumerate(packets) if packet.blockable]
    incoming = [(packets[place].source, packets[place].amount) for place in pile]
    ruled = {rank: book.ruled(packets[place].blocked_key) for rank, place in enumerate(pile)}
    fixed = {rank: max(0, points) for rank, points in ruled.items() if points is not None}
    if not defence and not fixed:
        return {}
    attackers = {source: given.attacks[seat] for source, given in field.allocations.items() if seat in given.attacks}
    block = division(field.state, seat, field.orders.get(seat, ()), attackers)
    default = field.state.house["block_default"]
    shares = divide(defence, incoming, block, default, fixed)
    partial = 0 < sum(shares) < sum(amount for _, amount in incoming) and len(pile) > 1
    how = _how_divided(block, default) if partial else ""
    rule = "A12" if block is None else "R9"
    blocked = {}
    for rank, place in enumerate(pile):
        packet = packets[place]
        if shares[rank] or rank in fixed:
            blocked[place] = shares[rank]
            book.number(packet.blocked_key, packet.blocked_text, shares[rank], how, rule)
    if partial:
        events.append(_passed(field, seat, [packets[place] for place in pile], shares, how, rule))
    return blocked


def _how_divided(block: Block | None, default: str) -> str:
    how = block.how if block else default
    said = {"first": "in the order chosen", "points": "point by point as chosen", "largest": "the largest first"}
    said |= {"smallest": "the smallest first", "evenly": "in proportion", "pro_rata": "in proportion"}
    return said[how]


def _passed(field: Field, seat: str, pile: Sequence[Packet], shares: Sequence[int], how: str, rule: str) -> Event:
    parts = [
        {"who": packet.name, "blocked": points, "through": packet.amount - points}
        for packet, points in zip(pile, shares, strict=True)
        if packet.amount
    ]
    facts = {"hero": field.names[seat], "parts": parts, "how": how}
    return Event(kind="passed", to=EVERYONE, facts=facts, rule=rule)


def _through(
    field: Field, book: Reckoning, seat: str, packets: Sequence[Packet], blocked: Mapping[int, int]
) -> tuple[list[int], int]:
    """Return what comes through of each packet, and what was prevented in all."""
    points = [packet.amount - blocked.get(place, 0) for place, packet in enumerate(packets)]
    prevented = _prevented(field, book, seat, sum(points))
    left, result = prevented, []
    for place, packet in enumerate(packets):
        stopped = min(left, points[place])
        left -= stopped
        sums = f"{packet.amount}"
        sums += f" - {blocked[place]} blocked" if blocked.get(place) else ""
        sums += f" - {stopped} prevented" if stopped else ""
        result.append(book.number(packet.damage_key, packet.damage_text, points[place] - stopped, sums, "R8"))
    return result, prevented


def _prevented(field: Field, book: Reckoning, seat: str, coming: int) -> int:
    shields = [effect.amount for effect in doing.of_kind(field.effects, Shield) if effect.on == seat]
    shields += [share.amount for share in field.acts.shields if share.on == seat]
    key = f"prevented for {seat}"
    if not shields and not book.pins(key):
        return 0
    most = coming if any(amount < 0 for amount in shields) else min(coming, sum(shields))
    return min(coming, book.number(key, f"Damage prevented for {field.names[seat]}", most, "", "A33"))


def _damage(
    field: Field, book: Reckoning, seat: str, packets: Sequence[Packet], came: int, how: str, events: list[Event]
) -> int:
    key = f"damage to {seat}"
    if not packets and not book.pins(key):
        return 0
    damage = book.number(key, f"Damage to {field.names[seat]}", came, how, "R8")
    facts = {"hero": field.names[seat], "how": "as ruled" if book.pins(key) else how, "damage": damage}
    events.append(Event(kind="came_out", to=EVERYONE, facts=facts, rule="R8"))
    return damage


def _sum(packets: Sequence[Packet], defence: int, came: int, prevented: int) -> str:
    """Write the arithmetic that led to a hero's damage."""
    pile = [packet for packet in packets if packet.blockable]
    past = [packet for packet in packets if not packet.blockable]
    how = " + ".join(f"{packet.amount} ({packet.name})" for packet in pile)
    how += f" - Defence {defence}" if defence and pile else ""
    for packet in past:
        how += f"{' + ' if how else ''}{packet.amount} past Defence ({packet.name})"
    how += f" - {prevented} prevented" if prevented else ""
    plain = max(0, sum(packet.amount for packet in pile) - defence) if pile else 0
    plain = max(0, plain + sum(packet.amount for packet in past) - prevented)
    return how if plain == came else f"{how}, then as ruled"
