"""The stories that a round has, the best first, each of them a fact that everybody may know; chooses none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pbem.ruleset import Facts
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.round.record import Round

NARROW = 5
"""The most Energy on which somebody got away narrowly."""
SOME = 10
"""The least Energy of an answer, of a blow against whoever leads or in vain, and of a gain, to be a story."""
MUCH = 20
"""The least Energy that somebody put into what came to nothing, to be a story."""
CLOSE = 2
"""How far apart two who lead may be, to be as good as level."""


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """
    One thing that happened, all by name.

    Shape: `hero` is whom it happened to, `by` are those who did it; what `heroes`, `amount`, `other`, `more` and
    `power` are goes by its kind, as the sentences for it say. `blows` are those that it tells of: who struck whom.
    """

    what: str
    hero: str = ""
    by: tuple[str, ...] = ()
    heroes: tuple[str, ...] = ()
    amount: int = 0
    other: int = 0
    more: int = 0
    power: str = ""
    blows: tuple[tuple[str, str], ...] = ()


class Over(msgspec.Struct, frozen=True, gc=False):
    """
    A round that is over.

    Shape: `was` is the Energy of all who began it, the least first, `now` of those of them who are still in; `landed`
    maps who was struck to who struck and how hard, where the sum of it is what came through; `aimed` is whom anybody
    meant to attack; `first` and `last` had the most and the least of three or more, "" where nobody had it alone.
    """

    round: Round
    was: Mapping[str, int]
    now: Mapping[str, int]
    landed: Mapping[str, Mapping[str, int]]
    aimed: frozenset[str]
    first: str
    last: str

    def named(self, *seats: str) -> tuple[str, ...]:
        """Return the names of seats."""
        return tuple(map(self.round.names.__getitem__, seats))

    def put(self, seat: str) -> Allocation | None:
        """Return what a hero put where, if all of it could be paid and nothing was put otherwise later."""
        wanted, counted = self.round.wanted[seat], self.round.allocations[seat]
        return wanted if (wanted.attacks, wanted.defence) == (counted.attacks, counted.defence) else None

    def is_left_alone(self, seat: str) -> bool:
        """Say whether nobody meant to attack a hero, and nothing hurt them."""
        blows = self.round.blows
        return not (seat in self.aimed or blows.attacked.get(seat) or blows.by.get(seat) or blows.damage.get(seat))


def stories(over: Over) -> Iterator[Story]:
    """Yield all stories of a round, the best first."""
    yield from _ending(over)
    yield from _falls(over)
    yield from _escapes(over)
    yield from _energies(over)
    yield from _feats(over)
    yield from _nothing(over)


def quiet(over: Over) -> Iterator[Story]:
    """Yield what there is to say where little happened."""
    yield from _bluffs(over)
    yield from _rest(over)


def plain(over: Over) -> Iterator[Story]:
    """Yield how they all stand, which is known after any round."""
    names, ranked = over.round.names, sorted(over.now.items(), key=lambda item: -item[1])
    if over.round.result and len(ranked) == 1:
        yield Story(what="it took", amount=over.round.before.round)
    if len(ranked) < 2 or ranked[-1][1] <= 0:
        return
    (first, most), (second, less), (last, least) = ranked[0], ranked[1], ranked[-1]
    if first == over.first and most > less and (len(ranked) == 2 or less > ranked[2][1]):
        yield Story(what="still first", hero=names[first], heroes=over.named(second), amount=most, other=less)
    if last == over.last and least < ranked[-2][1]:
        yield Story(what="still last", hero=names[last], amount=least)
    if most > least:
        yield Story(what="apart", amount=most - least)
    yield Story(what="all they have", amount=sum(over.now.values()), other=len(ranked))


def seen(round_: Round) -> Over:
    """Look at a round that is over."""
    blows = round_.blows
    living = sorted(round_.before.living, key=lambda hero: hero.energy)
    landed = {
        seat: {source: points for source, points in dealers.items() if points > 0}
        for seat, dealers in blows.landed.items()
        if blows.damage[seat] and sum(blows.by[seat].values()) == blows.damage[seat]
    }
    aimed = {on for puts in (round_.wanted, round_.allocations) for one in puts.values() for on in one.attacks}
    is_many = len(living) > 2
    after = {hero.seat: hero.energy for hero in round_.state.living}
    return Over(
        round_,
        {hero.seat: hero.energy for hero in living},
        {hero.seat: after[hero.seat] for hero in living if hero.seat in after},
        landed,
        frozenset(aimed),
        living[-1].seat if is_many and living[-1].energy > living[-2].energy else "",
        living[0].seat if is_many and living[0].energy < living[1].energy else "",
    )


def _ending(over: Over) -> Iterator[Story]:
    living, result = over.round.state.living, over.round.result
    if result and len(living) == 1 and result.winners == (living[0].seat,):
        yield Story(what="last", hero=living[0].name, amount=living[0].energy)


def _falls(over: Over) -> Iterator[Story]:
    """Yield who fell: by whom, or one story for all of them; of the first and of a close call there is more to say."""
    blows, tolls, names = over.round.blows, over.round.tolls, over.round.names
    fell = [seat for seat, toll in tolls.items() if toll.out_step]
    by = {seat: _felled_by(over, seat) for seat in fell}
    if len(fell) == 2 and [by[seat] for seat in fell] == [(seat,) for seat in reversed(fell)]:
        both = ((fell[0], fell[1]), (fell[1], fell[0]))
        yield Story(what="double", heroes=over.named(*fell), blows=both)
        return
    if len(fell) > 1:
        yield Story(what="together", heroes=over.named(*fell))
    for seat in fell:
        pairs = tuple((one, seat) for one in by[seat])
        if by[seat]:
            yield from _decided(over, seat)
        if by[seat] and seat == over.first:
            who, strikers = names[seat], over.named(*by[seat])
            yield Story(what="toppled", hero=who, by=strikers, amount=over.was[seat], blows=pairs)
    if len(fell) == 1:
        seat = fell[0]
        what = "fell" if by[seat] else _way_out(over, seat)
        pairs = tuple((one, seat) for one in by[seat])
        amount = blows.damage.get(seat, 0)
        yield Story(what=what, hero=names[seat], by=over.named(*by[seat]), amount=amount, blows=pairs)


def _felled_by(over: Over, seat: str) -> tuple[str, ...]:
    """Return whose blows brought a hero down, nobody where others' or none's, or the hero's own, did too."""
    toll, dealers = over.round.tolls[seat], over.round.blows.by.get(seat, {})
    alone = seat in over.landed and not dealers.get("") and not dealers.get(seat)
    is_by_blows = toll.out_step == 2 and toll.energy <= 0 and alone
    return tuple(one for one, points in dealers.items() if points > 0) if is_by_blows else ()


