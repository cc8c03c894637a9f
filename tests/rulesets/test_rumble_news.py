"""News of Rumble: each sentence is true, none is told twice in a game as long as there are others, none is an order."""

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.letters import rendering
from pbem.ruleset import Facts, Outcome
from pbem.rulesets.rumble.game import Rumble
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.house.options import DEFAULTS, OPTIONS
from pbem.rulesets.rumble.model.order import Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.round.news import MOST
from pbem.simulation.matches import Match, deal
from pbem.world.settings import templates
from tests.depth import shares
from tests.rulesets import rumble_worlds
from tests.rulesets.rumble_retold import TRUE, Seen

RULESET = Rumble()
PIECES = {
    "kinds.j2": '{% import "rumble/news.j2" as n %}{{ n.sentences|tojson }}',
    "story.j2": '{% import "rumble/news.j2" as n %}{{ n.story(w, f, turn)|fill }}',
    "lead.j2": '{% import "rumble/news.j2" as n %}{{ n.lead(w, f)|fill }}',
}
WORDS = rendering.environment({**templates(), **PIECES})
NAMES = ("Mantisman", "Volt", "Agent 47", "Doctor Cuttlefish", "Plastiquegirl", "The Breeze")
GENRES = next(option.choices for option in OPTIONS if option.name == "genre")
ANY: Facts = {
    "hero": "Volt", "by": ["Agent 47", "Pip"], "heroes": ["Bolt", "Zed"], "amount": 40, "other": 1, "more": 3, "power": "Swap",
}  # fmt: skip
SENTENCES: dict[str, list[str]] = msgspec.json.decode(rendering.render(WORDS, "kinds.j2", {"w": genre_of({})}))


def story(facts: Facts, turn: int, genre: str = "") -> str:
    """Return a story in words."""
    return rendering.render(
        WORDS, "story.j2", {"f": facts, "turn": turn, "w": genre_of({"genre": genre} if genre else {})}
    )


def test_each_kind_has_words_and_is_held_to_the_truth() -> None:
    """No kind is without either, and none has fewer than four versions, no two of them alike, of two sentences at most."""
    assert set(SENTENCES) == set(TRUE)
    for what, found in SENTENCES.items():
        assert len(set(found)) == len(found) >= 4, what
        assert [one for one in found if one.count(". ") + one.count("? ") > 1] == []


