"""News of brawls: each story has the sentences that it says, and none is told twice while another one is new."""

from collections import Counter

import pytest

from pbem.chance import Dice
from pbem.letters import writing
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.bots import BOTS
from pbem.rulesets.brawl.options import DEFAULTS
from pbem.rulesets.brawl.round.news import MOST, SENTENCES
from pbem.terms import Given, OrderLine, Seat
from pbem.world.settings import templates

WORDS = writing.environment({**templates(), "one.j2": '{% import "brawl/news.j2" as n %}{{ n.story(f)|fill }}'})
SEATS = ("ada", "bo", "cy", "di", "eve", "fay")


def told(what: str, nth: int) -> str:
    """Return a sentence of a kind, about Ada, by Bo."""
    facts = {"what": what, "who": "Ada", "by": ["Bo", "Cy"], "amount": 50, "nth": nth}
    return writing.render(WORDS, "one.j2", {"f": facts})


@pytest.mark.parametrize("what", SENTENCES)
def test_each_kind_has_its_sentences(what: str) -> None:
    """As many as are counted on, no two alike, and none that reads as an order, whole or as it is wrapped."""
    found = [told(what, nth) for nth in range(SENTENCES[what])]
    assert len(set(found)) == SENTENCES[what]
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, DEFAULTS, Dice(bytes(32)))
    for line in "\n".join(found).split("\n"):
        assert not RULESET.parse(state, Seat("ada"), [OrderLine(1, line)]).orders, line


def games(seats: int, house: dict[str, str], count: int) -> list[list[list[tuple[str, int]]]]:
    """Return the stories of games that programs play, by round: the kind and number of each."""
    found = []
    for game in range(count):
        dice = Dice(bytes(32)).at(f"{seats} {game}")
        state = RULESET.setup({Seat(seat): seat.capitalize() for seat in SEATS[:seats]}, {**DEFAULTS, **house}, dice)
        rounds: list[list[tuple[str, int]]] = []
        for number in range(200):
            now = dice.at(str(number))
            orders = {seat: BOTS["regular"](state, seat, now.at(seat)) for seat in RULESET.phase(state).owing}
            outcome = RULESET.adjudicate(state, orders, Given(), now)
            stories = next(event.facts["stories"] for event in outcome.events if event.kind == "news")
            rounds.append([(story["what"], story["nth"]) for story in stories])
            state = outcome.state
            if outcome.result:
                break
        found.append(rounds)
    return found


def test_no_sentence_is_told_twice_while_another_fits() -> None:
    """A sentence comes again only alone, and only once all of its kind have been told."""
    for rounds in (*games(2, {}, 4), *games(5, {}, 2), *games(6, {"teams": "2"}, 2)):
        seen: Counter[tuple[str, int]] = Counter()
        for stories in rounds:
            assert 1 <= len(stories) <= MOST
            for what, nth in stories:
                told_so_far = sum(count for (kind, _), count in seen.items() if kind == what)
                assert seen[what, nth] == told_so_far // SENTENCES[what]
                assert not seen[what, nth] or len(stories) == 1
                seen[what, nth] += 1