def _way_out(over: Over, seat: str) -> str:
    """Return how a hero fell who was not brought down by blows."""
    toll = over.round.tolls[seat]
    if toll.left:
        return "left"
    if toll.out_step == 1 and toll.burnt and toll.energy <= 0:
        return "burnt out"
    if over.round.blows.damage.get(seat):
        return "felled"
    if toll.out_step == 3 and toll.energy <= 0 and any(what == "fatigue" for what, _ in toll.why):
        return "tired out"
    return "removed"


def _decided(over: Over, seat: str) -> Iterator[Story]:
    """Yield an Attack that came down harder than it was put, by more than its victim was short of."""
    short = 1 - over.round.tolls[seat].energy
    for source, points in over.landed.get(seat, {}).items():
        put, value = (
            over.put(source),
            _changed(over, f"Attack of {over.round.names[source]} on {over.round.names[seat]}"),
        )
        meant = put.attacks.get(seat, 0) if put else 0
        if meant and points >= value - meant >= short:
            yield Story(
                what="decided",
                hero=over.round.names[seat],
                by=over.named(source),
                amount=meant,
                other=value,
                blows=((source, seat),),
            )
            return


def _changed(over: Over, what: str) -> int:
    """Return the value that powers made of an Attack or a Defence, 0 where none did."""
    for event in over.round.events.get("blows", ()):
        if event.kind == "changed" and event.facts["what"] == what:
            value: int = event.facts["value"]
            return value
    return 0


