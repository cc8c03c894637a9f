"""The Powers phase: makes the pool of the powers that players have invented; knows no bids."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Dice, Event, Given, Outcome, Reckoning
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import PowerRuling
from pbem.rulesets.rumble.model.order import Invent, Order, Orders, Unsigned
from pbem.rulesets.rumble.model.state import PhaseKind, Power, State, distinct
from pbem.rulesets.rumble.powers import deck
from pbem.rulesets.rumble.powers.archive import lines_of
from pbem.rulesets.rumble.powers.engine.meetings import meetings


def merged(held: Sequence[Order], sent: Sequence[Order], each: int) -> Sequence[Order]:
    """
    Return the powers that are meant where some are on hand and fewer than `each` come: these join them.

    Shape: one of a name that is on hand takes its place; what was to stay unsigned does.
    Rule: R17.
    """
    named = {one.name.casefold(): one for one in sent if isinstance(one, Invent)}
    if len(named) >= each:
        return sent
    kept = tuple(named.pop(one.name.casefold(), one) for one in held if isinstance(one, Invent))
    unsigned = tuple(one for one in (*held, *sent) if isinstance(one, Unsigned))[:1]
    return (*kept, *named.values(), *unsigned)


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Make the pool: powers in a drawn order, so that the order betrays no author.

    Shape: `veto P03` and `reword P03: TEXT` among the effects name the numbers of this very draw.
    Rule: R17, B7, B15; C16 for those that are dealt.
    """
    book = Reckoning(given.pinned)
    sent = [(seat, order) for seat, given_ in orders.items() for order in given_ if isinstance(order, Invent)]
    sent.sort(key=lambda pair: (list(state.names).index(pair[0]), pair[1].name))
    dealt = deck.deal(state, [order.name for _, order in sent], dice)
    sent += [("", Invent(card.name, card.text, card.kind)) for card in dealt]
    drawn = dice.shuffle("pool", sent)
    pool = tuple(
        Power(number, order.name, order.text, seat, order.kind, lines=lines_of(order.name, order.text))
        for number, (seat, order) in enumerate(drawn, 1)
    )
    unsigned = tuple(seat for seat, given_ in orders.items() if any(isinstance(one, Unsigned) for one in given_))
    made = msgspec.structs.replace(state, powers=pool, unsigned=unsigned)
    reviewed, review = _reviewed(made, given.effects)
    after = _numbered(reviewed)
    left = after.pool()
    facts = {"count": len(left), "sent": len(pool), "heroes": [hero.name for hero in state.heroes]}
    events = [Event(kind="pool_opened", to=EVERYONE, facts=facts, rule="R17")]
    for power in left:
        pooled = {"number": power.key, "name": power.name, "text": power.text, "kind": power.kind}
        events.append(Event(kind="power_pooled", to=EVERYONE, facts=pooled, rule="R17"))
    events += questions(left)
    opens: PhaseKind = "amend" if state.house.get("amendments") == "yes" else "auction"
    after = msgspec.structs.replace(after, phase=opens if left else "round", round=0 if left else 1)
    return Outcome(state=after, verdicts=tuple(book.verdicts), events=(*events, *review, *book.idle()), result=None)


"""What the moderator can do with powers that nobody has."""


def questions(pool: Sequence[Power]) -> tuple[Event, ...]:
    """Ask the moderator how powers meet; what is not answered stays as the default has it."""
    asked = [(one.rule, {"question": one.question, "default": one.default}) for one in meetings(pool)]
    return tuple(Event(kind="powers_meet", to=MODERATOR_ALONE, facts=facts, rule=rule) for rule, facts in asked)


def _reviewed(state: State, lines: Sequence[str]) -> tuple[State, tuple[Event, ...]]:
    effects, idle = application.gather(state, lines)
    review, other = application.parted(effects, PowerRuling, "Nobody has a power yet.", "B15")
    state, events = application.rework(state, review)
    return state, (*events, *other, *idle)


def _numbered(state: State) -> State:
    """
    Tell powers of the same name apart.

    Rule: B7.
    """
    left = [power for power in state.powers if power.in_play]
    names = dict(zip([power.number for power in left], distinct([power.name for power in left]), strict=True))
    powers = tuple(msgspec.structs.replace(power, name=names.get(power.number, power.name)) for power in state.powers)
    return msgspec.structs.replace(state, powers=powers)
