"""What every ruleset owes, whichever there are: laws that a fifth game is held to without an edit here."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.records import without_none
from pbem.ruleset import Dice, Given, Outcome
from pbem.terms import Seat
from pbem.world.settings import templates
from tests import harbour

RULESETS: dict[str, Any] = {**rulesets_known(), "harbour": harbour.HarbourRules()}
WORDS = {**templates(), **harbour.TEMPLATES}
PARTS = ("opening", "asked", "hand", "report", "private", "final", "handbook")
SEATS = {Seat("ada"): "Ada", Seat("bo"): "Bo", Seat("cy"): "Cy"}


@pytest.fixture(params=sorted(RULESETS))
def ruleset(request: pytest.FixtureRequest) -> Any:
    """Each ruleset in turn."""
    return RULESETS[request.param]


def played(ruleset: Any, phases: int = 12) -> list[tuple[Any, Outcome[Any]]]:
    """Play a game in which nobody sends anything; return each state with its outcome."""
    house = {option.name: option.default for option in ruleset.options}
    state = ruleset.setup(SEATS, house, Dice(bytes(32)))
    found = []
    for number in range(phases):
        dice = Dice(bytes(32)).at(str(number))
        owing = ruleset.phase(state).owing
        orders = {seat: ruleset.missing(state, seat, dice.at(seat)) for seat in owing}
        outcome = ruleset.adjudicate(state, orders, Given(), dice)
        found.append((state, outcome))
        if outcome.result:
            break
        state = outcome.state
    return found


def test_a_state_survives_its_dump(ruleset: Any) -> None:
    """`load` of `dump` is the same state, and the dump is plain TOML."""
    for state, outcome in played(ruleset):
        for held in (state, outcome.state):
            plain = ruleset.dump(held)
            assert without_none(plain) == plain
            assert ruleset.load(copy.deepcopy(plain)) == held


def test_adjudication_is_deterministic_and_innocent(ruleset: Any) -> None:
    """Twice the same call gives the same outcome, and the state that went in is as it was."""
    for state, outcome in played(ruleset):
        dump = copy.deepcopy(ruleset.dump(state))
        owing = ruleset.phase(state).owing
        dice = Dice(bytes(32)).at("x")
        orders = {seat: ruleset.missing(state, seat, dice) for seat in owing}
        first = ruleset.adjudicate(state, orders, Given(), dice)
        assert first == ruleset.adjudicate(state, orders, Given(), dice)
        assert ruleset.dump(state) == dump
        assert outcome.state is not None


def test_verdicts_have_names_of_their_own(ruleset: Any) -> None:
    """No two facts of one adjudication share a key, so a ruling pins one."""
    for _, outcome in played(ruleset):
        keys = [verdict.key for verdict in outcome.verdicts]
        assert len(keys) == len(set(keys))


def test_every_kind_of_event_is_declared_and_has_a_wording(ruleset: Any) -> None:
    """What `adjudicate` can say, some template of the ruleset knows."""
    for _, outcome in played(ruleset):
        assert {event.kind for event in outcome.events} <= ruleset.event_kinds
    text = "\n".join(source for name, source in WORDS.items() if name.startswith(f"{ruleset.name}/"))
    silent = [kind for kind in sorted(ruleset.event_kinds) if kind not in text]
    assert not silent, f"events without a wording: {silent}"


def test_every_part_of_a_letter_is_there(ruleset: Any) -> None:
    """The seven parts that letters put together have a template each."""
    assert [part for part in PARTS if f"{ruleset.name}/{part}.j2" not in WORDS] == []


def test_every_house_rule_says_what_each_value_means(ruleset: Any) -> None:
    """The first letter prints a sentence for the value that holds, whichever it is."""
    for option in ruleset.options:
        assert option.default in option.choices or not option.choices
        if option.choices:
            assert set(option.says) == set(option.choices) and all(option.says.values())
        else:
            assert all(name.isdigit() for name in option.says if name) and "{}" in option.says[""]
        assert option.rule


def test_nothing_is_cut_behind_a_condition(ruleset: Any) -> None:
    """What stands behind an if goes on to the end of its line, and a part is never cut again."""
    line = "if this and that: do one; do another, else that; and so on"
    assert ruleset.parts(line) == (line,)
    assert ruleset.parts(f"pass; ; pass.;{line};") == ("pass", "pass.", line)
    assert [ruleset.parts(part) for part in ("pass", line)] == [("pass",), (line,)]
    assert ruleset.parts(" ; ") == ()


def test_the_orders_of_who_sent_nothing_read_back(ruleset: Any) -> None:
    """`parse` of `format` gives the same orders."""
    from pbem.terms import OrderLine

    for state, _ in played(ruleset):
        for seat in ruleset.phase(state).owing:
            orders = ruleset.missing(state, seat, Dice(bytes(32)))
            lines = ruleset.format(state, orders)
            parsed = ruleset.parse(state, seat, [OrderLine(n, text) for n, text in enumerate(lines, 1)])
            assert not parsed.complaints
            assert ruleset.format(state, parsed.orders) == lines
            assert [ruleset.parts(line) for line in lines] == [(line,) for line in lines]
