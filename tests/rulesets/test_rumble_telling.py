"""Formal lines in plain words, in an example, in a trial, and beside each other: nothing of the language is left out."""

import re

import pytest

from pbem.ground.terms import EVERYONE, Event, Given, Seat
from pbem.language.phrases import Unread
from pbem.ruleset import ExplainingRuleset
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Attack, Defend, Order
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.powers.archive import Archived, archive, find
from pbem.rulesets.rumble.powers.engine.meetings import meetings
from pbem.rulesets.rumble.powers.language import expressions, forms, lines, nouns, reading
from pbem.rulesets.rumble.powers.language.expressions import Call, Name
from pbem.rulesets.rumble.powers.language.forms import Blank, Formed, Stuck
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.powers.wording import descriptions, outcomes, phrasing
from pbem.rulesets.rumble.rehearsal import examples, trials
from tests.rulesets.test_rumble_laws import DICE
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter, report

RUNNING = [power for power in archive() if runs(power.lines)]
FILLED = {"number": "7", "hero": "me", "heroes": "all", "power": "this", "attack": "A", "use": "U", "anybody": "any",
          "party": "me", "test": "round > 1", "count": "2", "most": "all", "key": "energy", "text": '"Flight"',
          "span": "game", "new": "T"}  # fmt: skip
WORDED = [(outcomes.effect, one) for one in lines.EFFECTS] + [(descriptions.event, one) for one in lines.EVENTS]


def lines_of(name: str) -> str:
    """Return the formal lines of a power of the archive."""
    found = find(name)
    assert isinstance(found, Archived)
    return found.lines


def filled(kind: type[Formed], *, whole: bool) -> Formed:
    """Make a part of a line from its form, with all that may be left out or with none of it."""
    said = [
        (FILLED.get(piece.what) or piece.words[0]) if isinstance(piece, Blank) else piece.text
        for part in forms.form(kind.FORM)
        for piece in (part.pieces if whole or not part.perhaps else ())
    ]
    tokens = expressions.tokens(re.sub(r" (?=\()", "", " ".join(said)))
    assert not isinstance(tokens, Unread)
    found = forms.read(expressions.Reader(tokens), (kind,))
    assert not isinstance(found, Stuck), (said, found)
    return found


@pytest.mark.parametrize(
    ("tell", "kind"), [*WORDED, *((descriptions.price, one) for one in lines.PRICES)], ids=lambda one: one.__name__
)
def test_every_form_has_plain_words(tell: object, kind: type[Formed]) -> None:
    """Each effect, event and price, bare and with all that may be added, is told in words that are not its formal ones."""
    for whole in (False, True):
        one = filled(kind, whole=whole)
        told = tell(one, {"A": "that Attack", "U": "that use"})  # type: ignore[operator]
        assert told and not re.search(r"[_=*]|\bme\b", told), (kind, told)


@pytest.mark.parametrize("word", nouns.NOUNS)
def test_every_noun_has_plain_words(word: str) -> None:
    """Each word of expressions, with whatever stands in its brackets."""
    assert phrasing.has_words(word), f"{word} has no plain words in phrasing.py"
    noun = nouns.NOUNS[word]
    of = Call(word, tuple(_sample(kind) for kind in noun.of)) if noun.of else Name(word)
    told = {"test": phrasing.true, "heroes": phrasing.hero}.get(noun.kind, phrasing.spoken)(of, {})
    assert told and not re.search(r"[_(]|\bme\b", told.replace("(1 for", "")), told


def _sample(kind: str) -> expressions.Expression:
    tokens = expressions.tokens(FILLED[kind])
    assert not isinstance(tokens, Unread)
    found = expressions.read(expressions.Reader(tokens), "test")
    assert not isinstance(found, Unread)
    return found


def test_the_archive_is_told_without_a_formal_word() -> None:
    """No slot of any of the 57 holds a word or a sign of the formal language."""
    for power in archive():
        effects = reading.read(power.lines)
        for slot in (slot for slots in descriptions.describe(effects, DEFAULTS) for slot in slots):  # type: ignore[arg-type]
            for said in slot["says"]:
                assert said and not re.search(r"[_=*]|\bme\b|\bit\b [<>]|as the line says", said), (power.name, said)


