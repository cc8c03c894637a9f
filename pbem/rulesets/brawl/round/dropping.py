"""Step one of a round: Counters from the fastest to the slowest, then all other drop dice; lands no blow."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Facts, Reckoning
from pbem.rulesets.brawl.round.declarations import Dropped, Table
from pbem.rulesets.brawl.state import BIG, MOST_DRUNK, Fighter, Item, State, with_fighter


class Step(msgspec.Struct, frozen=True):
    """
    A round after its drop dice are done.

    Shape: `state` has what they changed; `lost` are the dice, by seat and letter, that were given and taken away
    again; `charges` are the attacks that have a damage die more, by seat and number; `binds` are pairs of who was
    bound and by whom, the fastest first, and `bound` maps a seat to the binder that counts.
    """

    state: State
    events: tuple[Event, ...] = ()
    lost: frozenset[tuple[str, str]] = frozenset()
    charges: frozenset[tuple[str, int]] = frozenset()
    binds: tuple[tuple[str, str], ...] = ()
    bound: dict[str, str] = {}


def resolve(state: State, table: Table, sums: Reckoning, dice: Dice) -> Step:
    """
    Do all drop dice.

    Shape: who declared last is done first; that is the order from the fastest to the slowest, with a given die at the
    rank of its giver (K23, M2).
    Rule: K14-K23.
    """
    works, lost, stacks = _counters(table, sums, {str(seat): name for seat, name in state.names.items()})
    step = Step(_without(state, stacks), lost=lost)
    rows = []
    for drop in _fastest_first(table.drops):
        facts = _facts(state, table, drop, works, sums)
        if works[drop.number] and drop.action != "counter":
            step = _do(step, drop, facts, sums, dice)
        rows.append(facts)
    step = _bound_by_who_fights(step)
    events = (Event(kind="dropped", to=EVERYONE, facts={"rows": rows}, rule="K23"),) if rows else ()
    return msgspec.structs.replace(step, events=events)


def _fastest_first(drops: Sequence[Dropped]) -> list[Dropped]:
    """Return drops from the last fighter who declared to the first, those of one fighter as they were named."""
    rows = [list(row) for _, row in groupby(drops, key=lambda drop: drop.seat)]
    return [drop for row in reversed(rows) for drop in row]


def _counters(
    table: Table, sums: Reckoning, names: Mapping[str, str]
) -> tuple[dict[int, bool], frozenset[tuple[str, str]], list[tuple[str, str]]]:
    """Return which drops work, which given dice are lost, and which lasting effects end. Rule: K-p, K-q, K-pp."""
    works: dict[int, bool] = {}

    def does(drop: Dropped) -> bool:
        """Say whether a drop works, once it is known of its Counters and of the Coop that gave its die."""
        if drop.number not in works:
            works[drop.number] = True  # for those who ask while it is judged: the faster one comes first
            met = [one for one in reversed(table.drops) if _counters_it(one, drop) and does(one)]
            coop = table.declared[drop.seat].gifts.get(drop.letter)
            gone = coop is not None and not does(table.drops[coop])
            how = f"countered by {names[met[0].seat]}" if met else "its die was taken away again" if gone else ""
            text = f"{drop.action} {drop.nth} of {names[drop.seat]} works"
            works[drop.number] = sums.claim(drop.key, text, not gone and not met, how, "K14")
        return works[drop.number]

    done = [drop for drop in _fastest_first(table.drops) if does(drop)]
    undone = [drop for drop in table.drops if drop.action == "coop" and not works[drop.number]]
    stacks = [(drop.on, drop.what) for drop in done if drop.action == "counter" and drop.target < 0]
    return works, frozenset(pair for drop in undone for pair in _given(table, drop)), stacks


def _counters_it(counter: Dropped, drop: Dropped) -> bool:
    return counter.action == "counter" and counter.target == drop.number


def _given(table: Table, coop: Dropped) -> list[tuple[str, str]]:
    """Return the die, by seat and letter, that a Coop gave."""
    receiver = table.declared.get(coop.on)
    return [(coop.on, letter) for letter, number in receiver.gifts.items() if number == coop.number] if receiver else []


def _without(state: State, stacks: Sequence[tuple[str, str]]) -> State:
    """Return the state without the lasting effects that were countered. Rule: K15, K16, K21."""
    nothing: dict[str, dict[str, Any]] = {
        "advantage": {"advantage": 0}, "maneuver": {"maneuver": 0}, "pickup": {"item": ""},
    }  # fmt: skip
    for seat, what in stacks:
        state = with_fighter(state, msgspec.structs.replace(state.fighter(seat), **nothing[what]))
    return state


def _facts(state: State, table: Table, drop: Dropped, works: dict[int, bool], sums: Reckoning) -> Facts:
    by = [one for one in table.drops if _counters_it(one, drop) and works[one.number]]
    gift = table.declared[drop.seat].gifts.get(drop.letter)
    return {
        "seat": drop.seat,
        "who": state.fighter(drop.seat).name,
        "action": drop.action,
        "die": f"{drop.letter}{drop.die}",
        "on": state.fighter(drop.on).name if drop.on else "",
        "what": drop.what,
        "old": drop.action == "counter" and drop.target < 0,
        "attack": drop.attack,
        "from": state.fighter(table.drops[gift].seat).name if gift is not None else "",
        "works": works[drop.number],
        "by": [state.fighter(one.seat).name for one in by],
        "ruled": sums.pins(drop.key),
        "roll": 0,
        "gained": 0,
        "dizzy": 0,
        "rolled_ruled": False,
        "before": 0,
        "after": 0,
        "health": [0, 0],
    }


def _do(step: Step, drop: Dropped, facts: Facts, sums: Reckoning, dice: Dice) -> Step:
    """Do one drop die that nobody countered, and note in its facts what came of it."""
    change = msgspec.structs.replace
    state, me = step.state, step.state.fighter(drop.seat)
    match drop.action:
        case "advantage":
            me = change(me, advantage=me.advantage + 1)
            facts["after"] = me.advantage
        case "maneuver":
            me = change(me, maneuver=me.maneuver + 1)
            facts["after"] = me.maneuver
        case "regain":
            facts["before"] = me.endurance
            after = regained(state, me, drop.die)
            facts |= {"after": after.endurance, "health": [me.health, after.health]}
            me = after
        case "pickup":
            item: Item = "big" if drop.die >= BIG else "small"
            facts["what"] = item
            me = change(me, item=item)
        case "drink":
            label = f"drink {drop.nth} of {drop.seat}"
            roll = sums.number(
                f"roll of {label}", f"roll of drink {drop.nth} of {me.name}", dice.face(label, 6), "1d6", "K22", least=1
            )
            after = drunk(me, roll)
            facts["rolled_ruled"] = sums.pins(f"roll of {label}")
            facts |= {"roll": roll, "gained": after.health - me.health, "dizzy": after.dizzy - me.dizzy}
            me = after
        case "charge":
            return change(step, charges=step.charges | {(drop.seat, drop.attack)})
        case "bind":
            return change(step, binds=(*step.binds, (drop.on, drop.seat)))
        case "move":
            me = _moved(state, me, drop)
    return change(step, state=with_fighter(state, me))


def regained(state: State, one: Fighter, value: int) -> Fighter:
    """
    Return a fighter after a Regain: Health up to 1 first, then Endurance.

    Rule: K17, K-r, K-t.
    """
    up = min(value, max(0, 1 - one.health), one.full_health - one.health)
    most = one.full_endurance if state.house["regain_cap"] == "start" else one.endurance + value
    endurance = max(one.endurance, min(most, one.endurance + value - up))
    return msgspec.structs.replace(one, health=one.health + up, endurance=endurance)


def drunk(one: Fighter, roll: int) -> Fighter:
    """Return a fighter after a drink. Rule: K22, K-gg, K-hh, K-ii."""
    gained = max(0, min(roll, MOST_DRUNK - one.drunk, one.full_health - one.health))
    return msgspec.structs.replace(
        one, health=one.health + gained, drunk=one.drunk + gained, dizzy=one.dizzy + roll - gained
    )


def _moved(state: State, one: Fighter, drop: Dropped) -> Fighter:
    """Return a fighter who came back into the fight, joined a group, or stepped aside. Rule: K19, K-aa, K-nn."""
    if drop.what == "aside":
        group = 1 + max(fighter.group for fighter in state.fighters)
    else:
        group = state.fighter(drop.on).group if drop.on else one.group
    return msgspec.structs.replace(one, away=False, group=group)


def _bound_by_who_fights(step: Step) -> Step:
    """Return the step with the Binds that count: the fastest by a fighter in the same fight. Rule: K20, K-rr."""

    def holds(seat: str, binder: str) -> bool:
        one, other = step.state.fighter(seat), step.state.fighter(binder)
        return other.fights and one.group == other.group

    bound = {seat: by for seat, by in reversed(step.binds) if holds(seat, by)}
    return msgspec.structs.replace(step, bound=bound)
