"""One round from declarations to the next roll: who is asked, what is dropped, who is hit, who goes down."""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Facts, Given, Outcome, Reckoning, Seat
from pbem.rulesets.brawl import facts
from pbem.rulesets.brawl.options import clashes
from pbem.rulesets.brawl.order import Add, Attack, Defend, Delay, Drop, GiftUse, Order, RoundOrder
from pbem.rulesets.brawl.round import asking, blows, declaring, dropping, ending, knocks, news, old_turn, rolling, ruled
from pbem.rulesets.brawl.round.declarations import Declared, Dropped, Table
from pbem.rulesets.brawl.round.farewell import charted, farewell
from pbem.rulesets.brawl.state import BUFFER, COOP, Die, State, cleared


def adjudicate(
    state: State, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice, *, is_told: bool = True
) -> Outcome[State]:
    """
    Close a round: stop at whoever wants to be asked and has not been, or resolve it once all have declared.

    Shape: where nobody reads the report, as `is_told` says, declarations, standings and news are left out of it.
    Rule: K5, K23, M1, M2, M5.
    """
    state, orders, given = old_turn.whole(state, orders, given)
    plans, asked = asking.sent(state, orders, given.answers)
    table = declaring.declare(state, plans, asked)
    if table.asks:
        return Outcome(state=asking.stopped(state, table.asks, table, plans), verdicts=(), events=(), asks=True)
    after = declaring.without(state, declaring.leavers(plans))
    return _resolve_round(after, table, given, dice, _departures(state, after), is_told=is_told)


def _departures(before: State, after: State) -> list[Event]:
    """Return an event for each fighter who has resigned. Rule: M5."""
    left = [one for one in after.fighters if one.gone and not before.fighter(one.seat).gone]
    return [Event(kind="left", to=EVERYONE, facts={"seat": str(one.seat), "who": one.name}, rule="M5") for one in left]


def _resolve_round(
    state: State, table: Table, given: Given, dice: Dice, left: list[Event], *, is_told: bool
) -> Outcome[State]:
    """Resolve a round in which all have declared, from what was dropped to the next roll. Rule: K5, K23."""
    sums = Reckoning(given.pinned)
    events = left + (_declarations(state, table) if is_told else [])
    step = dropping.resolve(state, table, sums, dice)
    struck, wounds, landed = blows.resolve(step, table, sums)
    saved, knocked, falls = knocks.saves(struck, wounds, sums, dice)
    done, effects = ruled.do(saved, given.effects)
    quiet = 0 if any(wound.after != wound.before for wound in wounds) else state.quiet + 1
    done = msgspec.structs.replace(_keep_delayed(done, table), quiet=quiet)
    came, calls = ending.police(done, sums, dice)
    events += [*step.events, *landed, *falls, *effects, *calls]
    result = ending.result(done, knocked, came)
    between: Sequence[Event] = ()
    if not result:
        done, between = knocks.between_rounds(done, knocked, sums, dice)
    if is_told:
        lead, stories = news.lead(state, done, events, result)
        events.insert(0, lead)
        done = msgspec.structs.replace(done, stories=stories)
    rested = charted(done)
    if result:
        after = cleared(rested, "over")
        last = [Event(kind="ended", to=EVERYONE, facts={"how": result.how, "rounds": state.round}, rule="K-z")]
        last += farewell(rested, result)
    else:
        events += between
        after, rolls = rolling.begin_round(msgspec.structs.replace(rested, round=state.round + 1), dice)
        last = list(rolls)
    standings = [_standings(state, rested)] if is_told else []
    events += [*standings, *_clashes(state), *last, *_idle_rulings(state, sums)]
    return Outcome(state=after, verdicts=tuple(sums.verdicts), events=tuple(events), result=result)


def _clashes(state: State) -> list[Event]:
    """Say how a game goes on that was founded with house rules which are refused today. Rule: K28."""
    found = clashes(state.house, len(state.fighters))
    return [Event(kind="clash", to=EVERYONE, facts={"says": one.instead}, rule="K28") for one in found if one.instead]


def _idle_rulings(state: State, sums: Reckoning) -> list[Event]:
    """Return events that tell the moderator which rulings met no fact, with names for seats."""
    return [
        msgspec.structs.replace(event, facts={"key": facts.label(state, event.facts["key"])}) for event in sums.idle()
    ]


def _keep_delayed(state: State, table: Table) -> State:
    """Return the state in which everybody has only the dice that were delayed. Rule: K13."""
    held = {
        seat: tuple(Die("", one.dice[letter].value, use, "delayed") for letter, use in one.delays)
        for seat, one in table.declared.items()
    }
    fighters = [msgspec.structs.replace(one, dice=held.get(one.seat, ()), initiative=0) for one in state.fighters]
    return msgspec.structs.replace(state, fighters=tuple(fighters))


def _declarations(state: State, table: Table) -> list[Event]:
    """Return events for what was declared, from the slowest fighter to the fastest."""
    return [Event(kind="declared", to=EVERYONE, facts=row, rule="K5") for row in declared_rows(state, table)]


