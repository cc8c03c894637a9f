"""What powers do when damage lands: changes before it counts, and what follows from it, wave by wave."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from pbem.ruleset import Dice
from pbem.rulesets.rumble.effect import Damage, Drop, EnergyChange, Give, Landing, Rider, ValueChange, of_kind
from pbem.rulesets.rumble.model.state import Later, discarded
from pbem.rulesets.rumble.powers.engine import scene
from pbem.rulesets.rumble.powers.engine.actions import done
from pbem.rulesets.rumble.powers.engine.active_abilities import ActiveAbility
from pbem.rulesets.rumble.powers.engine.deeds import deeds
from pbem.rulesets.rumble.powers.engine.scene import ANY, Scene, View
from pbem.rulesets.rumble.powers.engine.shouts import Shouts
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Expression, Join, Name, is_variable
from pbem.rulesets.rumble.powers.language.lines import Effect


class Reactions(msgspec.Struct, kw_only=True):
    """
    Answers to damage, over one round; remembers which of them were the first, the second, and so on.

    A round's are never changed: what lets powers answer works on a copy, and all that a copy holds is immutable.

    Shape: `now` is the scene with its Attacks and Defences, the dice are for what nobody chose, `shouts` is what is
    shouted for damage; `burnt` is the Energy that seats burnt where that is damage too (A10), which follows with the
    first blows. `shares` are gains and losses that came of it, `fired` counts, by power, what counts over a game,
    `discards` are powers out of play, `gone` those that answer nothing more; `riding` is what goes with an Attack to
    whom it strikes: unblockable points, and powers.
    """

    running: Sequence[ActiveAbility]
    now: Scene
    dice: Dice
    shouts: Shouts
    burnt: Sequence[Landing] = ()
    counted: Mapping[tuple[object, ...], int] = {}
    shares: tuple[EnergyChange, ...] = ()
    strokes: tuple[Damage, ...] = ()
    later: tuple[Later, ...] = ()
    fired: Mapping[str, int] = {}
    discards: tuple[str, ...] = ()
    riding: tuple[Rider | Give, ...] = ()
    gone: frozenset[str] = frozenset()

    def copy(self) -> Reactions:
        """Return the same, to go on from here."""
        return msgspec.structs.replace(self, shouts=msgspec.structs.replace(self.shouts))

    def to_attacks(self) -> None:
        """
        Answer Attacks by their values, before anything is ignored or blocked.

        Rule: A35, C18.
        """
        for one in self.running:
            event = one.ability.when
            if isinstance(event, lines.Attacks):
                for (source, on), value in self.now.attacks.items():
                    view = _matched(event, source, on, one.view(self.now))
                    view = view if _takes_up(one, source, on) else None
                    enough = event.least is None or value >= scene.number(event.least, one.view(self.now))
                    if view and enough and self._counts(one, view):
                        self._do(one, msgspec.structs.replace(view, edge=(source, on)))

    def turn(self, landed: Sequence[Landing]) -> list[Landing]:
        """
        Change damage before it counts: multiply, then add and take away, then set or prevent.

        Rule: C17 (each source apart, each ability once for each), C22 for the order; A10 for what was burnt.
        """
        hits = [*landed]
        instead = [one for one in self.running if isinstance(one.ability.instead, lines.Damage)]
        for one in sorted(instead, key=lambda one: (_class_of(one), one.power.number)):
            for place in self._in_order(one, self.burnt):
                self._met(one, self.burnt[place])  # a Burn is counted before any blow, and nothing changes it
            for place in self._in_order(one, hits):
                view = self._met(one, hits[place])
                by = self._shouted(one, hits[place]) if view and one.ability.ask else one.power.name
                if view is None or not by:
                    continue
                view = self._chosen(one, view)  # it sees the damage as it was before this ability
                for effect in done(one, view):
                    if isinstance(effect, lines.OnDamage):
                        (change,) = of_kind(deeds(effect, view), ValueChange)
                        hits[place] = hits[place].changed(msgspec.structs.replace(change, by=by))
                    else:
                        self._carry_out(one, effect, view)
        return hits

    def _shouted(self, one: ActiveAbility, hit: Landing) -> str:
        """Return the caption that its owner shouts for some damage, or "" where there is none that counts."""
        shout = self.shouts.on_hit(one, hit.source, hit.on)
        return f"{shout.word}!" if shout and shout.counts else ""

    def follow(self, landed: Sequence[Landing]) -> Sequence[Damage]:
        """Return what strikes in the next wave, because of damage that counted."""
        burnt, self.burnt = self.burnt, ()
        for hits in (burnt, landed):  # what was burnt left before any blow fell
            for one in self.running:
                for place in self._in_order(one, hits) if isinstance(one.ability.when, lines.Damage) else ():
                    if view := self._met(one, hits[place]):
                        self._do(one, view)
        return self._taken()

    def afterwards(self) -> Sequence[Damage]:
        """Return what follows once all damage is dealt."""
        for one in self.running:
            if isinstance(one.ability.when, lines.AfterDamage) and not self._is_gone(one):
                self._do(one, one.view(self.now))
        return self._taken()

    def bursts(self, keys: Collection[str], owners: Mapping[str, str] | None = None) -> Sequence[Damage]:
        """Return how the powers of those who fall strike others; `owners` are the powers' owners by now. Rule: C27."""
        for one in self.running:
            if isinstance(one.ability.when, lines.Death) and one.power.key in keys:
                me = (owners or {}).get(one.power.key, one.power.owner)
                view = msgspec.structs.replace(one.view(self.now), me=me)
                for effect in one.ability.effects:
                    if isinstance(effect, lines.Deal):
                        self._carry_out(one, effect, view)
        return self._taken()

    def lose(self, keys: Collection[str]) -> None:
        """Take powers away: one that was lost in the blows answers nothing after them. Rule: C32."""
        self.gone |= frozenset(keys)
        self.now = msgspec.structs.replace(self.now, state=discarded(self.now.state, keys))

    def _taken(self) -> Sequence[Damage]:
        strokes, self.strokes = self.strokes, ()
        return strokes

    def _is_gone(self, one: ActiveAbility) -> bool:
        """Say whether a power has discarded itself in these blows; what was paid for happens all the same."""
        power = self.now.state.power(one.power.key)
        return one.power.key in self.gone and not one.ability.costs and power is not None and not power.in_play

    def _in_order(self, one: ActiveAbility, hits: Sequence[Landing]) -> list[int]:
        """
        Return the places of landings in the order in which an ability counts them.

        Rule: C17: as the owner said; else what one deals, the largest first; what one takes, the smallest, then the
        largest, then the rest. Where nothing is counted, the largest is first.
        """
        mine = [place for place, hit in enumerate(hits) if hit.points and self._at(one, hit)]
        mine.sort(key=lambda place: -hits[place].points)
        if mine and one.ability.nth and _event(one).by != Name("me"):
            least = min(mine, key=lambda place: (hits[place].points, place))
            mine = [least, *(place for place in mine if place != least)]
        if one.packets:
            others = {p: hits[p].on if hits[p].source == one.power.owner else hits[p].source for p in mine}
            ranks = {other: rank for rank, other in enumerate(one.packets)}
            mine.sort(key=lambda place: ranks.get(others[place], len(ranks)))
        return mine

    def _at(self, one: ActiveAbility, hit: Landing) -> View | None:
        if _event(one).kind not in ("", hit.kind) or (one.ability.instead and not _takes_up(one, hit.source, hit.on)):
            return None
        return _matched(_event(one), hit.source, hit.on, msgspec.structs.replace(one.view(self.now), hit=hit))

    def _met(self, one: ActiveAbility, hit: Landing) -> View | None:
        """Return what the owner sees where an ability answers damage, this time; else None."""
        view = self._at(one, hit)
        return view if view and not self._is_gone(one) and self._counts(one, view) else None

    def _counts(self, one: ActiveAbility, view: View) -> bool:
        """Count a time that it happens, and say whether it is the one that the ability waits for."""
        nth = one.ability.nth
        if nth is None:
            return True
        per = scene.evaluate(nth.per, view) if nth.per else ""
        mark = (one.power.key, one.place, id(one.ability), per)
        times = self.counted.get(mark, 0) + 1
        self.counted = {**self.counted, mark: times}
        if nth.span == "round":
            return times == nth.place
        fired = self.fired.get(one.power.key, 0) + 1
        self.fired = {**self.fired, one.power.key: fired}
        return one.power.fired + fired == nth.place

    def _do(self, one: ActiveAbility, view: View) -> None:
        view = self._chosen(one, view)
        for effect in done(one, view):
            self._carry_out(one, effect, view)

    def _chosen(self, one: ActiveAbility, view: View) -> View:
        """
        Name what the owner did not: a power of theirs, the strongest that may be named; a hero, by lot.

        Rule: C23.
        """
        wished = (one.use.on, *one.use.then) if one.use else ()
        for choice in () if one.ability.costs else one.ability.choices:
            there = [key for key in scene.choices(choice, view) if not (choice.what == "power" and key in self.gone)]
            found = [one for one in wished if one in there][:1] or there
            if choice.what == "power":
                found = sorted(found, key=lambda key: -scene.strength(view, key))[:1]
            if found:
                lot = self.dice.at(one.power.key).pick(choice.name, found) if len(found) > 1 else found[0]
                view = scene.naming(view, choice.name, lot)
        return view

    def _carry_out(self, one: ActiveAbility, effect: Effect, view: View) -> None:
        if not scene.named(effect, view):
            return
        for deed in deeds(effect, view):
            match deed:
                case EnergyChange():
                    self.shares += (deed,)
                case Damage():
                    self.strokes += (deed,)
                case Later():
                    self.later += (deed,)
                case Rider() | Give():
                    self.riding += (deed,)
                case Drop(key):
                    if key == one.power.key:  # C32: its own text takes it at once, another's when the blows are over
                        self.now = msgspec.structs.replace(self.now, state=discarded(self.now.state, {key}))
                    self.gone |= {key}
                    self.discards += (key,)


