"""What a power's lines are read back as is what the engine does; and what is not so does not run, and says why."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import EVERYONE, MODERATOR_ALONE, Given, Seat
from pbem.language.phrases import Unread
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.do_lines import read as read_effect
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Attack, Defend, Order
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.powers.engine import active_abilities
from pbem.rulesets.rumble.powers.language.runnable import abilities, complaints, runs
from pbem.rulesets.rumble.powers.wording.descriptions import describe
from pbem.rulesets.rumble.rehearsal import power_library
from pbem.rulesets.rumble.round import powers_at_work
from tests.depth import some
from tests.rulesets.rumble_read_back import Round, reckoned
from tests.rulesets.test_rumble_laws import DICE, read
from tests.rulesets.test_rumble_letters import letter, private, public, report


def arena(lines: str = "", *, energy: int = 100) -> State:
    """Three heroes, the first of whom has a power with these lines."""
    heroes = (Hero(Seat("ada"), "Ada", energy), Hero(Seat("bo"), "Bo"), Hero(Seat("cy"), "Cy"))
    powers = (Power(1, "Zap", "It zaps.", owner="ada", strength=20, lines=lines),)
    return State(phase="round", round=2, house={**DEFAULTS, "left_over": "idle"}, heroes=heroes, powers=powers)


HINDERED = [
    ("when: damage to me\nif: energy(me) < 40\ndo: gain me 10", 2, "before the blows"),
    ("when: after damage\ndo: gain me 10 if energy(me) < 40", 2, "before the blows"),
    ("when: damage to me\ndo: lose least(energy, opponents) 5", 2, "before the blows"),
    ("when: death of me\ndo: deal energy(me) to others\ndo: revive me 1\ndo: discard this", 2, "before the blows"),
    ("when: damage to me\nnth: 1 each game\nif: amount >= 20\ndo: gain me 50", 3, "used up"),
    ("when: attack by H to me\nnth: 1 each round\ndo: gain me 5 if attack(H, me) > 20", 3, "used up"),
    ("cost: spend 5\ninstead: damage to me\nnth: 1 each round\ndo: damage = 0", 3, "activate 1"),
    ('instead: damage to me\noptional\nask: "Is it full moon?"\ndo: damage += 5', 3, "caption"),
    ('ask: "Is it so?"\ndo: gain me 10', 1, "caption"),
    ("instead: damage to me\ndo: gain me amount", 1, "Something is done with the damage"),
    ("when: attack by H to me of energy(H) or more\ndo: gain me 5", 1, "not known yet"),
    ("when: damage by targets(H) to H\ndo: gain me 5", 1, "not known yet"),
    ("each: H in H\ndo: eliminate H at the end of next round", 1, "not known yet"),
    ("when: damage to me\nchoose: T = hero where T != me\ndo: gain T 5", 2, "not known yet"),
    ("when: damage by me\nnth: 1 each round per T\nchoose: T = hero\ndo: gain T 5", 2, "has been counted"),
    ("when: damage by any to me\ndo: gain me 5", 1, "nobody, who is not anybody"),
    ("when: damage by me to H\ndo: defence(H) *= 1 / 2 next round", 2, "whole number"),
    ("when: damage to me\nchoose: T = hero\nchoose: V = opponent\ndo: gain T 5\ndo: lose V 5", 3, "one thing"),
    ("when: round end\nif: energy(me) < 50\ndo: gain me 30\ndo: discard this", 2, "two abilities"),
    ("when: round end\ndo: discard this\n\nwhen: round end\ndo: win me", 5, "gone by then"),
    ("when: round end\neach: H in opponents\ndo: give this to H", 3, "once"),
    ("cost: spend 5\nat: reveal\ndo: defence(me) += 5", 2, "nothing is spent"),
    ("cost: spend 5\nchoose: T = hero\nchoose: T = opponent\ndo: deal 5 to T", 3, "another letter"),
    ("cost: spend 5\nchoose: T = hero\ninstead: damage by T in opponents to me\ndo: damage = 0", 3, "another letter"),
    ("cost: spend 10\ndo: defence(me) += 10\n\nwhen: round start\ndo: lose me 5", 5, "start of a round"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "number", "because"), some(4, HINDERED))
def test_lines_that_are_not_done_as_they_read_are_named_with_the_reason(lines: str, number: int, because: str) -> None:
    """By `power check`, each with its number; and by the answer to `power P01 =`, in its words."""
    assert abilities(lines) and not runs(lines)
    found = [one for one in complaints(lines) if because in one.because]
    assert [(one.line, one.text) for one in found] == [(number, lines.split("\n")[number - 1])], complaints(lines)
    checked = power_library.read_piece(f"power P01 =\n{lines}\nend because it says so")
    assert not isinstance(checked, str) and found[0].because in [one.because for one in checked]
    assert checked[0].line in (number + 1, *(one.line + 1 for one in complaints(lines)))
    ruled = read_effect(arena(), f"power P01 = {'; also; '.join(lines.split(chr(10) * 2)).replace(chr(10), '; ')}")
    assert isinstance(ruled, Unread) and ruled.fault == "illegal"
    assert found[0].text in ruled.because and complaints(lines)[0].because in ruled.because


def test_a_question_is_read_back_as_what_it_is() -> None:
    """Of captions with their rules; of anything else as a question, and nothing of captions."""
    for question, is_caption in (("Is the caption a sound effect?", True), ("Is it full moon?", False)):
        (slots,) = describe(
            abilities(f'instead: damage to any\noptional\nask: "{question}"\ndo: damage += 5'), DEFAULTS
        )
        said = {slot["head"]: " ".join(slot["says"]) for slot in slots}
        assert said["Only if"] == f'the moderator says yes to "{question}"'
        assert ("each is shouted once in the game" in said["I assumed"]) == is_caption


def test_a_power_whose_lines_ran_once_and_do_not_any_more_is_the_moderators() -> None:
    """The round is played without it; all are told, the moderator which line and why; orders for it still read."""
    lines = "cost: spend 10\ninstead: damage to me\nnth: 1 each round\ndo: damage = 0"
    state = arena(lines)
    assert active_abilities.used_ability(state.powers[0]) is not None
    orders = {Seat("ada"): read(state, "ada", ("use Zap x2",)), Seat("bo"): read(state, "bo", ("attack Ada 30",))}
    outcome = RULESET.adjudicate(state, {**orders, Seat("cy"): ()}, Given(), DICE)
    assert outcome.state.hero("ada").energy == 70 and outcome.state.powers[0].lines == ""
    heard = {event.kind: event.to for event in outcome.events}
    assert heard["power_manual"] == EVERYONE and heard["lines_retired"] == MODERATOR_ALONE
    assert "no longer runs by itself; the moderator says what it does" in " ".join(report(public(outcome)).split())
    proof = letter("private", private(outcome))
    assert "nth: 1 each round" in proof and "activate 1" in " ".join(proof.split())
    again = RULESET.adjudicate(outcome.state, dict.fromkeys(orders, ()), Given(), DICE)
    assert "lines_retired" not in {event.kind for event in again.events}


def test_what_the_moderator_says_of_such_a_power_goes_before() -> None:
    """`manual` says it first; new lines count from the next round on, and that the old ones did nothing is told."""
    state = arena("when: damage to me\nif: energy(me) < 90\ndo: gain me 10")
    for said, kinds, after in (
        ("manual P01", ["power_manual"], ""),
        ("power P01 = do: gain me 3", ["power_runs", "power_manual", "lines_retired"], "do: gain me 3"),
    ):
        outcome = RULESET.adjudicate(state, {}, Given(effects=(said,)), DICE)
        found = [e.kind for e in outcome.events if e.kind.startswith(("power_runs", "power_manual", "lines"))]
        assert found == kinds and outcome.state.powers[0].lines == after


def test_lines_that_were_taken_in_this_phase_and_do_not_run_are_told() -> None:
    """An upgrade between the ruling and the close: the moderator reads which line, and the power stays as it was."""
    said = "power P01 = when: damage to me; if: energy(me) < 90; do: gain me 10"
    outcome = RULESET.adjudicate(arena(), {}, Given(effects=(said,)), DICE)
    (idle,) = [event for event in outcome.events if event.kind == "effect_idle"]
    assert "before the blows" in idle.facts["because"] and idle.to == MODERATOR_ALONE
    assert outcome.state.powers == msgspec.structs.replace(arena()).powers


MOMENTS = (
    "", "when: after damage", "when: damage to me", "when: damage by opponents to me", "when: damage by me to opponents",
    "instead: damage to me", "when: attack by opponents to me", "when: attack by opponents to me of 15 or more",
    "when: round end",
)  # fmt: skip
TESTS = ("energy(me) < 55", "energy(me) >= 50", "amount >= 10", "defence(me) > 10", "attack(me) <= 20", "round > 2")
EFFECTS = ("gain me 7", "lose me 3", "lose opponents 4", "deal 5 to opponents unblockable")
CHANGES = ("damage = 0", "damage += 6", "damage -= 6", "damage *= 2")


@st.composite
def drawn_lines(draw: st.DrawFn) -> str:
    """Draw an ability that reads, of those whose read-back the reckoner knows."""
    moment = draw(st.sampled_from(MOMENTS))
    said = [moment] if moment else []
    if "damage t" in moment or "damage b" in moment or "attack" in moment:
        said += draw(st.sampled_from(([], ["nth: 1 each round"], ["nth: 2 each round"])))
    tests = TESTS if "damage t" in moment or "damage b" in moment else [one for one in TESTS if "amount" not in one]
    said += [f"if: {draw(st.sampled_from(tests))}"] * draw(st.integers(0, 1))
    effects = [one for one in EFFECTS if "by me" not in moment or "deal" not in one]  # that would strike without end
    said += [f"do: {one}" for one in draw(st.lists(st.sampled_from(effects), min_size=1, max_size=2, unique=True))]
    said += [f"do: {draw(st.sampled_from(CHANGES))}"] * (draw(st.integers(0, 1)) if moment.startswith("instead") else 0)
    return "\n".join(said)


@st.composite
def drawn_rounds(draw: st.DrawFn) -> Round:
    """Draw a round in which nobody falls."""
    seats = ("ada", "bo", "cy")
    energy = {seat: draw(st.integers(48, 70) if seat == "ada" else st.just(100)) for seat in seats}
    pairs = [(by, on) for by in seats for on in seats if by != on]
    attacks = {pair: draw(st.sampled_from([0, 0, 6, 12, 18])) for pair in pairs}
    defences = {seat: draw(st.sampled_from([0, 8, 12])) for seat in seats}
    return Round(energy, {pair: n for pair, n in attacks.items() if n}, defences)


def played(lines: str, scene: Round) -> dict[str, int]:
    """Return everybody's Energy at the end of a round as the engine plays it."""
    heroes = tuple(Hero(Seat(seat), seat.title(), energy) for seat, energy in scene.energy.items())
    state = msgspec.structs.replace(arena(lines), heroes=heroes)
    orders: dict[Seat, tuple[Order, ...]] = {}
    for seat, defence in scene.defences.items():
        hits = [Attack(on, n) for (by, on), n in scene.attacks.items() if by == seat]
        orders[Seat(seat)] = (*hits, Defend(defence))
    return {hero.seat: hero.energy for hero in RULESET.adjudicate(state, orders, Given(), DICE).state.heroes}


