"""Lines of a brawl: they read back whatever fighters are called, come to rest, and stay sealed before the faster."""

import pytest

from pbem.ruleset import Dice, Given, OrderLine, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.options import DEFAULTS
from pbem.rulesets.brawl.state import Die, Fighter, State
from tests.depth import some

ME, THEM = Seat("seat-one"), Seat("seat-two")
NAMES = (
    "Bud Spencer", "Nobody", "Somebody", "No One", "Max Damage", "Old Bill", "Bud's", "Bud", "With", "Bud Uses It",
    "Using Hands", "If Only", "Or Else", "Me", "Coop", "Pick Up", "Drinks", "Item", "Aside", "Charge", "St. John",
    "Wham!", "Jean-Luc", "Attacked By 2", "Up", "Down", "Health", "Round", "Is Down", "Has Item", "Old", "Ask Me",
    "Attack", "Defend", "Drop", "A", "B2", "I", "Against Bud", "Defends 2",
)  # fmt: skip
LINES = (
    "attack {} with a b damage c", "defend with a vs {}", "drop a counter {} drink", "drop a counter {} old advantage",
    "drop a coop {}", "drop a bind {}", "drop a move to {}", "coop die: attack {} damage a else counter {} drink",
    "if {} attacks me: defend with a", "if {} drops drink and {} has item: drop a drink; drop b bind {} else pass",
    "if {} is down and {} is up and {} defends 2: drop a drink", "if health of {} < 5: drop a drink",
)  # fmt: skip


def made(seat: Seat, name: str, letters: str = "abcd", advantage: int = 0) -> Fighter:
    """Return a fighter with dice of four."""
    dice = tuple(Die(letter, 4) for letter in letters)
    return Fighter(
        seat=seat, name=name, base_attack=7, base_defense=7, endurance=9, full_endurance=9, health=9, full_health=9,
        advantage=advantage, dice=dice,
    )  # fmt: skip


def table(*fighters: Fighter) -> State:
    """Return a round of fighters, the slowest first."""
    order = tuple((one.seat,) for one in fighters)
    return State(house={**DEFAULTS, "groups": "on"}, fighters=fighters, order=order)


@pytest.mark.parametrize("name", some(4, NAMES))
def test_canonical_lines_read_back_whatever_fighters_are_called(name: str) -> None:
    """Lines written of orders about a fighter with an awkward name read as the same orders."""
    state = table(made(THEM, name, advantage=1), made(Seat("seat-three"), "Bud Other"), made(ME, "Ada"))
    for line in LINES:
        orders = RULESET.parse(state, ME, [OrderLine(1, line.replace("{}", THEM))])
        assert not orders.complaints, (line, orders.complaints)
        written = RULESET.format(state, orders.orders)
        again = RULESET.parse(state, ME, [OrderLine(1, text) for text in written])
        assert not again.complaints and again.orders == orders.orders, written


def test_dice_that_are_handed_round_come_to_rest() -> None:
    """K-tt: twelve who give all their dice to the next one, and on, close a round; nobody has a die twice."""
    seats = [Seat(f"s{number:02}") for number in range(12)]
    state = table(*(made(seat, f"Fighter {seat}", "abcdef") for seat in seats))
    plans = {}
    for place, seat in enumerate(seats):
        on = seats[(place + 1) % 12]
        lines = [*(f"drop {letter} coop {on}" for letter in "abcdef"), f"coop die: coop {on} else advantage"]
        parsed = RULESET.parse(state, seat, [OrderLine(1, line) for line in lines])
        assert not parsed.complaints
        plans[seat] = parsed.orders
    outcome = RULESET.adjudicate(state, plans, Given(), Dice(bytes(32)))
    assert sum(one.advantage for one in outcome.state.fighters) == 72


def test_who_is_asked_is_shown_what_slower_ones_declared_and_nothing_else() -> None:
    """M2: what faster fighters have sent stays sealed while somebody is asked."""
    state = table(made(THEM, "Bud"), made(ME, "Ada"), made(Seat("seat-three"), "Terence"))
    lines = {THEM: "drop a drink", ME: "ask me", Seat("seat-three"): "drop a regain"}
    plans = {seat: RULESET.parse(state, seat, [OrderLine(1, line)]).orders for seat, line in lines.items()}
    asked = RULESET.adjudicate(state, plans, Given(), Dice(bytes(32))).state
    assert asked.turn == ME
    assert [row["name"] for row in RULESET.asked(asked, ME)["before"]] == ["Bud"]


def test_what_comes_of_a_given_die_is_told_behind_who_gave_it() -> None:
    """K18, M2: no effect before its cause, also where it goes through other hands, and where somebody is asked."""
    names = ("Bud", "Maria", "Terence")
    state = table(*(made(Seat(name.lower()), name, "ab") for name in names))
    lines = {"bud": "pass\ncoop die: drink", "maria": "pass\ncoop die: coop Bud", "terence": "drop a coop Maria\npass"}
    plans = {
        Seat(seat): RULESET.parse(state, Seat(seat), [OrderLine(1, line) for line in said.split("\n")]).orders
        for seat, said in lines.items()
    }
    outcome = RULESET.adjudicate(state, plans, Given(), Dice(bytes(32)))
    told = [(event.facts["who"], event.facts["lines"]) for event in outcome.events if event.kind == "declared"]
    assert told == [
        ("Bud", ["does nothing"]),
        ("Maria", ["does nothing"]),
        ("Terence", ["drops a4: helps Maria"]),
        ("Maria", ["with c4, from Terence: helps Bud"]),
        ("Bud", ["with c4, from Maria: drinks"]),
    ]


def test_who_is_asked_learns_which_dice_are_theirs() -> None:
    """K18: given dice are named as orders will call them, behind one's own, with who gave them."""
    state = table(made(THEM, "Bud"), made(Seat("seat-three"), "Terence"), made(ME, "Ada", "ab"))
    lines = {THEM: "drop a coop Ada; drop b drink", ME: "ask me", Seat("seat-three"): "drop c coop Ada"}
    plans = {seat: RULESET.parse(state, seat, [OrderLine(1, line)]).orders for seat, line in lines.items()}
    asked = RULESET.adjudicate(state, plans, Given(), Dice(bytes(32))).state
    assert RULESET.asked(asked, ME)["given"] == [{"who": "Bud", "die": "c4"}, {"who": "Terence", "die": "d4"}]
    assert RULESET.asked(asked, THEM)["given"] == []


def test_sums_stay_where_another_line_has_an_if() -> None:
    """Of a condition both ways are reckoned, with what stands without one; what is left out has none. All dice are fours."""
    state = table(made(THEM, "Bud"), made(ME, "Ada", "abcde"))
    lines = (
        "attack Bud with a damage b", "if Bud attacks me: defend with c else attack Bud with c damage d",
        "if Bud drinks: defend with a", "coop die: drink", "pass",
    )  # fmt: skip
    orders = RULESET.parse(state, ME, [OrderLine(n, line) for n, line in enumerate(lines, 1)]).orders
    assert [row["sums"] for row in RULESET.hand(state, ME, orders)["rows"]] == [
        ["7 + 8 = 15, damage 8"],
        ["then 7 + 12 = 19", "otherwise 7 + 12 = 19, damage 4"],
        [],
        [],
        [],
    ]
