"""Dresses: one letter as text, or as blocks for other forms of it; all of them say the same."""

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.hall.commands import replay_check
from pbem.hall.mail.outgoing import wording
from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters import rendering
from pbem.letters.dresses import document, marked
from pbem.letters.dresses import text as plain
from pbem.letters.dresses.document import Bar, Block, Chart, Table
from pbem.table.fold.journal import PhasePublished
from pbem.table.outgoing import reports
from tests.depth import some
from tests.letters.nasty import NASTY

GAMES = sorted(path.parent for path in (Path(__file__).parent.parent.parent / "games").glob("*/charter.toml"))
MARKS = {marked.CELL, marked.FILLED, marked.CITED, marked.END}


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_quoted_text_has_its_mark_on_every_line(text: str) -> None:
    """People's free text never begins a line of ours."""
    assert all(line.startswith(":") for line in plain.quoted(text).split("\n"))


@given(st.lists(st.text(alphabet="abcABC.,'-", min_size=1, max_size=12), min_size=1, max_size=40), st.booleans())
def test_a_line_of_somebodys_is_quoted_whole_or_as_far_as_two_lines_go(words: list[str], has_label: bool) -> None:
    """Up to 60 characters nothing is left out, and more only in the middle; no line of it can pass for one of ours."""
    text = " ".join(words)
    shown = plain.excerpt(text, "line 12" if has_label else "").split("\n")
    assert len(shown) <= 2 and all(len(line) <= plain.WIDTH for line in shown)
    assert all(line.lstrip().startswith(":") for line in (shown[1:] if has_label else shown))
    said = " ".join(line.strip().removeprefix("line 12").lstrip().removeprefix(": ") for line in shown)
    if said != text:
        first, second = (line.strip().removeprefix("line 12").lstrip().removeprefix(": ") for line in shown)
        assert len(text) > 60 and len(said) > 60 and second.startswith("...")
        assert text.startswith(first) and text.endswith(second.removeprefix("..."))


def test_figures_are_set_flush_and_rules_at_the_edge() -> None:
    """Bars, padding and citations keep their columns."""
    assert plain.bar(80, 100) == "################...."
    assert plain.bar(1, 100).count("#") == 1
    assert plain.bar(0, 100).count("#") == 0
    assert len(plain.cite("  short", "R8")) == plain.WIDTH
    assert plain.cite("x" * 56, "R8").split("\n")[1] == "[R8]".rjust(56)
    assert plain.cut("attack doctor octopus", 12) == "attack do..."


@cache
def dressed(game: Path) -> list[tuple[str, tuple[Block, ...]]]:
    """Return each part of a specimen's public reports, as text and as blocks."""
    rulesets = rulesets_known()
    words = words_of(rulesets.values())
    texts, marks = rendering.environment(words), rendering.environment(words, "marked")
    found = []
    for folded in replay_check._phases(game, rulesets, None)[1]:
        for step in folded.ledger.fresh:
            if isinstance(step.entry, PhasePublished):
                _, parts, _ = reports.public_report(step.before, step.entry)
                for name in parts:
                    blocks = document.read(wording.part(marks, step.before, name, parts))
                    found.append((wording.part(texts, step.before, name, parts), blocks))
    return found


def said(block: object) -> str:
    """Return all words and numbers of a block, in their order, but for bars."""
    match block:
        case Bar():
            return ""
        case bool():
            return ""
        case str() | int():
            return f" {block} "
        case None:
            return " - "
        case tuple() | list():
            return "".join(map(said, block))
        case document.Paragraph(text=text, rule=rule, verdict=verdict):
            return f" {text} " + "".join(f" [{one}] " for one in (verdict, rule) if one)
        case document.Quote(lines=lines) | document.Example(lines=lines):
            return said(lines)
        case document.Cell(text=text) | document.Heading(text=text):
            return f" {text} "
        case document.Table(rows=rows):
            return said(rows)
        case _:
            return said(msgspec.structs.astuple(block))  # type: ignore[arg-type]


def tokens(text: str) -> list[str]:
    """Return words and numbers, without bars, and without what sets other people's words apart."""
    return [one for one in re.sub(r"[#.]{20}", " ", text).split() if one not in (":", "|")]


@pytest.mark.parametrize("game", some(3, GAMES), ids=lambda game: game.name)
def test_blocks_say_what_the_text_says(game: Path) -> None:
    """Each word and each number of a report stands in its blocks, in the same order."""
    for text, blocks in dressed(game):
        if any(isinstance(block, Chart) for block in blocks):  # a letter cuts it every nine columns
            ours, theirs = set(tokens(said(blocks))), set(tokens(text))
            cut = {one for one in theirs - ours if one.endswith("...")}
            assert ours >= theirs - cut and ours - theirs <= {
                one for one in ours for name in cut if one.startswith(name[:-3])
            }
        else:
            assert tokens(said(blocks)) == tokens(text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_bars_have_the_numbers_beside_them(game: Path) -> None:
    """What a bar is made of stands in its row."""
    bars = 0
    for _, blocks in dressed(game):
        for row in (row for block in blocks if isinstance(block, Table) for row in block.rows):
            for bar in (cell for cell in row if isinstance(cell, Bar)):
                bars += 1
                beside = {int(one) for one in re.findall(r"-?\d+", said(row))}
                assert {bar.value, bar.before} <= beside | {0}
    assert bars or game.name.startswith("discs")


@given(
    st.one_of(st.sampled_from(NASTY), st.text(alphabet=st.sampled_from([*MARKS, "a", " ", "\n", ":", "|", "c", "["])))
)
def test_nothing_that_people_write_is_a_mark(wild: str) -> None:
    """Whatever goes through a filter comes out as one block of its kind, with none of the marks that it brought."""
    filters = marked.FILTERS
    for line in (filters["fill"](wild, 4, 2), filters["cite"](filters["fill"](f"x {wild}"), wild, wild)):
        assert len(document.read(line)) <= 1
    blocks = document.read(filters["quoted"](wild))
    assert all(isinstance(block, document.Quote) for block in blocks)
    table = document.read(f"  {filters['left'](wild, 4)}{filters['bar'](1, 2)}{filters['right'](wild, 4)}")
    assert [type(block) for block in table] == [Table]
    chart = document.read(filters["chart"]([{"name": wild, "amounts": [1, 2]}], ["sale", 1], 2))
    assert [type(block) for block in chart] == [Chart]
    assert not MARKS & set(said([blocks, table, chart]))


def test_a_token_that_somebody_pastes_is_cut_short() -> None:
    """In whatever dress, and wherever the line is broken: others read it."""
    token = "abcdefgh234567xy"
    said = f"write to arena+ember-7.{token}@example.org or [ember-7 {token}] " * 3
    for shown in (plain.quoted(said), plain.excerpt(said), marked.quoted(said), marked.excerpt(said, "line 1")):
        assert token not in "".join(shown.split()) and "abcd..." in shown
