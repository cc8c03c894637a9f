"""The manual of the power language: whole, narrow, true, and never read back as an order."""

import re
from typing import ClassVar

import msgspec
import pytest

from pbem.ground.terms import Complaint, Seat
from pbem.language.phrases import Unread
from pbem.letters.dresses.text import WIDTH
from pbem.ruleset import LibraryRuleset
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.language import expressions, forms, lines, nouns, reading
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.wording import manual
from tests.rulesets.test_rumble_laws import DICE
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter

CITED = r" \[[A-Z][0-9]+(?:, [A-Z][0-9]+)*\](?= )"
FORMS = [(key, kind) for key, kinds in reading.KINDS.items() for kind in kinds]


@pytest.fixture(scope="module")
def told() -> str:
    """The manual as it is sent."""
    return letter("manual", manual.facts())


@pytest.fixture(scope="module")
def flat(told: str) -> str:
    """The manual on one line, without the bars of its examples."""
    return " ".join(told.replace("\n| ", "\n").split())


@pytest.mark.parametrize(("key", "kind"), FORMS, ids=lambda one: getattr(one, "__name__", one))
def test_every_form_stands_in_the_manual_with_what_it_means(flat: str, key: str, kind: type[Formed]) -> None:
    """Each price, event, choice and effect is shown as it is read, with the first words of its docstring."""
    assert forms.spelled_out(kind) in flat
    assert manual.meaning_and_rules(kind.__doc__ or "")["says"] in flat


@pytest.mark.parametrize("word", nouns.NOUNS)
def test_every_word_stands_in_the_manual_with_what_it_means(flat: str, word: str) -> None:
    """Each noun has its shape and its meaning."""
    said = manual.meaning_and_rules(nouns.NOUNS[word].says)["says"]
    assert f" {nouns.shape(word)} {said[0].upper()}{said[1:]}. " in f"{re.sub(CITED, '', flat)} "


def test_every_line_kind_and_sign_stands_in_the_manual(flat: str) -> None:
    """What lines begin with, what fills blanks, and what joins numbers and tests."""
    for key, says in reading.KEYS.items():
        assert f'The line "{key}": {says}.' in flat
    for word in nouns.SAID:
        assert re.search(rf"\b{word.upper()}\b", flat)
    assert " ".join(expressions.COMPARISONS) in flat and "+ - * /" in flat
    assert f"at most {reading.MOST_LINES} lines" in flat


