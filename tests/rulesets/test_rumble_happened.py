"""What a player of Rumble is told first is true: derived again from the events that everybody reads."""

import re

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Given, Outcome, Seat
from pbem.ruleset import Facts
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.genres import NEUTRAL
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.shown.happened import happened
from pbem.table.model.audience import AtSeat, may_read
from tests.conftest import flat
from tests.depth import at_first
from tests.rulesets import rumble_worlds as worlds
from tests.rulesets import test_rumble_power_laws as powers
from tests.rulesets.rumble_scene import lay
from tests.rulesets.test_rumble_laws import DICE, read, rulings_for, sets_of_all
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter

SPEAKS = {"w": NEUTRAL, "silent": False}


def told(outcome: Outcome[State], seat: str) -> Facts:
    """Return what a seat is told, from what it may know."""
    known = tuple(event for event in outcome.events if may_read(event, AtSeat(Seat(seat))))
    return happened(msgspec.structs.replace(outcome, events=known), seat)


def facts(outcome: Outcome[State], kind: str, **wanted: object) -> list[Facts]:
    """Return the facts of the events of a kind in which some facts are as wanted."""
    return [
        event.facts
        for event in outcome.events
        if event.kind == kind and all(event.facts[what] == value for what, value in wanted.items())
    ]


def hold_to_the_truth(before: State, outcome: Outcome[State]) -> None:
    """Derive again, from what the report prints, what everybody is told."""
    for hero in before.living:
        name, said = outcome.state.names[hero.seat], told(outcome, hero.seat)
        if not said:
            assert not facts(outcome, "stands", hero=name)
            continue
        hold_the_energy(outcome, name, said)
        hold_the_blows(outcome, name, said)
        text = letter("happened", said | SPEAKS)
        hold_to_the_law(text, (before, outcome.state))
        shown = {int(one) for one in re.findall(r"[0-9]+", str(said))} | {0}
        assert {int(one) for one in re.findall(r"(?<![\w.])[0-9]+(?!\w)", text)} <= shown


def hold_the_energy(outcome: Outcome[State], name: str, said: Facts) -> None:
    """Its sum is that of the table, and who is out of it is told so."""
    (own,) = facts(outcome, "stands", hero=name)
    assert said["own"]["before"] == own["before"] and said["own"]["after"] == own["after"]
    assert own["before"] + sum(row["amount"] for row in own["why"]) == own["after"]
    assert bool(said["fell"]) is own["out"] is bool(facts(outcome, "eliminated", hero=name))
    for one in said["sidekicks"]:
        assert facts(outcome, "stands", hero=one["name"])[0]["after"] == one["after"]


def hold_the_blows(outcome: Outcome[State], name: str, said: Facts) -> None:
    """All that came adds up to the damage of the report, each with the amount that the arithmetic shows."""
    came = facts(outcome, "came_out", hero=name)
    assert said["damage"] == (came[0]["damage"] if came else 0)
    did = sum(blow["did"] for blow in said["coming"])
    if said["held"]:
        assert not did and sum(blow["amount"] for blow in said["coming"] if not blow["ignored"]) <= said["defence"]
    assert said["as_ruled"] is (did + said["by_powers"] != said["damage"])
    for blow in said["coming"]:
        gone = facts(outcome, "ignored", by=blow["name"], on=name)
        assert blow["ignored"] is bool(gone) and (not gone or gone[0]["amount"] == blow["amount"])
        how = came[0]["how"] if came else "as ruled"
        amount = 0 if gone else blow["amount"]
        shown = rf"(?<![0-9]){amount} (?:past Defence )?\({re.escape(blow['name'])}\)"
        by_notes = rf"(?<![0-9]){blow['did']} \({re.escape(blow['name'])}[,)]"
        assert how == "as ruled" or not blow["did"] or re.search(f"{shown}|{by_notes}", how)
    for blow in said["made"]:
        others = facts(outcome, "came_out", hero=blow["name"])
        assert not blow["did"] or others[0]["damage"] >= blow["did"] or "as ruled" in others[0]["how"]
        is_ruled = bool(others) and others[0]["how"] == "as ruled"
        assert blow["ruled"] == (others[0]["damage"] if is_ruled else -1)
    assert [one["on"] for one in said["missed"]] == [one["on"] for one in facts(outcome, "wasted", hero=name)]


@given(st.data())
def test_what_happened_in_a_round_is_what_the_report_says(data: st.DataObject) -> None:
    """Whatever was ordered and ruled."""
    state = data.draw(worlds.states())
    hold_to_the_truth(state, RULESET.adjudicate(state, sets_of_all(data, state), rulings_for(data, state), DICE))


@settings(max_examples=at_first(2))
@given(st.data())
def test_what_powers_did_is_what_the_report_says(data: st.DataObject) -> None:
    """Where powers of the archive run, over three rounds."""
    state = data.draw(powers.states())
    for _ in range(3):
        sent = {Seat(seat): read(state, seat, data.draw(powers.orders_of(state, seat))) for seat in state.playing}
        outcome = RULESET.adjudicate(state, sent, Given(), DICE)
        if outcome.asks:
            return
        hold_to_the_truth(state, outcome)
        if outcome.result:
            return
        state = outcome.state


@given(st.data())
def test_what_was_won_is_what_was_sold(data: st.DataObject) -> None:
    """A buyer hears of all that came to them, and of nothing else."""
    state = data.draw(worlds.states(phase="auction", living=True))
    outcome = RULESET.adjudicate(
        state, {one.seat: data.draw(worlds.bids(state)) for one in state.heroes}, Given(), DICE
    )
    for hero in state.heroes:
        said = told(outcome, hero.seat)
        if not said:
            continue
        held = {power.name for power in outcome.state.powers if power.owner == hero.seat and not power.fate}
        before = {power.name for power in state.powers if power.owner == hero.seat}
        thrown = {one["name"] for one in facts(outcome, "power_discarded", hero=hero.name)}
        assert set(said["won"]) - thrown <= held and held - before <= set(said["won"])
        hold_to_the_law(letter("happened", said | SPEAKS), (state, outcome.state))


def test_a_round_is_told_in_a_few_sentences() -> None:
    """Who struck, what held, what it took, and what came of one's own Attacks."""
    state = lay(["ada: Ada 60", "bo: Bo 50", "cy: Cy 40"], {}, DICE)
    sent = {
        Seat("ada"): read(state, "ada", ("attack bo 20", "defend 25", "idle")),
        Seat("bo"): read(state, "bo", ("attack ada 30", "idle")),
        Seat("cy"): read(state, "cy", ("attack ada 10", "defend 30")),
    }
    outcome = RULESET.adjudicate(state, sent, Given(), DICE)
    assert flat(letter("happened", told(outcome, "ada") | SPEAKS)) == (
        "You were attacked by Bo with 30 and Cy with 10. Past your Defence of 25 came 15 of Bo. "
        "Your 20 on Bo did 20. Your Energy went from 60 to 45 (-15 damage)."
    )
    assert flat(letter("happened", told(outcome, "cy") | SPEAKS | {"silent": True})) == (
        "No orders came from you, and the house rule for that spoke for you. Nobody attacked you. "
        "Your 10 on Ada did nothing. You keep your 40 Energy."
    )
