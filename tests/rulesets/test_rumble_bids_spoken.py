"""Bids as people say them: each wording is one bid or is asked about, and nothing of a line is lost."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Complaint, OrderLine
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.state import Power, State
from tests.depth import some
from tests.listening.clauses import CLAUSES
from tests.rulesets.test_rumble_spoken import ADA, AMOUNTS, AROUND, BETWEEN, in_words, state_in

NAMES = ("Tough Skin", "Ink Cloud", "Clumsy", "X-Ray Eyes", "The Last Laugh", "Dr. Doom's Ring")
POWERS = tuple(Power(number, name, "You do something.") for number, name in enumerate(NAMES, 1))
BIDS = (
    "bid {p} {n}", "{p} {n}", "{p}: {n}", "{p} = {n}", "{p} -> {n}", "{p} - {n}", "{p}, {n}", "{n} on {p}", "{n} for {p}",
    "{n} {p}", "bid {n} on {p}", "I bid {n} for {p}", "I'd like to bid {n} on {p}", "my bid on {p} is {n}", "{n} -> {p}",
    "I offer {n} for {p}", "I want {p} for {n}", "bet {n} on {p}", "put {n} on {p}", "{p} for {n}", "up to {n} for {p}",
    "{p} {n} max", 'bid "{p}" {n}', "spend {n} on {p}", "biete {n} auf {p}", "{p}{n}", "take {p} for {n}", "{p} gets {n}",
)  # fmt: skip
TIES = (
    " then {m}", ", then {m}", ", then {m} if tied", ", {m} if tied", " ({m} if tied)", ", if tied {m}", ", and {m} if it's a tie",
    ", in case of a tie {m}", " or {m} if there is a tie", ", {m} in case of a tie", ", then {m} if we are tied", "; {m} if tied",
)  # fmt: skip
amounts = st.integers(2, 60)
powers = st.sampled_from(NAMES)


def auction(*tied: str, names: Sequence[str] = NAMES) -> State:
    """Return the auction, or where some are tied the next one."""
    pool = tuple(Power(number, name, "You do something.") for number, name in enumerate(names, 1))
    ties = {power.key: (ADA, "bo") for power in pool if power.name in tied}
    return msgspec.structs.replace(state_in(), powers=pool, ties=ties, round=0, phase="rebid" if tied else "auction")


def read(state: State, *lines: str) -> tuple[tuple[str, ...], tuple[Complaint, ...]]:
    """Read lines of Ada's."""
    found = RULESET.parse(state, ADA, [OrderLine(number, line) for number, line in enumerate(lines, 1)])
    return tuple(sorted(RULESET.format(state, found.orders))), found.complaints


def meant(*bids: tuple[str, object]) -> tuple[str, ...]:
    """Return bids as `read` does."""
    found, complaints = read(auction(), *(f"bid {name} {said}" for name, said in bids))
    assert not complaints
    return found


@given(st.sampled_from(BIDS), powers, amounts, st.sampled_from(AMOUNTS), st.sampled_from(AROUND))
def test_a_bid_in_other_words_is_that_bid(form: str, name: str, number: int, how: str, around: str) -> None:
    """Whatever stands around it, and however the number is written; or it is asked about."""
    bare, complaints = read(auction(), form.format(p=name, n=number))
    assert bare == meant((name, number)), complaints
    written = how.format(n=number, words=in_words(number))
    orders, complaints = read(auction(), around.format(form.format(p=name, n=written)))
    assert orders == meant((name, number)) or (not orders and complaints)


@given(st.sampled_from(BIDS), st.sampled_from(TIES), powers, amounts, st.integers(1, 30))
def test_what_is_bid_in_a_tie_counts_in_a_tie_alone(form: str, tie: str, name: str, number: int, more: int) -> None:
    """The condition stands behind a bid that is made without it, or the line is asked about."""
    line = form.format(p=name, n=number) + tie.format(m=number + more)
    orders, complaints = read(auction(), line)
    assert orders == meant((name, f"{number} then {number + more}")) or (not orders and complaints), line
    if form == "{p}: {n}" and ";" not in tie:
        assert not complaints


@given(st.lists(st.tuples(st.sampled_from(BIDS), powers, amounts), min_size=2, max_size=4, unique_by=lambda one: one[1]),
       st.sampled_from(BETWEEN))  # fmt: skip
