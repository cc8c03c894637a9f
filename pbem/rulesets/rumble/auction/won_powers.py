"""What powers do when they are won: gains, gifts, draws, changed numbers; sells nothing, and puts nobody out."""

from collections.abc import Iterator, Mapping

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Dice, Event, Facts, Only, Seat, phrases
from pbem.rulesets.rumble.auction.purses import Why, with_energy
from pbem.rulesets.rumble.auction.wishes import is_handed_on
from pbem.rulesets.rumble.effect import Drop, EnergyChange, Give, of_kind
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.model.state import Edit, IfWon, Power, State, is_copy, with_power
from pbem.rulesets.rumble.powers.deck import deck
from pbem.rulesets.rumble.powers.engine.deeds import deeds
from pbem.rulesets.rumble.powers.engine.scene import Scene, View
from pbem.rulesets.rumble.powers.language import lines, numbers
from pbem.rulesets.rumble.powers.language.expressions import Number
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs
from pbem.rulesets.rumble.round import sidekicks

_change = msgspec.structs.replace


class _Auction(msgspec.Struct, frozen=True):
    """The auction as it was when all was paid: what powers ask for then, and whose each power became."""

    state: State
    bids: int
    energy: Mapping[str, int]

    def wish(self, power: Power) -> IfWon:
        """Return what the winner of a power, or of a copy of it, asked for with the bid."""
        for key, wishes in self.state.if_won.items():
            if power.owner in wishes and self.mine(power.owner, key) == power.key:
                return wishes[power.owner]
        return IfWon()

    def mine(self, seat: str, key: str) -> str:
        """Return the number of the power, or of the copy of it, that a seat won; "" if it did not."""
        card = self.state.power(key)
        if card is None or card.handed:
            return ""
        if card.owner == seat:
            return key
        copies = [one.key for one in self.state.powers if one.owner == seat and is_copy(one, card) and card.owner]
        return copies[0] if copies else ""