@pytest.mark.parametrize("share", shares(61))
@pytest.mark.parametrize("genre", GENRES)
def test_no_story_reads_as_an_order(genre: str, share: int) -> None:
    """
    Whole or as it is wrapped, whatever things are called; of the neutral words, wherever names let a line begin.

    Each sixty-first of these lines, and a fourth where a genre has but two of each story; a sweep tries them all.
    """
    seats = {Seat("ada"): "Volt", Seat("bo"): "Bolt", Seat("cy"): "Zed"}
    state = RULESET.setup(seats, {**DEFAULTS, "genre": genre}, Dice(bytes(32)))
    state = msgspec.structs.replace(state, phase="round", round=2)
    alike = [ANY, {**ANY, "by": ["Bolt"], "heroes": ["Zed"], "other": 20}, {**ANY, "by": [], "heroes": []}]
    alike = alike if genre_of(state.house).is_neutral else alike[:1]
    lines: list[str] = []
    for what, found, facts in ((what, found, facts) for what, found in SENTENCES.items() for facts in alike):
        for turn in range(len(found)) if genre_of(state.house).is_neutral else range(0, len(found), 1 + share // 16):
            said = story({**facts, "what": what}, turn, genre)
            words = said.split()
            starts = range(1, len(words)) if genre_of(state.house).is_neutral else ()
            rest = [wrap(" ".join(words[start:]), 56)[0] for start in starts]
            lines += (" ".join(words), *said.split("\n"), *rest)
    for line in lines[:: share if genre_of(state.house).is_neutral else 1 + share // 31]:
        assert not RULESET.parse(state, Seat("ada"), [OrderLine(1, line)]).orders, line


def games(
    count: int, house: dict[str, str] | None = None, drawn: int = 8
) -> Iterator[list[tuple[State, Outcome[State]]]]:
    """Yield games that programs play, of three to six, each as its rounds."""
    for number in range(count):
        dice = Dice(bytes(range(32))).at(f"game {number}")
        seats = {Seat(f"seat-{place}"): name for place, name in enumerate(NAMES[: 3 + number % 4], 1)}
        bot = RULESET.bots[("anybody", "leader", "weakest")[number % 3]]
        dealt = deal(Match(seats=len(seats), bots=("",), drawn=drawn), RULESET.dealable(), list(seats), dice)
        state = RULESET.begin(seats, {**DEFAULTS, **(house or {})}, dealt, dice)
        rounds: list[tuple[State, Outcome[State]]] = []
        for turn in range(60):
            now = dice.at(str(turn))
            orders = {seat: bot(state, seat, now.at(seat)) for seat in RULESET.phase(state).owing}
            answers: tuple[dict[Seat, tuple[Order, ...]], ...] = ()
            while (outcome := RULESET.adjudicate(state, orders, Given(answers=answers), now)).asks:
                asked = outcome.state
                answers += ({seat: tuple(bot(asked, seat, now)) for seat in RULESET.phase(asked).owing},)
            rounds.append((state, outcome))
            state = outcome.state
            if outcome.result:
                break
        yield rounds


def news(outcome: Outcome[State]) -> Facts:
    """Return what a round leads with."""
    return next(event.facts for event in outcome.events if event.kind == "news")


def hold_to_the_truth(before: State, outcome: Outcome[State]) -> None:
    """Derive each story again from what else is known of the round."""
    seen, told = Seen(before, outcome), news(outcome)["stories"]
    assert len(told) <= MOST and len({one["what"] for one in told}) == len(told)
    for one in told:
        assert TRUE[one["what"]](seen, one), one


def test_in_sixty_games_few_sentences_come_twice() -> None:
    """Under a tenth within a game, of sentences and of their patterns too; nearly each report has three to six of them."""
    sentences, twice, patterns_twice, short, reports = 0, 0, 0, 0, 0
    kinds: Counter[str] = Counter()
    for rounds in games(60):
        seen: set[str] = set()
        patterns: set[tuple[str, int]] = set()
        for before, outcome in rounds:
            hold_to_the_truth(before, outcome)
            told = news(outcome)
            lead = rendering.render(WORDS, "lead.j2", {"f": told, "w": genre_of({})})
            reports += 1
            marks = [word for word in lead.split() if word.endswith((".", "?"))]
            short += len(marks) < 3
            assert 0 < len(marks) <= 6
            for one in told["stories"]:
                said, pattern = story(one, told["turn"]), (one["what"], told["turn"] % len(SENTENCES[one["what"]]))
                twice, patterns_twice = twice + (said in seen), patterns_twice + (pattern in patterns)
                seen.add(said)
                patterns.add(pattern)
                kinds[one["what"]] += 1
                sentences += 1
    assert sentences > 900
    assert twice < sentences / 100 and patterns_twice < sentences / 20
    assert short < reports / 200
    assert len(kinds) > 28


@pytest.mark.sweep
@pytest.mark.parametrize("house", [{"reveal_phase": "always"}, {"stalemate": "fatigue"}, {"block_default": "evenly"}])
def test_what_is_told_of_many_games_is_true(house: dict[str, str]) -> None:
    """With many powers, and under other rules of the house."""
    for rounds in games(120, house, drawn=16):
        for before, outcome in rounds:
            hold_to_the_truth(before, outcome)


EFFECTS = (
    "gain ada 15", "gain ada 50 at end", "lose bo 30 at end", "lose ada 15 at costs", "deal 15 to bo from ada", "deal 9 to ada",
    "deal 40 to ada from ada unblockable", "attack(any, ada) -= 9", "attack(ada, bo) *= 2", "attack(bo, ada) = 0", "defence(ada) += 50",
    "energy(bo) = 3", "energy(ada) = 90", "shield bo all", "ignore attack(ada, bo)", "revive ada 5", "revive bo 50", "eliminate bo",
    "win ada", "keep ada from losing",
)  # fmt: skip


@given(st.data())
def test_what_is_told_is_true(data: st.DataObject) -> None:
    """Of rounds of any kind, with Attacks on the dead, what cannot be paid, who leaves, and all that a moderator rules."""
    state = data.draw(rumble_worlds.states())
    orders = {hero.seat: data.draw(rumble_worlds.sets(state, hero.seat)) for hero in state.living}
    said = data.draw(st.lists(st.sampled_from(EFFECTS), max_size=3, unique=True))
    effects = tuple(effect for one in said if isinstance(effect := RULESET.effect(state, one), str))
    outcome = RULESET.adjudicate(state, orders, Given({}, effects), Dice(b"news"))
    if outcome.asks:
        return
    hold_to_the_truth(state, outcome)
    verdicts = {verdict.key: verdict.value for verdict in outcome.verdicts}
    keys = data.draw(st.lists(st.sampled_from(sorted(verdicts)), max_size=3, unique=True)) if verdicts else []
    pinned = {
        key: not verdicts[key] if isinstance(verdicts[key], bool) else data.draw(st.integers(0, 90)) for key in keys
    }
    hold_to_the_truth(state, RULESET.adjudicate(state, orders, Given(pinned, effects), Dice(b"news")))