@pytest.mark.parametrize("step", [50, pytest.param(5, marks=pytest.mark.sweep)])
def test_no_line_of_what_is_read_back_is_an_order(step: int) -> None:
    """In the echo and in the report, for a handful of powers, and in the words of another genre."""
    for genre in ("superhero", "racing"):
        heroes = tuple(Hero(Seat(name.lower()), name) for name in examples.NAMES.values())
        powers = (Power(1, "Zap", "", owner="ann"),)
        state = State(phase="round", round=1, house={**DEFAULTS, "genre": genre}, heroes=heroes, powers=powers)
        effects = [f"power P01 = {reading.on_one_line(reading.read(power.lines))}" for power in RUNNING[::step]]  # type: ignore[arg-type]
        assert isinstance(RULESET, ExplainingRuleset)
        rows = [RULESET.explain(state, effect) for effect in effects]
        facts = {"number": "P01", "name": "Zap", "lines": "do: gain me 3"}
        events = [Event(kind="power_runs", to=EVERYONE, facts=facts | {"abilities": row["abilities"]}) for row in rows]
        hold_to_the_law(letter("explained", {"rows": rows}) + report({"events": events}), (state,))
        assert ("lap" in str(rows)) == (genre == "racing")


def test_slots_say_what_was_understood_and_what_was_assumed() -> None:
    """Tai-Chi, slot by slot; damage of a power goes by the house rule."""
    (slots,) = descriptions.describe(reading.read(lines_of("Tai-Chi")), DEFAULTS)  # type: ignore[arg-type]
    assert [(one["head"], one["says"][0]) for one in slots] == [
        ("Cost", "spend 20 (tied up for the round, then it comes back)"),
        ("How often", "at most once in a round"),
        ("You choose", "one opponent"),
        ("When", "as the round is resolved"),
        ("Effect", "your Defence goes up by the Defence of the opponent you choose"),
        ("Lasts", "this round"),
        ("I assumed", "an Attack or a Defence is looked at as powers have changed it [C18, A35]"),
    ]
    for value, said in (("yes", "Defence can stop this damage, like an Attack [A13]"), ("no", "goes past Defence")):
        house = {**DEFAULTS, "power_damage_blockable": value}
        (told,) = descriptions.describe(reading.read(lines_of("Air Strike")), house)  # type: ignore[arg-type]
        assert any(said in text for text in told[-1]["says"])


def test_each_power_that_runs_makes_a_difference_in_its_example() -> None:
    """Of the archive those alone change nothing that are about the auction, or about powers that the scenes do not have."""
    plain = [power.name for power in RUNNING if not examples.example_of(power.lines, DEFAULTS).differences]
    assert plain == [
        "Expert Training", "Technical Training", "Weak Hands", "Zypher", "Alternate Universe", "Pure Energy Being",
        "Sidekick", "Precognition", "Precognition (2003)",
    ]  # fmt: skip
    assert examples.example_of(lines_of("Reflex Training"), DEFAULTS).differences == (
        "With it Ann loses 35, without it 45.",
    )
    assert (
        examples.example_of(lines_of("Sharp Knives"), DEFAULTS).differences[0]
        == "Bo is to take 2 in each of the next 2 rounds."
    )
    assert examples.example_of("do: gain me 5 if round == 999", DEFAULTS).differences == ()


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("when: damage to me\ndo: deal 5 to me unblockable", "would not end"),
        (f"when: damage by me\ndo: deal {' * '.join(['amount'] * 30)} to all unblockable", "would not end"),
        ("do: gain me " + "count(all where " * 4 + "energy(me) > 1" + ") > 1" * 3 + ")", "sets of heroes"),
    ],
)
def test_lines_that_break_a_trial_are_refused(said: str, wrong: str) -> None:
    """What does not end, even with numbers beyond all measure, and what would take for ever to look at."""
    assert runs(said) and wrong in trials.tried(said).wrong


