"""The power archive of Rumble: whole, printable, numbered, ruled on in sentences, and found by name."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from pbem.language.phrases import Unread, unseen
from pbem.rulesets.rumble.powers import archive as archived
from pbem.rulesets.rumble.powers.archive import Archived, archive, find

FOLDER = Path(archived.__file__).parent
RULES = (FOLDER.parent.parent / "RULES.md").read_text(encoding="utf-8")
ALL = pytest.mark.parametrize("power", archive(), ids=lambda power: power.name)


def texts(power: Archived) -> tuple[str, ...]:
    """Return everything about a power that people read."""
    return (power.name, power.author, power.aspect, power.text, *power.rulings, power.order, power.default, power.note)


def test_fifty_seven_powers_have_a_number_each() -> None:
    """They stand in order of number, 1 to 57 without a gap."""
    assert [power.number for power in archive()] == list(range(1, 58))


def test_no_two_powers_share_a_name() -> None:
    """Even in small letters each name is there once."""
    assert len({power.name.casefold() for power in archive()}) == 57


def test_the_tiers_are_as_large_as_the_sources_have_them() -> None:
    """38 unsorted, 5 intermediate and 2 advanced powers are listed, and the rules give 12 examples."""
    tiers = Counter(power.tier for power in archive())
    assert tiers == {"unsorted": 38, "intermediate": 5, "advanced": 2, "examples": 12}


def test_the_list_has_three_curses_and_one_sidekick() -> None:
    """All others, and all examples, are normal powers."""
    kinds = Counter((power.type, power.tier == "examples") for power in archive())
    assert kinds == {("normal", False): 41, ("curse", False): 3, ("sidekick", False): 1, ("normal", True): 12}


def test_only_examples_lack_an_author_or_an_aspect() -> None:
    """Each listed power names both, and of the examples four name their author."""
    assert all(power.author and power.aspect for power in archive() if power.tier != "examples")
    examples = [power for power in archive() if power.tier == "examples"]
    assert [power.author for power in examples if power.author] == ["Raven", "Sandy", "Kevan", "Ben"]
    assert not any(power.aspect for power in examples)


@ALL
def test_every_text_is_one_line_that_can_be_printed(power: Archived) -> None:
    """No line end of any kind, no control character, nothing that nobody can see, no blank at either end."""
    assert power.name and power.text
    for text in texts(power):
        assert text.isprintable() and not unseen(text) and text == " ".join(text.split())


@ALL
def test_rulings_are_whole_sentences(power: Archived) -> None:
    """A ruling and a default begin with a capital letter and end in a full stop."""
    for text in (*power.rulings, *filter(None, (power.default, power.note))):
        assert re.fullmatch(r"[A-Z].*[^.]\.", text), text


@ALL
def test_rulings_cite_rules_that_exist(power: Archived) -> None:
    """What stands in square brackets is a key that RULES.md explains."""
    brackets = [found for ruling in power.rulings for found in re.findall(r"\[(.*?)\]", ruling)]
    for key in brackets:
        assert re.fullmatch(r"[A-Z][0-9]+", key)
        assert f"**{key}**" in RULES, key


@ALL
def test_who_may_write_an_order_is_told_what_silence_does(power: Archived) -> None:
    """A power has both an order and a default, or neither."""
    assert bool(power.order) == bool(power.default)


@ALL
def test_an_order_names_its_power(power: Archived) -> None:
    """Lines that begin with use, bid, give or hold hold the name of the power, letter for letter."""
    if power.order.startswith(("use ", "bid ", "give ", "hold ")):
        assert f" {power.name}" in power.order


def test_a_power_cannot_be_changed() -> None:
    """The archive is the same for all games."""
    with pytest.raises(AttributeError):
        archive()[0].text = "Spend 0: win."  # type: ignore[misc]
    assert archive() is archive()


def test_a_field_that_nobody_knows_is_refused() -> None:
    """A slip in a key of the data is found when it is read."""
    with pytest.raises(msgspec.ValidationError, match="ruling"):
        msgspec.convert({"ruling": []}, Archived)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_each_file_of_the_archive_begins_with_what_it_holds(path: Path) -> None:
    """Line one is a comment, a sentence; and no file lies there unread."""
    text = path.read_text(encoding="utf-8")
    first = text.split("\n", 1)[0]
    assert first.startswith("# ") and first.endswith(".")
    numbers = [power["number"] for power in tomllib.loads(text)["power"]]
    assert numbers == [power.number for power in archive() if power.tier == path.stem]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("galactic helm", "Galactic Helm"),
        ("GALACTIC  HELM.", "Galactic Helm"),
        ("tai chi", "Tai-Chi"),
        ("big gnashy claws", "Big, Gnashy Claws"),
        ("Claws", "Big, Gnashy Claws"),
        ("Lazer", "Lazer Eyes"),
        ("laser eyes", "Laser Eyes"),
        ("precognition", "Precognition"),
        ("precognition (2003)", "Precognition (2003)"),
        ("Galactic Hlem", "Galactic Helm"),
        ("Pseudonite", "Psuedonite"),
        ("Javelin", "Javalin"),
        ("Disagreable Wen Angry", "Disagreeable When Angry"),
    ],
)
def test_a_power_is_found_by_its_name(said: str, name: str) -> None:
    """Case, blanks, a unique beginning and a slip make no difference; an exact name goes before all else."""
    found = find(said)
    assert isinstance(found, Archived)
    assert found.name == name


@pytest.mark.parametrize(
    ("said", "fault", "words"),
    [
        ("Galactic", "ambiguous", "Galactic Helm or Galactic Ray Gun"),
        ("Lacer Eyes", "ambiguous", "Lazer Eyes or Laser Eyes"),
        ("Galatick Helmet", "unreadable", "Did you mean Galactic Helm?"),
        ("Zzyzx", "unreadable", "There is no power of that name."),
        ("", "unreadable", "There is no power of that name."),
    ],
)
def test_a_name_that_fits_none_or_several_is_answered_in_words(said: str, fault: str, words: str) -> None:
    """Nothing is guessed: the answer holds the names that would have worked."""
    found = find(said)
    assert isinstance(found, Unread)
    assert found.fault == fault
    assert words in found.because