def declared_rows(state: State, table: Table) -> list[Facts]:
    """
    Return what was declared, a row for each seat, in the order in which it happened.

    Shape: where one of them gave a die to a slower fighter, what became of it stands in a row of its own behind.
    Rule: K5, K18, M2.
    """
    rows: list[Facts] = []
    late = [(drop, declared, use) for declared in table.declared.values() for drop, use in _gifts(table, declared)]
    late = sorted((one for one in late if _turn_of(table, one[0]) != one[1].seat), key=lambda one: one[0].number)
    for seat, declared in table.declared.items():
        mine = [(drop, use) for drop, use in _gifts(table, declared) if _turn_of(table, drop) == seat]
        if state.fighter(seat).dice or mine:
            lines = [*_own_lines(state, declared), *_gift_lines(state, declared, mine)]
            rows.append(_row(state, declared, lines or ["does nothing"]))
        for drop, other, use in late:
            if _turn_of(table, drop) == seat:
                rows.append(_row(state, other, _gift_lines(state, other, [(drop, use)])))
    return rows


def _row(state: State, declared: Declared, lines: list[str]) -> Facts:
    is_first = any(isinstance(order, Attack) for order in declared.chosen)
    return {"seat": declared.seat, "who": state.fighter(declared.seat).name, "lines": lines, "attacks": is_first}


def _gifts(table: Table, declared: Declared) -> list[tuple[Dropped, GiftUse]]:
    """Return the drops that gave dice to a seat, each with what the seat did with that die."""
    return [(table.drops[number], use) for number, use in zip(declared.gifts.values(), declared.late, strict=True)]


def _turn_of(table: Table, drop: Dropped) -> str:
    """Return the seat in whose turn a given die is used: the receiver, or a faster fighter from whom it came."""
    places = list(table.declared)
    turns = [drop.on, drop.seat]
    while drop.letter in table.declared[drop.seat].gifts:
        drop = table.drops[table.declared[drop.seat].gifts[drop.letter]]
        turns.append(drop.seat)
    return max(turns, key=places.index)


def _own_lines(state: State, declared: Declared) -> list[str]:
    """Return what a seat declared with its own dice, in words that name the dice and what they show."""
    return [_line(state, declared, order) for order in declared.chosen]


def _gift_lines(state: State, declared: Declared, gifts: Sequence[tuple[Dropped, GiftUse]]) -> list[str]:
    """Return what a seat did with given dice."""
    letters = {number: letter for letter, number in declared.gifts.items()}
    lines = []
    for drop, use in gifts:
        die = declared.dice[letters[drop.number]]
        lines.append(f"with {die.label}, from {state.fighter(drop.seat).name}: {_gift_use(state, declared, use)}")
    return lines


def _line(state: State, declared: Declared, order: RoundOrder) -> str:
    def dice(letters: Sequence[str]) -> str:
        return " ".join(declared.dice[letter].label for letter in letters)

    match order:
        case Attack():
            return f"hits at {state.fighter(order.on).name} with {dice(order.dice)}, {dice(order.damage)} to hurt"
        case Defend():
            vs = f" against {state.fighter(order.vs).name}" if order.vs else ""
            return f"guards with {dice(order.dice)}{vs}"
        case Delay():
            return f"keeps {dice((order.die,))} for {order.use}"
        case _:
            assert isinstance(order, Drop)
            return f"drops {dice((order.die,))}: {_purpose(state, order)}"


def _gift_use(state: State, declared: Declared, use: GiftUse) -> str:
    """Say what was done with a given die."""
    match use:
        case Add():
            return f"goes into {use.to} {use.number}"
        case Drop():
            return _purpose(state, use)
        case Attack():
            mine = " ".join(declared.dice[letter].label for letter in use.letters if letter != COOP)
            how = f"hurts, {mine} to hit" if COOP in use.damage else f"hits, {mine} to hurt"
            return f"{how}, at {state.fighter(use.on).name}"
        case Defend():
            return "guards"


def _purpose(state: State, drop: Drop) -> str:
    """Say what a die is dropped for, in words that are no order."""
    on = state.fighter(drop.on).name if drop.on else ""
    match drop.action:
        case "counter":
            return f"counters {'the old ' if drop.old else ''}{drop.what} of {on}"
        case "coop":
            return f"helps {on}"
        case "bind":
            return f"binds {on}"
        case "charge":
            return f"charges in attack {drop.attack}"
        case "move":
            return f"moves to {on}" if on else "steps aside" if drop.what else "moves back in"
        case "pickup":
            return "picks something up"
        case "advantage":
            return "takes advantage"
        case _:
            return f"{drop.action}s"


def _standings(before: State, state: State) -> Event:
    """Return the event that tells how everybody stands."""
    rows = [stand(state, one.seat, before) for one in state.fighters]
    return Event(kind="stands", to=EVERYONE, facts={"rows": rows}, rule="K24")


def stand(state: State, seat: str, before: State | None = None) -> Facts:
    """Return how a fighter stands, as a row of the table that everybody sees."""
    one = state.fighter(seat)
    was = (before or state).fighter(seat)
    return {
        "seat": str(one.seat),
        "name": one.name,
        "team": one.team,
        "base_attack": one.base_attack,
        "base_defense": one.base_defense,
        "endurance": one.endurance,
        "endurance_before": was.endurance,
        "full_endurance": one.full_endurance,
        "health": one.health,
        "health_before": was.health,
        "full_health": one.full_health,
        "buffer": one.buffer,
        "most_buffer": BUFFER,
        "advantage": one.advantage,
        "maneuver": one.maneuver,
        "item": one.item,
        "drunk": one.drunk,
        "dizzy": one.dizzy,
        "down": one.down,
        "away": one.away,
        "group": one.group,
        "gone": one.gone,
        "knocked": one.knocked,
    }