def test_several_bids_on_a_line_are_all_of_them_or_none(bids: list[tuple[str, str, int]], between: str) -> None:
    """None is lost and none is made up, whatever stands between."""
    line = between.join(form.format(p=name, n=number) for form, name, number in bids)
    orders, complaints = read(auction(), line)
    assert orders == meant(*((name, number) for _, name, number in bids)) or (not orders and complaints)


@given(st.lists(st.tuples(powers, amounts), min_size=1, max_size=4, unique_by=lambda one: one[0]), st.booleans())
def test_a_row_of_bids_needs_no_marks_between(bids: list[tuple[str, int]], is_first: bool) -> None:
    """Whether each number stands before its power, or each behind it."""
    line = " ".join(f"{number} {name}" if is_first else f"{name} {number}" for name, number in bids)
    assert read(auction(), line) == (meant(*bids), ())


ALL = (
    "{n} on everything",
    "bid {n} on all powers",
    "everything {n}",
    "{n} for each power",
    "{n} on each",
    "{n} on every power",
)
OTHERS = (
    "{n} on everything else",
    "{n} on the rest",
    "rest {n}",
    "all others {n}",
    "bid {n} on all the other powers",
    "{n} for the others",
)
NOTHING = (
    "nothing else",
    "nothing on the rest",
    "no bids otherwise",
    "0 on the rest",
    "nothing on anything else",
    "the rest: nothing",
)


@given(st.sampled_from(ALL), amounts)
def test_a_bid_on_everything_is_one_on_each(form: str, number: int) -> None:
    """In a tie, on each that is tied."""
    assert read(auction(), form.format(n=number)) == (meant(*((name, number) for name in NAMES)), ())
    tied = auction("Ink Cloud", "Clumsy")
    assert read(tied, form.format(n=number))[0] == (f"bid Clumsy {number}", f"bid Ink Cloud {number}")


@given(st.lists(st.tuples(powers, amounts), min_size=1, max_size=4, unique_by=lambda one: one[0]),
       st.sampled_from(OTHERS), amounts, st.sampled_from(NOTHING), st.booleans())  # fmt: skip
def test_the_others_are_those_that_no_other_line_names(
    bids: list[tuple[str, int]], form: str, number: int, nothing: str, on_one_line: bool
) -> None:
    """Wherever it stands; beside a line that is not read, or another of its kind, it is asked about."""
    lines = [f"{name} {amount}" for name, amount in bids]
    named = {name for name, _ in bids}
    whole = meant(*bids, *((name, number) for name in NAMES if name not in named))
    said = form.format(n=number)
    put = (lambda *texts: (", ".join(texts),)) if on_one_line else (lambda *texts: texts)
    assert read(auction(), *put(*lines, said)) == (whole, ())
    assert read(auction(), *put(*lines, nothing)) == (meant(*bids), ())
    for beside in ("frobnicate 20", said):
        orders, complaints = read(auction(), *lines, said, beside)
        assert orders in (meant(*bids), ()) and complaints


@pytest.mark.parametrize("form", some(4, ["{}", "{} this time", "{} again", "{} then", "I bid {}", "make it {}", "now {}", "{} it is",
                                  "let's say {}", "my bid is {}", "{} for me", "up to {}", "{} now, please"]))  # fmt: skip
@given(number=amounts)
def test_a_number_alone_is_a_bid_where_one_power_is_tied(form: str, number: int) -> None:
    """As all that a mail says; where two are, it is asked about, and in the auction it is none."""
    for text in (form.format(number), form.format(in_words(number))):
        assert read(auction("Ink Cloud"), text) == ((f"bid Ink Cloud {number}",), ())
        assert not read(auction("Ink Cloud", "Clumsy"), text)[0]
        assert not read(auction(), text)[0]
    assert read(auction("Ink Cloud"), f"{number} then {number + 1}")[0] == (
        f"bid Ink Cloud {number} then {number + 1}",
    )


@given(
    st.sampled_from(BIDS), powers, amounts, st.sampled_from(CLAUSES),
    st.sampled_from((" {}", ", {}", ". {}", " ({})", " - {}", "; {}")), st.booleans(),
)  # fmt: skip
def test_no_clause_on_the_line_of_a_bid_is_dropped(
    form: str, name: str, number: int, clause: str, how: str, first: bool
) -> None:
    """A bid with a condition, a denial or a correction on its line is never taken as if that were not there."""
    said = form.format(p=name, n=number)
    found, complaints = read(auction(), f"{clause}, {said}" if first else f"{said}{how.format(clause)}")
    assert found != meant((name, number)) or complaints, said


