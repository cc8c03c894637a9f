"""News of brawls: each story has the sentences that it says, and none is told twice while another one is new."""

from collections import Counter
from functools import lru_cache
from itertools import chain

import pytest
from hypothesis import given

from pbem.ground.chance import Dice
from pbem.ground.news import FEW, MOST
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.letters import rendering
from pbem.ruleset import Facts, Outcome
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.bots import BOTS
from pbem.rulesets.brawl.options import DEFAULTS, PRESETS
from pbem.rulesets.brawl.round.news import SENTENCES
from pbem.rulesets.brawl.state import State
from pbem.world.settings import templates
from tests.depth import some
from tests.rulesets.brawl_retold import TRUE, Seen
from tests.rulesets.brawl_worlds import World, fought, worlds

WORDS = rendering.environment({**templates(), "one.j2": '{% import "brawl/news.j2" as n %}{{ n.story(f)|fill }}'})
SEATS = ("ada", "bo", "cy", "di", "eve", "fay")


def told(what: str, nth: int) -> str:
    """Return a sentence of a kind, about Ada, by Bo."""
    facts = {"what": what, "who": "Ada", "by": ["Bo", "Cy"], "amount": 50, "nth": nth}
    return rendering.render(WORDS, "one.j2", {"f": facts})


@pytest.mark.parametrize("what", some(3, SENTENCES))
def test_each_kind_has_its_sentences(what: str) -> None:
    """As many as are counted on, no two alike, and none that reads as an order, whole or as it is wrapped."""
    found = [told(what, nth) for nth in range(SENTENCES[what])]
    assert len(set(found)) == SENTENCES[what]
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, DEFAULTS, Dice(bytes(32)))
    for line in "\n".join(found).split("\n"):
        assert not RULESET.parse(state, Seat("ada"), [OrderLine(1, line)]).orders, line


def games(seats: int, house: dict[str, str], count: int) -> list[list[tuple[State, Outcome[State]]]]:
    """Return games that programs play, each as its rounds."""
    found = []
    for game in range(count):
        dice = Dice(bytes(32)).at(f"{seats} {game}")
        state = RULESET.setup({Seat(seat): seat.capitalize() for seat in SEATS[:seats]}, {**DEFAULTS, **house}, dice)
        rounds: list[tuple[State, Outcome[State]]] = []
        for number in range(200):
            now = dice.at(str(number))
            orders = {seat: BOTS["regular"](state, seat, now.at(seat)) for seat in RULESET.phase(state).owing}
            outcome = RULESET.adjudicate(state, orders, Given(), now)
            rounds.append((state, outcome))
            state = outcome.state
            if outcome.result:
                break
        found.append(rounds)
    return found


def stories(outcome: Outcome[State]) -> list[Facts]:
    """Return what a round leads with."""
    found: list[Facts] = next(event.facts["stories"] for event in outcome.events if event.kind == "news")
    return found


BOXING = next(dict(preset.house) for preset in PRESETS if preset.name == "boxing")


@lru_cache(maxsize=1)
def played() -> tuple[list[tuple[State, Outcome[State]]], ...]:
    """Return sixty games, played once a worker."""
    return (*games(2, {}, 15), *games(2, BOXING, 10), *games(5, {}, 20), *games(6, {"teams": "2"}, 15))


def test_each_kind_is_held_to_the_truth() -> None:
    """And no other is told."""
    assert set(TRUE) == set(SENTENCES)


def test_each_story_is_true() -> None:
    """Derived again from the report and the states."""
    for before, outcome in chain.from_iterable(played()):
        seen = Seen(before, outcome)
        for one in stories(outcome):
            assert TRUE[one["what"]](seen, one), (before.round, one)


@given(worlds())
def test_each_story_is_true_whatever_is_ordered(world: World) -> None:
    """Also from the middle of a fight, with dice given and taken away."""
    for turn in fought(world, 4):
        if any(event.kind == "news" for event in turn.outcome.events):
            seen = Seen(turn.state, turn.outcome)
            for one in stories(turn.outcome):
                assert TRUE[one["what"]](seen, one), one


def test_few_sentences_come_again_and_few_rounds_say_little() -> None:
    """In sixty games under a tenth of the sentences are told twice, and nearly each report has three to six of them."""
    told: list[int] = []
    again = 0
    for rounds in played():
        seen: set[tuple[str, int]] = set()
        for _, outcome in rounds:
            said = [(one["what"], one["nth"]) for one in stories(outcome)]
            again += len(seen.intersection(said))
            seen.update(said)
            told.append(len(said))
    assert again < 0.1 * sum(told)
    assert sum(count < FEW for count in told) < 0.05 * len(told)


def test_one_fall_is_told_once_and_the_end_is_told() -> None:
    """Two who knock each other out are one story, and no game ends with nothing to tell."""
    for rounds in played():
        for _, outcome in rounds:
            doubles = [frozenset((one["who"], *one["by"])) for one in stories(outcome) if one["what"] == "double"]
            assert len(set(doubles)) == len(doubles)
        if rounds[-1][1].result:
            assert "quiet" not in [one["what"] for one in stories(rounds[-1][1])]


def test_no_sentence_is_told_twice_while_another_fits() -> None:
    """A sentence comes again only alone, and only once all of its kind have been told."""
    for rounds in played():
        seen: Counter[tuple[str, int]] = Counter()
        for _, outcome in rounds:
            chosen = [(one["what"], one["nth"]) for one in stories(outcome)]
            assert 1 <= len(chosen) <= MOST
            for what, nth in chosen:
                told_so_far = sum(count for (kind, _), count in seen.items() if kind == what)
                assert seen[what, nth] == told_so_far // SENTENCES[what]
                assert not seen[what, nth] or len(chosen) == 1
                seen[what, nth] += 1
