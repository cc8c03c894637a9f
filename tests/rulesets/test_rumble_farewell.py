"""The end of the last report of Rumble: chart, turning points, what powers cost, who wrote them; all of it true."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from pbem.ground.terms import Given, OrderLine, Seat
from pbem.ruleset import EVERYONE, Column, Facts, Outcome
from pbem.rulesets.rumble.game import Rumble
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.round import farewell
from tests.conftest import flat
from tests.depth import some
from tests.rulesets.rumble_scene import lay
from tests.rulesets.test_rumble_laws import DICE
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter, public
from tests.rulesets.test_rumble_news import games

RULESET = Rumble()
ENDED = [rounds for rounds in games(24) if rounds[-1][1].result]


def told(outcome: Outcome[State], kind: str) -> list[Mapping[str, Any]]:
    """Return what the public events of a kind say."""
    return [event.facts for event in outcome.events if event.kind == kind and event.to == EVERYONE]


@pytest.mark.parametrize("rounds", ENDED)
def test_the_chart_is_what_the_reports_said(rounds: Sequence[tuple[State, Outcome[State]]]) -> None:
    """A column a round, with the Energy that each report's table has, 0 for who fell in it, and nothing behind that."""
    [chart] = told(rounds[-1][1], "chart")
    assert chart["rounds"] == [state.round for state, _ in rounds]
    rows = {row["name"]: row["amounts"] for row in chart["rows"]}
    for place, (_, outcome) in enumerate(rounds):
        stands = {facts["hero"]: 0 if facts["out"] else facts["after"] for facts in told(outcome, "stands")}
        names = {
            outcome.state.hero(hero.seat).name: rounds[-1][1].state.hero(hero.seat).name
            for hero in outcome.state.heroes
        }
        assert {names[hero]: energy for hero, energy in stands.items()} == {
            hero: energy[place] for hero, energy in rows.items() if energy[place] >= 0
        }


@pytest.mark.parametrize("rounds", ENDED)
def test_turning_points_are_true(rounds: Sequence[tuple[State, Outcome[State]]]) -> None:
    """Each is derived again from the tables of all reports."""
    last = rounds[-1][1]
    columns = [
        {facts["hero"]: 0 if facts["out"] else facts["after"] for facts in told(outcome, "stands")}
        for _, outcome in rounds
    ]
    numbers = [state.round for state, _ in rounds]
    won = [last.state.names[seat] for seat in last.result.winners] if last.result else []
    for point in told(last, "turning"):
        here = numbers.index(point["round"]) if point["round"] else 0
        hero = point["hero"]
        match point["what"]:
            case "behind":
                others = [energy for name, energy in columns[here].items() if name != hero and energy]
                assert won == [hero] and columns[here][hero] == point["amount"] < min(others) and len(others) > 1
            case "lead":
                assert won == [hero] and columns[here][hero] == point["amount"]
                for column in columns[here:]:
                    assert all(energy < column[hero] for name, energy in column.items() if name != hero)
                before = columns[here - 1]
                assert any(energy >= before[hero] for name, energy in before.items() if name != hero)
            case "worst":
                lost = {
                    (name, place): before[name] - now[name]
                    for place, (before, now) in enumerate(pairwise(columns), 1)
                    for name in before
                    if name in now
                }
                assert lost[hero, here] == point["amount"] == max(lost.values())
                assert sum(amount == point["amount"] for amount in lost.values()) == 1
            case "spender":
                paid = dict.fromkeys(last.state.names.values(), 0)
                for power in told(last, "remembered"):
                    paid[power["buyer"]] = paid.get(power["buyer"], 0) + power["price"]
                assert paid.pop(hero) == point["amount"] > max(paid.values())


@pytest.mark.parametrize("rounds", some(4, ENDED[:8]))
def test_the_last_letter_is_short_and_holds_no_order(rounds: Sequence[tuple[State, Outcome[State]]]) -> None:
    """In the columns of every letter."""
    before, last = rounds[-1]
    text = letter("final", public(last))
    assert len(text.split("\n")) <= 70
    hold_to_the_law(text, (before, last.state))


def test_some_games_turn() -> None:
    """Else nothing above was held to anything."""
    kinds = {point["what"] for rounds in ENDED for point in told(rounds[-1][1], "turning")}
    assert kinds >= {"lead", "worst"} and len(ENDED) > 15


