"""The letters of a whole game, as they were sent: narrow, sealed, and never to be read back as orders."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import demo
from pbem.demo.minds import Mind
from pbem.demo.story import Story
from pbem.ground.terms import OrderLine, Seat
from pbem.hall.commands import replay_check
from pbem.hall.commands.opening import words
from pbem.hall.store import game_folder
from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.store.ledger import Ledger
from pbem.letters.reading import Letter, newly, read
from pbem.table.incoming import player_lines
from pbem.table.model.table import Table
from pbem.world.shelf import Shelf
from tests.depth import shares
from tests.letters.posted import as_read


class Both:
    """Two stories that are told at once."""

    def __init__(self, *stories: Story) -> None:
        self._stories = stories

    def __getattr__(self, name: str) -> Any:
        """Tell both the same."""

        def tell(*known: Any) -> Any:
            first, *_ = [getattr(story, name)(*known) for story in self._stories]
            return first

        return tell


class Played:
    """A demonstration that was played: its arena, what it told, the same with no letter shown, and its letters."""

    def __init__(self, root: Path, name: str) -> None:
        """Play it."""
        self.root = root
        self.told: list[str] = []
        self.brief: list[str] = []
        self.meant: dict[str, list[tuple[str, ...]]] = {}
        meant = self.meant

        class Told(Mind):
            """A mind that tells what it means."""

            def answer(self, letter: str) -> str:
                """Answer a letter."""
                text = super().answer(letter)
                meant.setdefault(self.name, []).append(self.meant)
                return text

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                demo, "Story", lambda tell, *how: Both(Story(tell, *how), Story(self.brief.append, "none", ""))
            )
            patch.setattr(demo, "Mind", Told)
            self.identical = demo.play(root, "ember", self.told.append, name=name)
        self.game = next((root / "games").iterdir())
        files = sorted((self.game / "post" / "out").iterdir(), key=lambda path: int(path.name.split(".")[1]))
        self.letters: list[tuple[str, Letter]] = [(path.stem, read(path.read_bytes())) for path in files]

    def phases(self) -> Iterator[Ledger]:
        """Fold it again, phase by phase."""
        shelf = Shelf(self.game.parent)
        place = (self.game.name,)
        terms = game_folder.read_charter(shelf, place, rulesets_known())
        seed = (self.root / "secrets" / f"{self.game.name}.seed").read_bytes()
        for folded in game_folder.phases(shelf, place, rulesets_known()[terms.ruleset], terms, seed):
            yield folded.ledger


@pytest.fixture(
    scope="module", params=["rumble", *(pytest.param(name, marks=pytest.mark.sweep) for name in ("brawl", "discs"))]
)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """One demonstration of each game, played once for this file."""
    return Played(tmp_path_factory.mktemp("demo") / "arena", request.param)


def test_the_demonstration_has_its_slips_its_absence_and_its_ruling(played: Played) -> None:
    """One player mistypes and is told, one misses a phase, the moderator overrules, and the replay is identical."""
    story = "\n".join(played.told)
    assert played.identical
    assert "Not taken" in story or "Taken in part" in story
    assert re.search(r"No orders came\s+from", story.replace("    | ", ""))
    assert "overrule V" in story
    assert "identical." in story


def test_what_players_mean_is_what_counts(played: Played) -> None:
    """In whatever words they write, each set with which a phase closes is one that its writer meant, whole."""
    checked = 0
    for held in played.phases():
        tables = [step.before for step in held.fresh if step.before.status == "open"]
        table = tables[-1] if tables else held.table
        for people, (seat, hand) in zip([["Ada"], ["Bo"], ["Cy"], ["Dee", "Fay"]], sorted_hands(table), strict=True):
            wanted = [canonical(table, seat, lines) for one in people for lines in played.meant.get(one, ())]
            assert not hand or hand in wanted, (table.title, people, hand)
            checked += bool(hand)
    assert checked > 10


def sorted_hands(table: Table) -> list[tuple[Seat, tuple[str, ...]]]:
    """Return what each seat has on hand, in the order in which they were taken."""
    return [(seat, own_lines(table, seat)) for seat in table.seats]


def canonical(table: Table, seat: Seat, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return plain lines as a hand holds them."""
    rows = [row for row in "\n".join(lines).split("\n") if not row.startswith("press ")]
    parsed = table.ruleset.parse(table.state, seat, [OrderLine(number, row) for number, row in enumerate(rows, 1)])
    return tuple(table.ruleset.format(table.state, parsed.orders))