def _escapes(over: Over) -> Iterator[Story]:
    """Yield who came back, who changed places, and who got away narrowly."""
    names, blows = over.round.names, over.round.blows
    for seat, toll in over.round.tolls.items():
        if toll.saved_by and not toll.out_step and seat in over.now:
            yield Story(what="revived", hero=names[seat], amount=over.now[seat])
    for event in over.round.events.get("powers", ()):
        if event.kind == "swapped":
            facts = event.facts
            yield Story(what="swapped", hero=facts["hero"], heroes=(facts["other"],), power=facts["power"])
    for seat, energy in over.now.items():
        if blows.attacked.get(seat):
            put, value = over.round.allocations[seat].defence, _changed(over, f"Defence of {names[seat]}")
            if value - blows.left.get(seat, 0) - put >= energy > 0 and over.put(seat):
                yield Story(what="held by a power", hero=names[seat], amount=put, other=value, more=energy)
        if 0 < energy <= NARROW and energy < over.was[seat]:
            yield Story(what="narrow", hero=names[seat], amount=energy)
        elif energy <= 0:
            yield Story(what="on nothing", hero=names[seat])


def _energies(over: Over) -> Iterator[Story]:
    """Yield the blow that nobody expected, the first of the game, and whose place is another one."""
    names, now = over.round.names, over.now
    points = over.landed.get(over.first, {}).get(over.last, 0)
    if points >= SOME and over.first:
        pair = (over.last, over.first)
        yield Story(what="upset", hero=names[over.first], by=over.named(over.last), amount=points, blows=(pair,))
    if not any(hero.taken for hero in over.round.before.heroes) and not over.round.before.by_powers:
        hurt = [seat for seat, damage in over.round.blows.damage.items() if damage]
        if hurt:
            yield Story(what="first blood", heroes=over.named(*hurt), amount=len(over.was) - len(hurt))
    if over.last in now:
        passed = [seat for seat, energy in now.items() if energy < now[over.last]]
        if passed:
            yield Story(what="comeback", hero=names[over.last], heroes=over.named(*passed), amount=now[over.last])
    if over.first in now and len(now) > 1:
        first, second = sorted(now, key=lambda seat: -now[seat])[:2]
        if first != over.first and now[first] > now[second]:
            yield Story(what="leads", hero=names[first], heroes=over.named(over.first), amount=now[first])


def _feats(over: Over) -> Iterator[Story]:
    """Yield who struck back, who came together, who traded blows, and who alone was not hurt."""
    names, attackers, before = over.round.names, over.round.blows.attacked, over.round.before
    for seat, dealers in over.landed.items():
        for source, points in dealers.items():
            hit_before = source in before.hero(seat).attacked and seat not in before.hero(source).attacked
            if points >= SOME and hit_before:
                pair = (source, seat)
                yield Story(what="revenge", hero=names[seat], by=over.named(source), amount=points, blows=(pair,))
    for seat, by in attackers.items():
        dealers = over.landed.get(seat, {})
        if len(by) > 1 and dealers:
            pairs = tuple((one, seat) for one in by)
            points = sum(dealers.values())
            held = len(by) - sum(one in dealers for one in by)
            yield Story(what="ganged", hero=names[seat], by=over.named(*by), amount=points, other=held, blows=pairs)
        elif len(by) > 1 and not over.round.blows.damage[seat]:
            pairs = tuple((one, seat) for one in by)
            yield Story(what="wall", hero=names[seat], by=over.named(*by), amount=len(by), blows=pairs)
    for seat, by in attackers.items():
        other = by[0] if len(by) == 1 else ""
        if other and seat < other and attackers.get(other) == (seat,):
            mine, theirs = over.landed.get(other, {}).get(seat, 0), over.landed.get(seat, {}).get(other, 0)
            if mine and theirs:
                pairs = ((seat, other), (other, seat))
                yield Story(what="duel", heroes=over.named(seat, other), amount=mine, other=theirs, blows=pairs)
    damage = over.round.blows.damage
    whole = [seat for seat in over.was if not damage.get(seat)]
    if len(whole) == 1 and len(over.was) > 2 and over.now.get(whole[0], -1) >= over.was[whole[0]]:
        yield Story(what="unscathed", hero=names[whole[0]])


def _nothing(over: Over) -> Iterator[Story]:
    """Yield that there was no blow, or none that hurt."""
    damage, struck = over.round.blows.damage, [seat for seat, by in over.round.blows.attacked.items() if by]
    if not any(damage.values()) and len(over.now) == len(over.was):
        if struck:
            yield Story(what="held", heroes=over.named(*struck))
        elif not over.aimed:
            yield Story(what="silent")


