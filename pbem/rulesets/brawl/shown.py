"""What a seat sees before a phase closes: the pools, how all stand, the set on hand; decides nothing."""

from collections.abc import Sequence

from pbem.ruleset import Facts
from pbem.rulesets.brawl import absent, sets
from pbem.rulesets.brawl.order import Attack, CoopDie, Defend, Drop, If, Order
from pbem.rulesets.brawl.round import adjudication, declaring
from pbem.rulesets.brawl.round.asking import question
from pbem.rulesets.brawl.round.declarations import set_factors
from pbem.rulesets.brawl.round.rolling import LETTERS
from pbem.rulesets.brawl.state import State


def asked(state: State, seat: str) -> Facts:
    """
    Return the facts for `asked.j2`.

    Shape: `rows` are all fighters as they stand, `pools` the dice of those who declare, the slowest first; `mine` are
    the letters of the seat's dice. Where it is the seat's turn, `before` is what slower fighters declared, and `silent`
    what counts if it sends nothing. `feared` is the fastest of the slower foes.
    """
    me = state.fighter(seat)
    slower = [one for rank in state.order[: max(0, state.rank(seat))] for one in rank]
    foes = [one for one in slower if state.side(one) != state.side(seat)]
    return {
        "kind": state.phase,
        "round": state.round,
        "seat": seat,
        "me": me.name,
        "is_up": me.is_up,
        "away": me.away,
        "down": me.down,
        "is_pub": state.is_pub,
        "house": dict(state.house),
        "rows": [adjudication.stand(state, one.seat) for one in state.fighters],
        "pools": [_pool(state, one, place) for place, one in enumerate(_by_place(state), 1)],
        "given": _given(state, seat),
        "owed": [die.label for die in sets.owed(state, me)],
        "owes": state.declares(seat),
        "mine": [die.full_label for die in me.dice],
        "letters": [die.letter for die in me.dice],
        "others": [one.name for one in state.fighters if one.seat != seat and not one.gone],
        "slower": [state.fighter(one).name for one in slower],
        "feared": state.fighter((foes or slower)[-1]).name if slower else "",
        "before": _before(state, seat),
        "silent": [order.write(state) for order in absent.missing(state, seat)] if state.turn == seat else [],
    }


def _by_place(state: State) -> list[str]:
    return [seat for rank in state.order for seat in rank]


def _pool(state: State, seat: str, place: int) -> Facts:
    one = state.fighter(seat)
    dice = [die.full_label for die in one.dice]
    return {"name": one.name, "dice": dice, "initiative": one.initiative, "place": place}


def _before(state: State, seat: str) -> list[Facts]:
    """Return what the fighters before the seat have declared, where it is asked."""
    rows = adjudication.declared_rows(state, question(state).seen) if state.turn == seat else ()
    return [{"name": row["who"], "lines": row["lines"]} for row in rows]


def _given(state: State, seat: str) -> list[Facts]:
    """Return the dice that slower fighters gave to the seat that is asked, with their letters and givers."""
    if state.turn != seat:
        return []
    drops = [one for one in question(state).seen.drops if one.action == "coop" and one.on == seat]
    letters = LETTERS[len(state.fighter(seat).dice) :]
    return [
        {"who": state.fighter(drop.seat).name, "die": f"{letter}{drop.die}"}
        for letter, drop in zip(letters, drops, strict=False)
    ]


def hand(state: State, seat: str, orders: Sequence[Order]) -> Facts:
    """
    Return the facts for `hand.j2`.

    Shape: a row for each line, with what it comes to, of a condition both ways; `idle` are dice that no line uses, and
    `filled` those of them that are used as silence would use them, by what for, if nobody else does anything; `depends`
    says that a condition may change that.
    """
    me = state.fighter(seat)
    used = {letter for _, one in sets.flat(orders) for letter in one.letters}
    used |= {letter for order in orders if isinstance(order, CoopDie) for use in order.uses
             if isinstance(use, Attack) for letter in use.letters}  # fmt: skip
    done = declaring.filled_alone(state, seat, orders)
    filled = {
        "move": {order.die for order in done if isinstance(order, Drop) and order.action == "move"},
        "defend": {letter for order in done if isinstance(order, Defend) for letter in order.letters},
        "maneuver": {order.die for order in done if isinstance(order, Drop) and order.action == "maneuver"},
    }
    return {
        "kind": state.phase,
        "me": me.name,
        "rows": [_row(state, seat, orders, order) for order in orders],
        "idle": [die.full_label for die in me.dice if die.letter not in used],
        "filled": {
            what: [die.full_label for die in me.dice if die.letter in letters and die.letter not in used]
            for what, letters in filled.items()
        },
        "depends": any(isinstance(order, If) for order in orders),
        "lost": [die.full_label for die in me.dice if die.letter not in used and die.use],
    }


def _row(state: State, seat: str, orders: Sequence[Order], order: Order) -> Facts:
    sums: list[str] = []
    if isinstance(order, If):
        for word, branch in (("then", order.then), ("otherwise", order.otherwise)):
            plan = _plain(orders, order, branch)
            found = [_sum(state, seat, plan, one) for one in branch if isinstance(one, Attack | Defend)]
            sums += [f"{word} {text}" for text in found if text]
    elif isinstance(order, Attack | Defend):
        sums = [_sum(state, seat, _plain(orders), order)]
    return {"line": order.write(state), "sums": [text for text in sums if text], "if": isinstance(order, If)}


def _plain(orders: Sequence[Order], met: If | None = None, branch: Sequence[Order] = ()) -> list[Order]:
    """Return the unconditional orders, with those of one branch in the place of its condition."""
    found: list[Order] = []
    for order in orders:
        if order is met:
            found += branch
        elif not isinstance(order, If | CoopDie):
            found.append(order)
    return found


def _sum(state: State, seat: str, orders: Sequence[Order], order: Attack | Defend) -> str:
    """Return what an action adds up to if nobody changes it and no other condition holds; "" if it is left out."""
    me, declared = state.fighter(seat), declaring.declare_alone(state, seat, orders)
    if order not in declared.chosen:
        return ""
    factors = set_factors(declared, declared.dice)
    counts = {letter: declared.dice[letter].value * by for letter, by in factors.items()}
    used = [counts[letter] for letter in order.dice if letter in counts]
    base = me.base_attack + me.advantage if isinstance(order, Attack) else me.base_defense + me.maneuver
    text = f"{' + '.join(map(str, [base, *used]))} = {base + sum(used)}"
    if isinstance(order, Attack):
        boosts = state.house["sets_boost_damage"] == "yes"
        hurting = [counts.get(one, 0) if boosts else declared.dice[one].value for one in order.damage]
        text += f", damage {' + '.join(map(str, hurting))}"
    return text