def _state(**chart: list[int]) -> State:
    """Return a game for which a chart is laid, whose heroes stand as its last column says."""
    state = lay([f"{seat}: {seat.capitalize()} {max(1, energy[-1])}" for seat, energy in chart.items()], {}, DICE)
    count = len(next(iter(chart.values())))
    rows = tuple(Column(place, {seat: energy[place] for seat, energy in chart.items()}) for place in range(count))
    return msgspec.structs.replace(state, chart=rows, round=count - 1)


@pytest.mark.parametrize(
    ("chart", "points"),
    [
        ({"ada": [90, 20, 30], "bo": [80, 40, 0], "cy": [70, 60, 0]}, ["behind", "worst"]),
        ({"ada": [50, 60, 60, 60], "bo": [80, 50, 20, 0], "cy": [70, 50, 20, 0]}, ["behind", "lead"]),
        ({"ada": [90, 80, 80], "bo": [80, 50, 20], "cy": [70, 40, 10]}, []),
        ({"ada": [90, 20, 30], "bo": [80, 40, 0]}, ["worst"]),
    ],
)
def test_what_turned_it(chart: dict[str, list[int]], points: list[str]) -> None:
    """Who always led turned nothing; of two losses that are alike neither is the worst."""
    found = [one.facts["what"] for one in farewell.events(_state(**chart), ["ada"]) if one.kind == "turning"]
    assert found == points


def test_an_older_game_tells_what_it_knows() -> None:
    """One that began before there was a chart has the rounds since, and no turning points; its authors stay unknown."""
    state = _state(ada=[90, 20, 30], bo=[80, 40, 0])
    late = msgspec.structs.replace(
        state,
        chart=state.chart[2:],
        house={name: value for name, value in state.house.items() if name != "authors"},
        powers=(msgspec.structs.replace(lay(["pool: power Mud"], {}, DICE).powers[0], author="bo"),),
    )
    assert [one.kind for one in farewell.events(late, ["ada"])] == ["chart"]
    assert list(farewell.events(msgspec.structs.replace(late, chart=(), powers=()), ["ada"])) == []


def test_plans_that_never_came_are_told_at_the_end() -> None:
    """The latest two of a seat, in everybody's last report and in none before."""
    state = lay(["ada: Ada 60", "bo: Bo 50", "cy: Cy 40"], {}, DICE)
    lines = {"ada": ("if my energy < 40: attack Cy 10", "if my energy < 10: attack Cy 20", "attack Bo 20")}
    first = _played(state, lines)
    assert told(first, "never_fired") == []
    last = _played(first.state, {"ada": ("attack Bo 45",), "bo": ("attack Cy 30",), "cy": ("attack Bo 5", "defend 0")})
    while not last.result:
        last = _played(
            last.state,
            {seat: (f"attack {last.state.names[other]} 50",) for seat, other in (("ada", "cy"), ("cy", "ada"))},
        )
    [unmet] = told(last, "never_fired")
    assert unmet["hero"] == "Ada" and len(unmet["lines"]) == 2 and "if my energy < 10" in unmet["lines"][1]
    assert "What was planned, and never came Ada had in mind : if my energy < 40" in flat(letter("final", public(last)))


def _played(state: State, lines: Mapping[str, Sequence[str]]) -> Outcome[State]:
    """Play a round."""
    sent = {
        Seat(seat): RULESET.parse(state, Seat(seat), [OrderLine(n, text) for n, text in enumerate(said, 1)]).orders
        for seat, said in lines.items()
        if state.hero(seat).is_in
    }
    return RULESET.adjudicate(state, sent, Given(), DICE)


@pytest.mark.parametrize("said", ["unsigned", "Unsigned please", "stay anonymous"])
def test_who_wishes_it_is_told_of_as_no_author(said: str) -> None:
    """A line of its own, anywhere in the mail; another power that joins later leaves it so."""
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, dict(DEFAULTS), DICE)
    first = RULESET.parse(state, Seat("ada"), _lines("power: Mud", "text: -5 to your Defence.", said)).orders
    more = RULESET.parse(state, Seat("ada"), _lines("power: Veil", "text: +5 to your Defence.")).orders
    whole = RULESET.merged(state, Seat("ada"), first, more)
    assert RULESET.lacks(state, Seat("ada"), whole) == "" and "text: -5 to your Defence." in RULESET.format(
        state, whole
    )
    after = RULESET.adjudicate(state, {Seat("ada"): whole, Seat("bo"): ()}, Given(), DICE).state
    assert after.unsigned == ("ada",)
    shown: Facts = RULESET.hand(state, Seat("ada"), whole)
    assert "nobody is ever told that these are yours" in flat(letter("hand", shown))


def _lines(*texts: str) -> list[OrderLine]:
    return [OrderLine(number, text) for number, text in enumerate(texts, 1)]