def test_a_trial_warns_of_what_is_suspicious() -> None:
    """A win in the first round, endless blows between two owners, riches; a plain power is not suspicious."""
    for said, warning in (
        ("when: round end\ndo: win me", "wins in the very first round"),
        ("when: damage by opponents to me\ndo: deal 5 to source unblockable", "without end"),
        ("cost: spend X\ndo: gain me 20 * X", "more than 100 Energy"),
        ("when: damage by me to H\ndo: deal 2 to H in each of the next 1 rounds", "round after round, without end"),
        (
            "when: damage by me to H\ndo: deal 0 to H\n\nwhen: damage to me\ndo: deal 1 to all in each of the next 3 rounds",
            "round after round, without end",
        ),
        (
            "when: damage by opponents to me\ndo: deal 5 to source unblockable in each of the next 1 rounds",
            "go on between them, without end",
        ),
    ):
        tried = trials.tried(said)
        assert not tried.wrong and any(warning in one for one in tried.warnings)
    for said in (
        lines_of("Tough Skin"),
        lines_of("Sharp Knives"),
        "when: damage by me to H\nnth: 1 each game\ndo: deal 2 to H in each of the next 5 rounds",
        "when: damage by opponents to me\ndo: deal 2 to me from nobody in each of the next 5 rounds",
    ):
        assert not [one for one in trials.tried(said).warnings if "without end" in one]
    assert trials.tried(lines_of("Tough Skin")) == trials.Trial()


@pytest.mark.sweep
def test_the_archive_passes_its_trial() -> None:
    """Whatever runs of it is refused for nothing and suspicious of nothing."""
    assert {power.name: found for power in RUNNING if (found := trials.tried(power.lines)) != trials.Trial()} == {}


def pool(*said: str) -> list[Power]:
    """Return powers of a pool with these lines."""
    return [Power(number, f"Power {number}x", "", lines=lines) for number, lines in enumerate(said, 1)]


SECOND = "instead: damage to me\nnth: 2 each round\ndo: damage = 0"


@pytest.mark.parametrize(
    ("low", "high", "default"),
    [
        ("do: defence(me) = 40 final", lines_of("Ghost Punch"), "P02 Power 2x counts, the higher number"),
        ("do: defence(me) = attack(me) final", "do: defence(me) = 9 final", "P01 Power 1x counts where it has to wait"),
        (SECOND, lines_of("Galactic Helm"), "what it prevents is no damage for P02"),
        ("instead: damage to me\ndo: damage -= 5", "instead: damage by me\ndo: damage += 5", "P01 Power 1x goes first"),
        (lines_of("Hidden Clone"), lines_of("Hidden Clone"), "P01 Power 1x does so"),
        (lines_of("Disarming Strike"), lines_of("Disarming Strike"), "discarded once"),
        (lines_of("Ghost Punch"), "do: defence(me) = 0 final", ""),
        (lines_of("Ghost Punch"), lines_of("Flight"), ""),
        ("do: defence(me) *= 2", "do: defence(me) += 5", ""),
        ("instead: attack damage to me\ndo: damage -= 5", "instead: power damage to me\ndo: damage += 5", ""),
        ("instead: damage to me\ndo: damage = 0", "instead: damage to me\ndo: damage = 0", ""),
        ("when: round end\ndo: win me", "when: round end\ndo: win me", ""),
    ],
)
def test_two_powers_are_asked_about_only_where_their_order_matters(low: str, high: str, default: str) -> None:
    """One question for a pair, with what holds; none for pairs that come to the same either way."""
    found = meetings(pool(low, high))
    assert len(found) == bool(default) and all(default in one.default for one in found)


def test_two_pairs_of_the_archive_need_a_question() -> None:
    """Of all that run two pairs are in each other's way: they prevent the same damage, they take the same power."""
    found = meetings(pool(*(power.lines for power in RUNNING)))
    pairs = [[RUNNING[int(number) - 1].name for number in re.findall(r"P(\d\d) ", one.question)] for one in found]
    assert pairs == [["Lizard DNA", "Galactic Helm"], ["Disarming Strike", "Devourer"]]


@pytest.mark.parametrize(("low", "high", "left"), [("-=", "+=", 100), ("+=", "-=", 97)])
def test_the_default_of_a_question_is_what_happens(low: str, high: str, left: int) -> None:
    """Of two that change 3 damage by 5 the lower number goes first, and what has come to 0 is not added to."""
    heroes = (Hero(Seat("ada"), "Ada"), Hero(Seat("bo"), "Bo"))
    powers = tuple(
        Power(number, f"Power {number}x", "", owner="bo", lines=f"instead: damage to me\ndo: damage {sign} 5")
        for number, sign in ((1, low), (2, high))
    )
    state = State(phase="round", round=1, house=DEFAULTS, heroes=heroes, powers=powers)
    orders: dict[Seat, tuple[Order, ...]] = {Seat("ada"): (Attack("bo", 3),), Seat("bo"): (Defend(0),)}
    assert RULESET.adjudicate(state, orders, Given(), DICE).state.hero("bo").energy == left