def test_receipts_are_prompt_and_letters_of_a_sweep_have_one_time(played: Played) -> None:
    """Whoever writes has the receipt in the same minute; all reports of a phase come in one minute."""
    rows = re.findall(r"^(\w{3} .{12})  (.+)$", "\n".join(played.brief), re.MULTILINE)
    wrote = [(when, what.split()[0]) for when, what in rows if what.endswith(" writes")]
    receipts = {(when, name) for when, what in rows if "(receipt)" in what for name in re.findall(r"[A-Z][a-z]+", what)}
    known = ({name for _, name in wrote[:place]} for place in range(len(wrote)))  # by the first one takes a seat
    orders = [(when, name) for (when, name), before in zip(wrote, known, strict=True) if name in before - {"Gwen"}]
    assert orders and set(orders) <= receipts, sorted(set(orders) - receipts)
    reports = [what for _, what in rows if "(report)" in what]
    assert reports and all(re.match("Ada, Bo, Cy( and|,) (Dee|Fay) (and Gwen )?have", what) for what in reports)
    assert any("is replayed from its charter" in line for line in played.brief)


def test_every_line_is_narrow_enough_to_be_quoted(played: Played) -> None:
    """No line of ours is over 56 columns."""
    wide = [(name, line) for name, letter in played.letters for line in letter.body if len(line) > 56]
    assert wide == []


@pytest.mark.parametrize("share", shares(24))
def test_no_line_of_ours_reads_as_an_order(played: Played, share: int) -> None:
    """
    Whatever a client does with a letter of ours, none of its lines is an order or a request, but examples and forms.

    In each phase other lines, one in twenty-four; a sweep tries them all.
    """
    texts = [letter.body for name, letter in played.letters if ".p-" not in name]
    kept = (["" if line.startswith(("| ", "~ ")) else line for line in text] for text in texts)
    lines = sorted({line for text in kept for line in as_read(text)})
    checked = 0
    for number, held in enumerate(played.phases()):
        table = held.fresh[0].before if held.fresh else held.table
        if table.status != "open" or not table.owing:  # all lie on the floor of the pub
            continue
        seat = next(iter(table.owing))
        for line in lines[number % share :: share]:
            parsed = table.ruleset.parse(table.state, seat, [OrderLine(1, line)])
            assert not parsed.orders, (table.title, line)
            assert not player_lines.REQUEST.match(line) or " " in line, line
            checked += 1
    assert checked > 1000 / share


def test_a_letter_sent_back_unchanged_says_nothing(played: Played) -> None:
    """Each letter, quoted whole by its reader, holds no new line, whatever a client took of its blanks."""
    for _, letter in played.letters:
        text = "\n".join(letter.body)
        quoted = "\n".join(f"> {line}" for line in letter.body)
        squeezed = "\n".join(" ".join(line.split()) for line in letter.body)
        for body in (quoted, text, squeezed):
            raw = f"From: ada@example.org\nTo: x@example.org\nSubject: Re\n\n{body}\n".encode()
            assert [line.text for line in newly(read(raw), [text]) if line.text.strip()] == []


def test_no_letter_holds_anothers_secret_orders(played: Played) -> None:
    """Before a phase is published, no letter to a seat holds the canonical orders of another seat."""
    for held in played.phases():
        for step in held.fresh:
            table = step.before
            if table.status != "open":
                continue
            for name, letter in played.letters:
                number, kind, reader = name.split(".")[1:4]
                if int(number) != step.entry.number or kind not in ("receipt", "reminder"):
                    continue
                body = "\n".join(line for line in letter.body if not line.startswith("| "))  # examples are nobody's
                mine = [
                    *own_lines(table, Seat(reader)),
                    *getattr(step.entry, "orders", ()),
                    *getattr(step.entry, "said", ()),
                ]
                for seat in table.seats:
                    if seat != Seat(reader):
                        secret = [line for line in own_lines(table, seat) if len(line) > 12 and line not in mine]
                        assert not [line for line in secret if line in body]


def own_lines(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return what a seat has on hand."""
    return table.sets.hand[seat].orders if seat in table.sets.hand else ()


def test_a_change_in_the_archive_is_found(played: Played, tmp_path: Path) -> None:
    """Replay of a folder in which one report was altered shows the difference and stops there."""
    import shutil

    copy = tmp_path / played.game.name
    shutil.copytree(played.game, copy)
    report = copy / "phase-03" / "report.txt"
    report.write_text(report.read_text().replace("to all", "=> all", 1))
    phases = list(replay_check.replay(copy, rulesets_known(), words()))
    assert phases[-1].folder == "phase-03"
    assert "=>" in phases[-1].difference and len(phases) == 4