def take_effect(state: State, why: Why, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """
    Carry out what each power does when it is won; a power that is drawn comes right after the one that drew it.

    Rule: B17, C11.
    """
    auction = _Auction(state, _bids(state), {hero.seat: hero.energy for hero in state.heroes})
    waiting = [power.key for power in sorted(state.powers, key=lambda power: power.number)]
    events: list[Event] = []
    while waiting:
        key = waiting.pop(0)
        for effect in _on_winning(state, key):
            power = state.card(key)
            new_events: tuple[Event, ...] = ()
            match effect:
                case lines.Gain() | lines.Lose():
                    state = _shared(state, power, effect, auction, why)
                case lines.Give():
                    state, new_events = _given(state, power, auction.wish(power).give, dice)
                case lines.Edit():
                    state, new_events = _edited(state, power, auction)
                case lines.Draw():
                    cards = deck(state)
                    card = dice.pick(f"drawn by {power.key}", cards) if cards else None
                    state, new_events = _drawn(state, power, card)
                    waiting = [card.key, *waiting] if card else waiting
                case lines.Discard():
                    state, new_events = application.rework(state, [Drop(key)])
                case lines.Sidekick(Number(energy)):
                    sidekick = sidekicks.new_sidekick(state, power, energy)
                    state, new_events = sidekicks.add_sidekick(state, power, sidekick)
                    why[sidekick.seat] = []
            events += new_events
    return state, tuple(events)


def _on_winning(state: State, key: str) -> Iterator[lines.Effect]:
    """Yield what a power does when it is won, if somebody has won it and keeps it."""
    power = state.card(key)
    if not power.in_play or power.handed or not power.owner or not runs(power.lines):
        return
    if state.hero(power.owner).is_in:
        for ability in abilities(power.lines):
            if isinstance(ability.when, lines.Won):
                yield from (one.effect for one in ability.does)


def _bids(state: State) -> int:
    """
    Return the Energy bid on all powers.

    Rule: C11; N10: nothing is paid for a Flaw by whoever gets it.
    """
    if state.house.get("peb") == "all":
        return sum(bid for bids in state.bids.values() for bid in bids.values())
    return sum(power.strength for power in state.powers if power.owner and power.kind != "flaw")


def _shared(state: State, power: Power, effect: lines.Gain | lines.Lose, auction: _Auction, why: Why) -> State:
    living = tuple(hero.seat for hero in state.living)
    scene = Scene(state=state, fighting=living, energy=auction.energy)
    view = View(scene=scene, me=power.owner, power=power, names={"bids": auction.bids})
    for share in of_kind(deeds(effect, view), EnergyChange):
        why[share.on].append((share.by, share.amount))
        state = with_energy(state, share.on, state.hero(share.on).energy + share.amount)
    return state


def _given(state: State, power: Power, named: str, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """
    Hand a power to whom its winner named, else to an opponent by lot; it is a Curse from then on.

    Rule: C6, C7.
    """
    others = [str(hero.seat) for hero in state.living if state.player(hero.seat) != power.owner]
    if not others or not is_handed_on(state):
        return state, ()
    to = named if named in others else dice.pick(f"won {power.key}", others)
    state, events = application.rework(with_power(state, _change(power, kind="curse")), [Give(power.key, to)])
    return state, tuple(_change(event, rule="C7") for event in events)


def _drawn(state: State, power: Power, card: Power | None) -> tuple[State, tuple[Event, ...]]:
    """
    Hand over what was drawn from the deck, with the Power Strength of the one that draws.

    Rule: C10.
    """
    hero = state.names[power.owner]
    if card is None:
        facts = {"hero": hero, "number": power.key, "name": power.name}
        return state, (Event(kind="deck_empty", to=EVERYONE, facts=facts, rule="C10"),)
    card = _change(card, owner=power.owner, strength=power.strength, fate="")
    others = tuple(one for one in state.powers if one.key != card.key)
    state = _change(state, powers=(*others, card))
    drawn: Facts = {"hero": hero, "number": card.key, "name": card.name, "kind": card.kind, "text": card.text}
    drawn |= {"strength": card.strength, "by": power.name}
    return state, (Event(kind="power_drawn", to=EVERYONE, facts=drawn, rule="C10"),)


def _edited(state: State, power: Power, auction: _Auction) -> tuple[State, tuple[Event, ...]]:
    """
    Change the number that the winner asked for, the first wish that can be fulfilled; else say why not.

    Rule: C13.
    """
    reasons = []
    for wish in auction.wish(power).edits:
        other = state.power(auction.mine(power.owner, wish.power))
        asked = auction.state.power(wish.power)
        if other is None or not other.in_play:
            reasons.append(f"{state.names[power.owner]} did not win {asked.name if asked else wish.power}.")
        elif wish.what not in numbers.in_text(other.text):
            reasons.append(f"There is no {wish.what} in {other.name} any more.")
        else:
            return _reworded(state, power, other, wish)
    if not reasons:
        return state, ()
    facts = {"hero": state.names[power.owner], "number": power.key, "name": power.name, "because": " ".join(reasons)}
    owner = Only((Seat(power.owner),))
    events = [Event(kind="edit_idle", to=to, facts=facts, rule="C13") for to in (owner, MODERATOR_ALONE)]
    return state, tuple(events)


def _reworded(state: State, power: Power, other: Power, wish: Edit) -> tuple[State, tuple[Event, ...]]:
    text = numbers.changed_text(other.text, wish.what, wish.how, state.house)
    found: str | phrases.Unread = ""
    if other.lines:
        found = numbers.changed_lines(other.text, other.lines, wish.what, wish.how, state.house)
    formal = "" if isinstance(found, phrases.Unread) else found
    facts: Facts = {"number": other.key, "name": other.name, "hero": state.names[power.owner], "by": power.name}
    facts |= {"how": wish.how, "what": wish.what, "text": text}
    events = [Event(kind="power_edited", to=EVERYONE, facts=facts, rule="C13")]
    if isinstance(found, phrases.Unread) and runs(other.lines):
        events.append(Event(kind="power_manual", to=EVERYONE, facts=facts, rule="C13"))
        events.append(
            Event(kind="lines_lost", to=MODERATOR_ALONE, facts=facts | {"because": found.because}, rule="C13")
        )
    return with_power(state, _change(other, text=text, lines=formal)), tuple(events)
