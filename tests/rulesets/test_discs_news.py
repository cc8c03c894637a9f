"""News of the discs: each story has its sentences, is true as derived again, and few sentences come twice in a game."""

import re
from collections.abc import Iterator
from textwrap import wrap

import pytest
from hypothesis import given

from pbem.ground.chance import Dice
from pbem.ground.news import FEW, MOST
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.letters.dresses.text import WIDTH
from pbem.letters.rendering import environment, render
from pbem.ruleset import Facts, Outcome
from pbem.rulesets.discs.model.options import DEFAULTS
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.play.news import SENTENCES
from pbem.world.settings import templates
from tests.conftest import flat
from tests.depth import shares
from tests.rulesets.discs_retold import TRUE, Seen
from tests.rulesets.discs_worlds import RULESET, World, played, worlds

ENVIRONMENT = environment({**templates(), "one.j2": '{% import "discs/news.j2" as n %}{{ n.story(f)|fill }}'})


def said(what: str, nth: int, amount: int) -> str:
    """Return a sentence of a kind, about Ada, by Bo and perhaps others."""
    facts = {"what": what, "who": "Ada", "by": ["Bo", "Cy"][:amount], "amount": amount, "other": 4, "nth": nth}
    return render(ENVIRONMENT, "one.j2", {"f": facts})


@pytest.mark.parametrize("share", shares(23))
@pytest.mark.parametrize("what", SENTENCES)
def test_each_kind_has_its_sentences(what: str, share: int) -> None:
    """As many as are counted on, no two alike, and none that reads as an order, whole or as it is wrapped."""
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, dict(DEFAULTS), Dice(bytes(32)))
    for amount in (1, 3):
        found = [said(what, nth, amount) for nth in range(SENTENCES[what])]
        assert len(set(found)) == SENTENCES[what]
        words = [one.split() for one in found]
        starts = [(all_, start) for all_ in words for start in range(len(all_))][::share]
        rests = [wrap(" ".join(all_[start:]), WIDTH)[0] for all_, start in starts]
        for line in (*"\n".join(found).split("\n"), *rests):
            assert not RULESET.parse(state, Seat("ada"), [OrderLine(1, line)]).orders, line


def test_each_kind_is_held_to_the_truth() -> None:
    """And no other is told."""
    assert set(TRUE) == set(SENTENCES)


def stories(outcome: Outcome[State]) -> list[Facts]:
    """Return what a phase leads with, if it has news."""
    found: list[Facts] = [one for event in outcome.events if event.kind == "news" for one in event.facts["stories"]]
    return found


def hold_to_the_truth(before: State, outcome: Outcome[State]) -> None:
    """Derive again what a report leads with; everybody who fell is told of, and no line of it is an order."""
    told, seen = stories(outcome), Seen(before, outcome)
    assert len(told) <= MOST
    for one in told:
        assert TRUE[one["what"]](seen, one), one
    assert set(seen.fell) <= {one["who"] for one in told}
    text = render(ENVIRONMENT, "discs/lead.j2", {"events": list(outcome.events)})
    lines = [OrderLine(2 * number, line) for number, line in enumerate(text.split("\n"), 1)]
    assert all(len(line.text) <= WIDTH for line in lines)
    for state in (before, outcome.state):
        for seat in list(state.names)[:2]:
            assert not RULESET.parse(state, seat, lines).orders, text


@given(worlds())
def test_what_the_report_leads_with_is_true(world: World) -> None:
    """Whatever is ordered, from the middle of a battle on."""
    for turned in played(world, 3):
        if stories(turned.outcome):
            hold_to_the_truth(turned.state, turned.outcome)


@pytest.mark.parametrize("share", shares(15))
def test_few_sentences_come_twice_in_a_game(share: int) -> None:
    """In sixty games all that is told is true, each phase has three stories, and hardly a sentence comes again."""
    told, again, few = 0, 0, 0
    for number in range(0, 60, share):
        seen: set[str] = set()
        for before, outcome in _played(number):
            hold_to_the_truth(before, outcome)
            few += len(stories(outcome)) < FEW
            text = flat(render(ENVIRONMENT, "discs/lead.j2", {"events": list(outcome.events)}))
            now = {one for one in re.split(r"(?<=[.?!]) ", text) if one}
            told, again = told + len(now), again + len(now & seen)
            seen |= now
    assert told > 1000 / share and again < 0.04 * told and few < 4, (told, again, few)


def _played(number: int) -> Iterator[tuple[State, Outcome[State]]]:
    """Play a game of three to five by programs, and yield the phases that have news."""
    dice = Dice(bytes(32)).at(str(number))
    names = dict(
        zip(("ada", "bo", "cy", "di", "eve")[: 3 + number % 3], ("Ada", "Bo", "Cy", "Di", "Eve"), strict=False)
    )
    state = RULESET.setup({Seat(seat): name for seat, name in names.items()}, dict(DEFAULTS), dice)
    for turn in range(120):
        now = dice.at(f"turn {turn}")
        orders = {seat: RULESET.bots["hunter"](state, seat, now.at(seat)) for seat in RULESET.phase(state).owing}
        outcome = RULESET.adjudicate(state, orders, Given(), now)
        if any(event.kind == "news" for event in outcome.events):
            yield state, outcome
        state = outcome.state
        if outcome.result:
            return
