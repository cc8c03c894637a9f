"""Powers as people write them down, with chat around them: none is taken wrong without its writer being asked."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ruleset import Dice, OrderLine, Parsed, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.order import Amend, Invent
from pbem.rulesets.rumble.model.state import Power, State

ADA = Seat("ada")
MAILS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "invented_powers.toml").read_text())["mail"]
INVENTING: State = RULESET.setup({ADA: "Captain Anvil", Seat("bo"): "Mantisman"}, {}, Dice(bytes(32)))
OWN = (Power(3, "Ink Cloud", "Spend 2.", author="ada"), Power(7, "Glass Jaw", "2 more.", author="ada", kind="flaw"))
AMENDING = msgspec.structs.replace(INVENTING, phase="amend", powers=OWN)


def heard(state: State, mail: str) -> Parsed[Any]:
    """Read a mail."""
    lines = [OrderLine(number, text) for number, text in enumerate(mail.strip().split("\n"), 1)]
    return RULESET.hear(state, ADA, lines)


def taken(state: State, mail: str) -> tuple[list[tuple[str, str, str]], bool]:
    """Return what a mail sends, and whether its writer is asked about some of it."""
    found = heard(state, mail)
    made = [(one.name, one.text, str(one.kind)) for one in found.orders if isinstance(one, Invent)]
    made += [(one.power, one.text, "") for one in found.orders if isinstance(one, Amend)]
    return sorted(made), bool(found.doubts or found.complaints)


def plain(text: str, name: str) -> str:
    """Return a text without what is left to its reader: quotation marks, the name as its subject, a stop."""
    said = " ".join(text.split()).replace("\u2013", "-").strip(" \"'*_").rstrip(".!").casefold()
    return said.removeprefix(f"{name.casefold()} ").removeprefix("it ")


def is_meant(made: Sequence[tuple[str, str, str]], mail: dict[str, Any]) -> bool:
    """Say whether just what a careful moderator takes was taken; a power of the archive has its own text."""
    want = [(one["name"], one["text"], one["kind"]) for one in mail.get("powers", ())]
    want += [(one["power"], one["text"], "") for one in mail.get("amends", ())]
    pairs = zip(
        sorted(made, key=lambda one: one[0].casefold()), sorted(want, key=lambda one: one[0].casefold()), strict=False
    )
    return len(made) == len(want) and all(
        (one[0].casefold(), one[2]) == (other[0].casefold(), other[2])
        and (not other[1] or plain(one[1], one[0]) == plain(other[1], other[0]))
        for one, other in pairs
    )


def test_none_is_taken_wrong_unless_its_writer_is_asked() -> None:
    """Most are taken as they were meant, at once or shown; the rest is asked about, but for one."""
    found = Counter[str]()
    for mail in MAILS:
        made, is_asked = taken(AMENDING if mail["phase"] == "amend" else INVENTING, mail["text"])
        kind = "right" if is_meant(made, mail) else "nothing" if not made else "wrong"
        found[f"{kind}, asked" if is_asked else kind] += 1
    assert found["wrong"] <= 1, found
    assert found["right"] + found["right, asked"] >= 45, found


BEHIND = (
    "Scrap that.", "forget this one", "make that 20 instead", "Can you make it a curse?", "The first is a flaw.",
    "ignore the second", "It costs 5 to use.", "only once per game", "Both are flaws.", "no wait, +20",
    "My power 2: see above", "what do you think, is it too strong", "*Fog Bank",
)  # fmt: skip


@given(st.sampled_from(BEHIND), st.booleans(), st.booleans())
def test_what_may_speak_of_a_power_is_asked_about(said: str, is_apart: bool, has_two: bool) -> None:
    """Right below its text, or a blank line below; never passed over, and never printed without a word."""
    first = "power: Dust Wings\ntext: +10 to your Defence."
    whole = f"{first}\n\npower: Big Tree\ntext: You cannot attack." if has_two else first
    found = heard(INVENTING, f"{whole}\n{chr(10) if is_apart else ''}{said}")
    assert found.doubts or found.complaints, found


KINDLY = (
    "Hope you like them!",
    "Thanks for running this",
    "Cheers",
    "good luck everyone",
    "Have fun",
    "Sorry for the delay.",
)


@given(st.sampled_from(KINDLY), st.sampled_from(("above", "below", "between")))
def test_kind_words_are_no_part_of_a_text(said: str, where: str) -> None:
    """Wherever they stand, apart from the powers; nobody waits for a yes to them."""
    first, second = "power: Dust Wings\ntext: +10 to your Defence.", "2. Slow (flaw) - attack last"
    parts = {"above": (said, first, second), "below": (first, second, said), "between": (first, said, second)}[where]
    made, is_asked = taken(INVENTING, "\n\n".join(parts))
    assert made == [("Dust Wings", "+10 to your Defence.", "power"), ("Slow", "attack last", "flaw")] and not is_asked


@pytest.mark.parametrize(
    ("mail", "names"),
    [
        ("1. Dino Roar: everyone runs away\n2. Slime Shot: sticks 1 person", ["Dino Roar", "Slime Shot"]),
        ("**Dragon Breath** - burns a hero for 5\n**Eagle Eye** - sees hidden stuff", ["Dragon Breath", "Eagle Eye"]),
        ("power: Clumsy text: I trip over things type: flaw", ["Clumsy"]),
        ("power: Clumsy / text: I trip over things / type: flaw", ["Clumsy"]),
        ("## Phase Shift\nno Attack can damage you\n\n## Tunnel [flaw]\nYou attack the same hero", ["Phase Shift", "Tunnel"]),
        ("my powers are LAZER EYES and SUPER JUMP\n\nLAZER EYES i do 5 damage\n\nSUPER JUMP nobody hits me", ["LAZER EYES", "SUPER JUMP"]),
        ("First power: half of the Energy that a hero burns is yours. The name is Candle Thief.", ["Candle Thief"]),
        ("Curse of the Mummy - whoever attacks you burns 10", ["Curse of the Mummy"]),
        ("I'll take Air Strike and Flight please", ["Air Strike", "Flight"]),
    ],
)  # fmt: skip
def test_a_power_is_told_by_where_it_stands(mail: str, names: list[str]) -> None:
    """A number, bold, a mark behind a name, or its own word begins one, whatever its text says."""
    made, _ = taken(INVENTING, mail)
    assert [name for name, _, _ in made] == names


@pytest.mark.parametrize(
    "said",
    [
        "P03: ok",
        "P03: see my last mail",
        "P03 should be fine",
        "Ink Cloud: leave it",
        "reword Ink Cloud: same as before but -2",
    ],
)
def test_an_answer_is_no_new_text(said: str) -> None:
    """What is said of a text is never printed in its place."""
    assert taken(AMENDING, said)[0] == []


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" "), min_size=3, max_size=60
    )
)
def test_what_was_taken_reads_back_whatever_it_says(text: str) -> None:
    """A power as we keep it is read word by word, and so is a new text of one."""
    text = f"a {' '.join(text.split())} b"
    lines = RULESET.format(INVENTING, (Invent("Dust Wings", text, "flaw"),))
    read = RULESET.parse(INVENTING, ADA, [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    assert [*read.orders] == [Invent("Dust Wings", text, "flaw")] and not read.complaints
    (line,) = RULESET.format(AMENDING, (Amend("P03", text),))
    again = RULESET.parse(AMENDING, ADA, [OrderLine(1, line)])
    assert [*again.orders] == [Amend("P03", text)] and not again.complaints