@given(drawn_lines(), drawn_rounds())
def test_what_runs_comes_out_as_its_read_back_says(lines: str, scene: Round) -> None:
    """Reckoned from the words alone, by somebody who knows no formal line: when, how often, only if, effect."""
    assert abilities(lines), lines
    if runs(lines):
        assert played(lines, scene) == reckoned(lines, scene), lines


HITS = Round({"ada": 60, "bo": 100, "cy": 100}, {("bo", "ada"): 6, ("cy", "ada"): 18}, {"ada": 0, "bo": 0, "cy": 0})


@pytest.mark.parametrize(
    "lines",
    [
        "when: after damage\nif: energy(me) < 55\ndo: gain me 7",
        "when: damage to me\nif: energy(me) < 55\ndo: gain me 7",
        "when: damage to me\nnth: 1 each round\nif: amount >= 10\ndo: gain me 7",
        "instead: damage to me\nnth: 1 each round\nif: amount >= 10\ndo: damage = 0",
    ],
)
def test_the_reckoner_finds_what_is_not_done_as_it_reads(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such lines do not run; if they did, they would come out otherwise than their words say."""
    assert not runs(lines)
    monkeypatch.setattr(powers_at_work, "running_abilities", abilities)
    monkeypatch.setattr(application, "complaints", lambda text: ())
    assert played(lines, HITS) != reckoned(lines, HITS)
