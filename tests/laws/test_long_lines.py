"""Law: whatever is written, twice as much of it takes no more than twice as long to read, in every phase and role."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec
import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.incoming import moderator_mail, player_mail
from pbem.table.model import seating
from pbem.table.model.table import Table
from tests.depth import every
from tests.laws.test_lines_of_a_mail import received, table_at

SEATS = {Seat("ada"): "Ada", Seat("bo"): "Doctor Cuttlefish", Seat("cy"): "Plastiquegirl"}
PHASES = {"powers": "rumble", "auction": "rumble", "round": "rumble", "brawl": "brawl", "list": "discs"}


@cache
def open_table(phase: str) -> Table:
    """Return the table of a game of three in a phase; in rounds each hero has powers."""
    ruleset = rulesets_known()[PHASES[phase]]
    house = {option.name: option.default for option in ruleset.options} | ({"game": "pub"} if phase == "brawl" else {})
    dealt = {name: list(SEATS)[place % 3] for place, name in enumerate(ruleset.dealable()[:12])}  # type: ignore[attr-defined]
    state = ruleset.setup(SEATS, house, Dice(bytes(32)))
    if phase in ("auction", "round"):
        state = ruleset.begin(SEATS, house, dealt, Dice(bytes(32)))  # type: ignore[attr-defined]
    if phase == "auction":
        powers = tuple(msgspec.structs.replace(power, owner="") for power in state.powers)
        state = msgspec.structs.replace(state, phase="auction", round=0, powers=powers)
    table = msgspec.structs.replace(table_at("open"), ruleset=ruleset, state=state, phase=ruleset.phase(state))
    return msgspec.structs.replace(table, base=table)


def play(phase: str) -> Callable[[Sequence[str]], object]:
    """Return what reads a player's lines in a phase."""
    return lambda lines: player_mail.take(open_table(phase), Seat("ada"), received(lines))


def rule(phase: str, status: str = "open") -> Callable[[Sequence[str]], object]:
    """Return what reads a moderator's lines in a phase."""
    return lambda lines: moderator_mail.rule(open_table(phase), received(lines))


