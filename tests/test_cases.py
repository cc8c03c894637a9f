"""The scenes of `tests/cases/<ruleset>/`: each comes out as its rules say, and every rule has one."""

import importlib
from pathlib import Path

import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.testing import Casebook, Cases
from pbem.testing.cases import play
from pbem.testing.scenes import Step, read
from tests.harbour.tiebreak import TieBreak

CASES = Path(__file__).parent / "cases"


def book(name: str) -> Casebook:
    """Return the cases of one of our rulesets."""
    scene = importlib.import_module(f"tests.rulesets.{name}_scene")
    return Casebook(rulesets_known()[name], CASES / name, scene.lay, scene.claims, worked=("RC", "PP", "BK", "TR", "N"))


class TestCases(Cases):
    """Every ruleset that has a folder of cases."""

    books = tuple(book(folder.name) for folder in sorted(CASES.iterdir()))


def asking(*answers: str) -> Step:
    """Return a step of a case in which Ada and Bo bid alike, and these answers, each a seat and its lines."""
    head = ["case H1 alike", "orders ada", "  bid 4", "orders bo", "  bid 4"]
    (scene,) = read("\n".join((*head, *answers, "expect")), "alike.case")
    return scene.steps[0]


@pytest.mark.parametrize(
    ("answers", "stops", "hulks"),
    [
        ((), 3, None),
        (("answers bo", "  bid 1"), 1, {"ada": 0, "bo": 1}),
        (("answers bo", "  bid 1", "answers ada", "  bid 1", "answers ada", "  bid 2"), 2, {"ada": 1, "bo": 0}),
        (("answers bo", "answers bo", "  bid 1"), 2, {"ada": 0, "bo": 1}),
        (("answers bo", "  bid lots", "answers bo", "  bid 1"), 2, {"ada": 0, "bo": 1}),
    ],
)
def test_a_case_says_what_is_answered_each_time_that_a_phase_stops_to_ask(
    answers: tuple[str, ...], stops: int, hulks: dict[str, int] | None
) -> None:
    """Each block answers the next question to its seat; an empty one is silence."""
    ruleset = TieBreak()
    state = ruleset.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {"nmr_bid": "0"}, Dice(bytes(32)))
    met = play(ruleset, state, asking(*answers), Given(), Dice(bytes(32)))
    assert met.asked == [("ada", "bo")] * stops
    assert hulks is None or met.state.hulks == hulks
    assert [one.text for one in met.complaints["bo"]] == (["bid lots"] if "  bid lots" in answers else [])


def test_an_answer_that_nobody_asks_for_is_a_mistake_in_the_case() -> None:
    """Else a scene would seem to try what it does not."""
    ruleset = TieBreak()
    state = ruleset.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {"nmr_bid": "0"}, Dice(bytes(32)))
    with pytest.raises(AssertionError, match="bo is not asked"):
        play(ruleset, state, asking("answers bo", "  bid 1", "answers bo", "  bid 2"), Given(), Dice(bytes(32)))