@pytest.mark.parametrize(
    "line",
    [
        "Clumsy 10-15", "Clumsy 12?", "Clumsy ~12", "Clumsy 12 unless Bob bids", "Clumsy 12 or Ink Cloud 5", "not Clumsy 12",
        "Clumsy or Ink Cloud 12", "Clumsy and Ink Cloud 12", "5 each", "half on Clumsy", "all on Clumsy", "12 or 15 on Clumsy",
        "Clumsy 12/15", "Clumsy 12, 15", "Clumsy 12 if Bob bids", "15 if tied", "nothing", "12 more on Clumsy", "+5 Clumsy",
        "Clumsy 20%", "Clumsy 12 for Bob", "outbid Bob on Clumsy by 5", "Clumsy -5", "everything except Clumsy 5",
    ],
)  # fmt: skip
def test_what_is_not_clear_is_asked_about(line: str) -> None:
    """Nothing of it is taken."""
    found, complaints = read(auction(), line)
    assert not found and complaints


DISCARDS = ("{w}", ", {w}", " ({w})", "; {w}", " - {w}", ", and {w}", " ({w} it)", ", I {w} that", " and {w} this")


@given(st.sampled_from(BIDS), powers, amounts, st.sampled_from(DISCARDS), st.sampled_from(("discard", "might discard")))
def test_what_is_said_of_discarding_may_stand_in_any_way_behind_a_bid(
    form: str, name: str, number: int, behind: str, word: str
) -> None:
    """In parentheses, behind a dash or a comma: as it is behind the bid's own form; or it is asked about."""
    state = auction()
    wanted, complaints = read(state, f"bid {name} {number} {word.replace('might ', 'maybe-')}")
    assert wanted and not complaints
    tail = behind.format(w=word)
    said = f"{form.format(p=name, n=number)}{tail if tail[0] in ' ,;' else f' {tail}'}"
    orders, complaints = read(state, said)
    assert orders == wanted or (not orders and complaints), said
    assert not form.startswith(("bid", "{p} {n}")) or orders == wanted, (said, complaints)


def waiting(*names: str) -> State:
    """Return the phase in which Ada says what she discards after all, of some powers that she has won."""
    won = tuple(Power(number, name, "You do something.", owner=ADA) for number, name in enumerate(names, 1))
    maybes = {power.key: (ADA,) for power in won}
    return msgspec.structs.replace(state_in(), powers=won, maybes=maybes, round=0, phase="keep")


MINE = ("Metal Face", "Rock and Roll", "Ink Cloud")


@given(
    st.dictionaries(st.sampled_from(MINE), st.booleans(), min_size=1),
    st.sampled_from((", ", " and ", "; ", ", but ", "\n", " & ")),
    st.sampled_from(("", "I ", "I'll ")),
)
def test_what_is_kept_and_what_is_discarded_can_be_said_together(said: dict[str, bool], between: str, who: str) -> None:
    """What is not named is kept; a power whose name has an `and` in it is no two."""
    state = waiting(*MINE)
    lines = between.join(
        f"{who if between == chr(10) else ''}{'keep' if kept else 'discard'} {name}" for name, kept in said.items()
    )
    orders, complaints = read(state, *f"{who if between != chr(10) else ''}{lines}".split("\n"))
    gone = [name for name, kept in said.items() if not kept]
    wanted, _ = read(state, *([f"discard {name}" for name in gone] or ["pass"]))
    assert (orders, complaints) == (wanted, ())


@pytest.mark.parametrize("said", [("keep Metal Face", "discard Metal Face"), ("keep Ink Cloud, discard Ink Cloud",)])
def test_what_is_kept_and_discarded_too_is_asked_about(said: Sequence[str]) -> None:
    """Whichever comes first."""
    _, complaints = read(waiting(*MINE), *said)
    assert [one.fault for one in complaints] == ["ambiguous"] and "Say which you mean" in complaints[0].because


@pytest.mark.parametrize("said", ["keep", "keep it", "keep both", "I'll keep them", "keep everything", "pass"])
def test_all_can_be_kept_in_a_word(said: str) -> None:
    """As `pass` does."""
    assert read(waiting(*MINE), said) == read(waiting(*MINE), "pass")