READERS: Mapping[str, tuple[Callable[[Sequence[str]], object], tuple[str, ...]]] = {
    "powers": (play("powers"), ("power: ", "power X: ", "text: ", "type: ", "")),
    "auction": (play("auction"), ("bid P02 ", "bid ", "if win P02: ", "")),
    "round": (
        play("round"),
        ("attack ", "defend ", "use P02 ", "if my energy < 5: ", "block ", "plan ", "hero ", "discard ", "hold ",
         "captions: ", "sidekick: ", "never ", "move ", "for Round 5: ", "press to ", "press to all: ", "zone ", ""),
    ),
    "brawl": (play("brawl"), ("attack ", "defend ", "drop ", "delay ", "coop die: ", "if ", "a ", "")),
    "list": (
        play("list"),
        ("throw at ", "attack ", "move to ", "hold ", "card 1: ", "if d within 12: ", "on disc: ", "recall: ", ""),
    ),
    "moderator, powers": (rule("powers"), ("reword P01: ", "power P01 = ", "veto ", "")),
    "moderator, round": (
        rule("round"),
        ("do ", "do attack(", "do deal 5 to ", "ignore attack of ", "set ", "overrule V1 = ", "order Ada: ", "note ",
         "strike Ada: ", "extend ", "deadline ", "power P01 = do: ", "use P01 as ", "excuse ", "undo ", "pause ", ""),
    ),
    "somebody": (lambda lines: seating.wish([OrderLine(1, line) for line in lines]), ("join ", "join tide-1 as ", "")),
}  # fmt: skip
FRAGMENTS = (
    ", ", "because ", "because", "on ", "x 2 ", "x = 2 ", "and ", "if ", "else ", "or ", "not ", "( ", ") ", ": ", "; ",
    "= ", "P02 ", "Ada ", "5 ", "a b ", "to ", "from ", "then ", "spend 5 ", "discarding ", "attack(", "do: ", "when: ",
    "- ", "1.1.", "vs ", "damage b ", "also; ", '"', "\t", "ä", "A", "of ",
)  # fmt: skip
SHAPES: Mapping[str, Callable[[str, str, int], list[str]]] = {
    "one line": lambda head, bit, n: [head + bit * (n // len(bit))],
    "full lines": lambda head, bit, n: [(head + bit * 500)[:490]] * (n // 490),
    "lines that go on": lambda head, bit, n: [f"{(head + bit * 100)[:95]},"] * (n // 96),
    "a block": lambda head, bit, n: ["power P01 =", *[(head + bit * 100)[:95]] * (n // 95), "end because so"],
}
"""Up to 500 lines and 50,000 characters, which is all that is read of a mail."""


def work(read: Callable[[Sequence[str]], object], lines: Sequence[str], tries: int = 1) -> float:
    """Return the seconds of processor time that it takes to read lines, the least of some tries."""
    best = 1e9
    for _ in range(tries):
        start = time.process_time()
        read(lines)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("share", [37, pytest.param(1, marks=[pytest.mark.sweep, pytest.mark.timeout(300)])])
@pytest.mark.parametrize("reader", READERS)
def test_no_line_takes_long_however_long_it_is(reader: str, share: int) -> None:
    """
    A line of 24,000 characters, and one just short enough to be read, with every word that patterns look for.

    Each beginning of a line with one of them; a sweep tries them all.
    """
    read, heads = READERS[reader]
    for place, head in enumerate(heads):
        for bit in FRAGMENTS[place % share :: share]:
            for n in (490, 24_000):
                lines = SHAPES["one line"](head, bit, n)
                assert work(read, lines) < 0.5 or work(read, lines, 3) < 0.5, (reader, head, bit, n)


@pytest.mark.sweep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("reader", READERS)
def test_twice_as_much_takes_twice_as_long(reader: str, shape: str) -> None:
    """
    From 6,000 to 24,000 characters, half of all that is read of a mail, with a twelfth of the words in each shape.

    What is quick says nothing. Four times as much takes four times as long, or sixteen where each character looks at
    all others; a machine that does other work moves either by a half, so the bound lies between them, and what is
    beyond it is measured again, both in turns.
    """
    read, heads = READERS[reader]
    make = SHAPES[shape]
    for place, head in enumerate(heads, list(SHAPES).index(shape)):
        for bit in FRAGMENTS[place % every(12) :: every(12)]:
            long, short = make(head, bit, 24_000), make(head, bit, 6_000)
            longest, least = work(read, long), 0.025
            if longest < 0.1:
                continue
            for _ in range(4):
                least = max(least, work(read, short, 2))
                if longest < 8 * least:
                    break
                longest = min(longest, work(read, long, 2))
            assert longest < 8 * least, (head, bit, least, longest)
            assert longest < 5, (head, bit, least, longest)


def test_what_is_kept_may_be_longer_than_what_was_written() -> None:
    """Names are written out in the words in which a set is kept, and it reads back all the same."""
    line = f"if my energy < 50: {', '.join(['attack d 1'] * 36)}"
    entry = player_mail.take(open_table("round"), Seat("ada"), received([line]))
    assert len(line) < 500 and len(entry.orders[0]) > 1_000 and entry.taken and not entry.complaints
    kept = [OrderLine(1, entry.orders[0])]
    table = open_table("round")
    assert not table.ruleset.parse(table.state, Seat("ada"), kept).complaints


@pytest.mark.parametrize(
    "said", [["attack " + "x" * 500], ["attack d 1", "if my energy < 5: " + "x" * 500 + ",", "defend 3"]]
)
def test_an_order_that_is_too_long_is_refused_with_what_hangs_on_it(said: list[str]) -> None:
    """The answer has its count, and a condition that was too long leaves no order behind without it."""
    entry = player_mail.take(open_table("round"), Seat("ada"), received(said))
    assert any("500 is the most" in one.because and "\ufffd" not in one.text for one in entry.complaints)
    assert not any(line.startswith("defend") for line in entry.orders)