def _takes_up(one: ActiveAbility, source: str, on: str) -> bool:
    """Say whether an owner takes up an ability of their own choice for this Attack or this damage."""
    if not one.ability.optional or one.ability.choices or one.ability.ask:
        return True
    if one.use is None:
        return False
    other = on if source == one.power.owner else source
    return not one.use.on or other in (one.use.on, *one.use.then)


def _event(one: ActiveAbility) -> lines.Damage:
    assert isinstance(one.ability.event, lines.Damage)
    return one.ability.event


def _class_of(one: ActiveAbility) -> int:
    signs = [effect.sign for effect in one.ability.effects if isinstance(effect, lines.OnDamage)]
    return {"*=": 0, "+=": 1, "-=": 1}.get(signs[0], 2) if signs else 2


def _matched(event: lines.Damage | lines.Attacks, source: str, on: str, view: View) -> View | None:
    """Return a view with the names that an event gives, or None where it is about others."""
    seen: View | None = view
    for party, seat in ((event.by, source), (event.to, on)):
        seen = _one_of(party, seat, seen) if seen and party is not None else seen
    return seen


def _one_of(party: Expression, seat: str, view: View) -> View | None:
    if isinstance(party, Join) and party.sign == "in":
        assert isinstance(party.left, Name)
        return scene.naming(view, party.left.word, seat) if seat in scene.heroes(party.right, view) else None
    if isinstance(party, Name) and is_variable(party.word) and party.word not in view.names:
        return scene.naming(view, party.word, seat) if seat else None
    value = scene.evaluate(party, view)
    if value == ANY:
        return view
    return view if seat in (value if isinstance(value, tuple) else (value,)) else None