def _bluffs(over: Over) -> Iterator[Story]:
    """Yield what was put and came to nothing, the most first, and who dared."""
    names, attackers = over.round.names, over.round.blows.attacked
    guarded = [seat for seat in over.now if over.is_left_alone(seat) and over.put(seat)]
    for seat in sorted(guarded, key=lambda one: -over.round.wanted[one].defence):
        attacks, defence = sum(over.round.wanted[seat].attacks.values()), over.round.wanted[seat].defence
        if defence >= MUCH:
            yield Story(what="unneeded", hero=names[seat], amount=defence)
        elif not defence and attacks >= MUCH:
            yield Story(what="bold", hero=names[seat], amount=attacks)
    for seat, by in attackers.items():
        landed = over.round.blows.landed.get(seat, {})  # what landed and was ruled away was not in vain
        came = over.round.blows.damage[seat] or any(landed.values())
        put = over.put(by[0]) if len(by) == 1 and not came else None
        amount = put.attacks.get(seat, 0) if put else 0
        if amount >= SOME:
            yield Story(what="in vain", hero=names[seat], by=over.named(by[0]), amount=amount, blows=((by[0], seat),))
    for event in over.round.events.get("orders", ()):
        if event.kind == "wasted" and event.facts["amount"]:
            facts: Facts = event.facts
            yield Story(what="wasted", hero=facts["on"], by=(facts["hero"],), amount=facts["amount"])


def _rest(over: Over) -> Iterator[Story]:
    """Yield the plain stories: who lost much, who stand alike, the hardest blow, whom nobody thought of."""
    names, now, blows = over.round.names, over.now, over.round.blows
    for seat, energy in now.items():
        if NARROW < energy <= over.was[seat] // 2:
            yield Story(what="halved", hero=names[seat], amount=over.was[seat], other=energy)
    if len(now) == 2 < len(over.was):
        first, second = sorted(now, key=lambda seat: -now[seat])
        yield Story(what="two left", heroes=over.named(first, second), amount=now[first], other=now[second])
    elif len(now) > 1:
        first, second = sorted(now, key=lambda seat: -now[seat])[:2]
        if now[first] >= 2 * now[second] > 0 and over.was[first] < 2 * over.was[second]:
            yield Story(
                what="far ahead", hero=names[first], heroes=over.named(second), amount=now[first], other=now[second]
            )
        apart, apart_before = now[first] - now[second], abs(over.was[first] - over.was[second])
        if apart <= CLOSE < apart_before and sum(energy >= now[second] for energy in now.values()) == 2:
            heroes = over.named(first, second)
            yield Story(what="close" if apart else "level", heroes=heroes, amount=now[first], other=now[second])
    hits = [(points, by, on) for on, dealers in over.landed.items() for by, points in dealers.items()]
    for points, by, on in sorted(hits, key=lambda hit: -hit[0]):
        put = over.put(on)
        bare = points >= MUCH and put is not None and not put.defence
        yield Story(
            what="bare" if bare else "blow", hero=names[on], by=over.named(by), amount=points, blows=((by, on),)
        )
    for seat, damage in blows.damage.items():
        dealers = blows.by.get(seat, {})
        if damage and seat not in over.landed:
            yield Story(what="took", hero=names[seat], amount=damage)
        elif damage and not over.landed[seat]:
            by_all = () if dealers.get("") else over.named(*(one for one, points in dealers.items() if points))
            yield Story(what="by a power", hero=names[seat], by=by_all, amount=damage)
    for seat, energy in now.items():
        if energy - over.was[seat] >= SOME:
            yield Story(what="gained", hero=names[seat], amount=over.was[seat], other=energy)
    for seat, toll in over.round.tolls.items():
        if seat in now and toll.burnt >= SOME:
            yield Story(what="burnt", hero=names[seat], amount=toll.burnt)
    poor = [seat for seat, energy in now.items() if energy <= MUCH and over.is_left_alone(seat)]
    if poor and over.aimed:
        yield Story(what="forgotten", hero=names[poor[0]], amount=now[poor[0]])