def test_the_manual_follows_the_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form that is new to the language stands in the manual at once."""

    class Dance(Formed, frozen=True):
        """A dance, of so many steps (R1, C99). Slow."""

        FORM: ClassVar[str] = "dance {steps:count} [with {who:hero}]"

    monkeypatch.setattr(reading, "KINDS", {**reading.KINDS, "do": (*lines.EFFECTS, Dance)})
    told = letter("manual", manual.facts())
    assert re.search(r"\n  dance NUMBER \[with HERO\]\n    A dance, of so many steps. Slow. +\[R1, C99\]\n", told)


def test_the_manual_keeps_to_its_columns_and_is_no_order(told: str) -> None:
    """No line is over 56 columns, and none is an order in any phase."""
    assert max(len(line) for line in told.split("\n")) <= WIDTH <= 60
    state = RULESET.setup({Seat("ada"): "Cuttlefish", Seat("bo"): "Plastiquegirl"}, {}, DICE)
    in_round = msgspec.structs.replace(state, phase="round", round=1)
    in_auction = msgspec.structs.replace(state, phase="auction")
    hold_to_the_law("\n".join(re.sub(r"^\| .*", "", line) for line in told.split("\n")), (state, in_round, in_auction))


def test_every_example_of_the_manual_reads(told: str) -> None:
    """Whatever stands behind a bar is a line of the language, and the whole examples are powers of the archive."""
    behind = [line.removeprefix("| ") for line in told.split("\n") if line.startswith("| ")]
    assert len(behind) > 40
    unread = [line for line in behind if isinstance(reading._line(line, {}), Unread)]
    assert unread == ["power P08 =", "end because REASON"], "the two lines between which others are put in force"
    quoted = re.findall(r"^(\S.*)\n(?:: .+\n)+((?:\|.*\n)+)", told, re.MULTILINE)
    powers = {power.name: power.lines for power in archive()}
    assert len(quoted) == len(manual.facts()["examples"]) >= 2
    for name, lines_ in quoted:
        text = re.sub(r"^\| ?", "", lines_, flags=re.MULTILINE).strip()
        assert text == powers[name]
        assert all(isinstance(one, Ability) for one in reading.read(text))


def test_the_examples_show_most_kinds_of_lines(told: str) -> None:
    """Among the whole examples there are a use, what changes damage, and two abilities parted by a blank line."""
    examples = told.partition("A power has one ability")[0]
    begun = set(re.findall(r"^\| ([a-z]+)", examples, re.MULTILINE))
    assert begun >= {"cost", "choose", "instead", "if", "optional", "when", "do"}
    assert "\n|\n" in examples


def test_rumble_offers_its_library() -> None:
    """All 57 powers with all their facts, found by name, beginning or number."""
    assert isinstance(RULESET, LibraryRuleset)
    rows = RULESET.library()
    assert [row["number"] for row in rows] == list(range(1, 58))
    assert set(rows[0]) == set(archive()[0].__struct_fields__)
    whole = rows[47] | RULESET.explain_piece(rows[47]["lines"])
    assert [RULESET.find_piece(said) for said in ("laser", "48", "#48", " Laser Eyes")] == [whole] * 4


@pytest.mark.parametrize(
    "frame",
    ["{}", "power P08 =\n{}\nend", "power Laser Eyes =\n{}\nend because so", "P08 =\n\n{}\nEnd because it says so.\n"],
)
@pytest.mark.parametrize("bar", ["", "| ", " |"])
def test_lines_are_checked_in_any_form_that_letters_and_the_manual_print(frame: str, bar: str) -> None:
    """Behind bars, between the lines that put them in force, or bare: the same power; a mistake keeps its line."""
    two = next(power.lines for power in archive() if "\n\n" in power.lines)

    def checked(lines: str) -> str | tuple[Complaint, ...]:
        assert isinstance(RULESET, LibraryRuleset)
        return RULESET.read_piece("\n".join(bar + row for row in frame.format(lines).split("\n")))

    assert checked(two) == two
    wrong = checked("do: deel 5 to me")
    at = frame.format("*").split("\n").index("*") + 1
    assert isinstance(wrong, tuple) and [(one.line, one.text) for one in wrong] == [(at, "do: deel 5 to me")]


def test_a_power_on_one_line_is_checked_without_its_reason() -> None:
    """As a moderator may write it; of `end` without its beginning it is said that it is no line."""
    assert isinstance(RULESET, LibraryRuleset)
    assert RULESET.read_piece("do P03 = cost: burn 3; do: gain me 3 because REASON") == "cost: burn 3\ndo: gain me 3"
    found = RULESET.read_piece("do: gain me 3\nend")
    assert isinstance(found, tuple) and found[0].line == 2


@pytest.mark.sweep
def test_the_lines_of_the_archive_stand_their_trial() -> None:
    """What a moderator would paste of it is read as it stands, and tried."""
    assert isinstance(RULESET, LibraryRuleset)
    assert [RULESET.read_piece(row["lines"]) for row in RULESET.library()] == [one.lines for one in archive()]


@pytest.mark.parametrize("said", ["0", "58", "9999", "#"])
def test_a_number_of_no_power_is_told_in_words(said: str) -> None:
    """There are 57."""
    assert isinstance(RULESET, LibraryRuleset)
    found = RULESET.find_piece(said)
    assert isinstance(found, Unread) and (said == "#" or "1 to 57" in found.because)
