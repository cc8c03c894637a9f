"""The pages for readers are true: their links lead somewhere, their commands exist, their examples are in our letters."""

import re
import shlex
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import click
import pytest

from pbem.cli import pbem
from pbem.hall.store.catalogue import rulesets_known
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.world import settings
from tests import reference
from tests.conftest import Room

ROOT = Path(__file__).parent.parent
FOLDERS = (".", "docs", "deploy", "pbem", "templates", "games", "pbem/rulesets/*")
PAGES = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.md"))
FOR_READERS = [path for path in PAGES if path.parent in (ROOT, ROOT / "docs")]
MADE = "what the program says has changed: `python -m tests.reference` makes this page anew"


def text(path: Path) -> str:
    """Return a page."""
    return path.read_text(encoding="utf-8")


def blocks(path: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text(path), re.MULTILINE | re.DOTALL)


def title(heading: str) -> str:
    """Return the name by which a link finds a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    """Files and folders are there, and so are headings."""
    for link in re.findall(r"\]\(([^)]+)\)", text(path)):
        name, _, heading = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        titles = re.findall(r"^#+ (.*)$", text(target), re.MULTILINE) if heading else []
        assert not heading or heading in map(title, titles), link


@pytest.mark.parametrize("path", [ROOT / "docs", ROOT / "deploy"], ids=lambda path: path.name)
def test_every_page_can_be_found(path: Path) -> None:
    """A page of a folder is linked in the page that lists them."""
    listed = text(ROOT / "docs" / "README.md") + text(path / "README.md")
    assert [page.name for page in path.glob("*.md") if f"{page.name})" not in listed and page.name != "README.md"] == []


@pytest.mark.parametrize("page", reference.PARTS)
def test_what_follows_from_the_program_is_as_the_program_says(page: str) -> None:
    """Commands, exit codes, presets, house rules and numbers of formats are made, and never typed."""
    assert text(reference.DOCS / page) == reference.made(page), MADE


def read(words: list[str]) -> None:
    """Let the terminal read a command, all but do it. Errors: AssertionError, or click's of a wrong option."""
    name, *rest = words[2:] if words[:1] == ["--arena"] else words
    command = pbem.get_command(click.Context(pbem), name)
    assert command, name
    with command.make_context(name, rest):
        pass


@pytest.mark.parametrize("path", FOR_READERS, ids=lambda path: path.name)
def test_every_command_is_one(path: Path) -> None:
    """What is to be typed is read by the terminal; a command in passing has a name and options that there are."""
    for block in blocks(path, "sh"):
        for line in block.replace("\\\n", " ").strip().split("\n"):
            if line.startswith("pbem "):
                read(shlex.split(line)[1:])
    for name, *rest in map(shlex.split, re.findall(r"`pbem ((?!-)[^`]+)`", text(path).replace("\n", " "))):
        command = pbem.get_command(click.Context(pbem), name)
        assert name == "COMMAND" or command, name
        options = (
            {one for param in command.params for one in (*param.opts, *param.secondary_opts)} if command else set()
        )
        assert {word for word in rest if word.startswith("--")} <= {*options, "--help"}, (name, rest)


def test_a_command_that_is_none_would_be_found() -> None:
    """The test above reads what it is meant to read."""
    for words in ("fly", "health --wings", "show"):
        with pytest.raises((AssertionError, click.UsageError)):
            read(words.split())


@pytest.mark.parametrize("path", FOR_READERS, ids=lambda path: path.name)
def test_every_file_that_is_named_is_there(path: Path) -> None:
    """What a page tells to open can be opened."""
    files = re.findall(r"`((?:pbem|templates|tests|games|deploy|docs)/[\w./-]+)`", text(path))
    assert [name for name in files if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", FOR_READERS, ids=lambda path: path.name)
def test_no_address_is_anybodys(path: Path) -> None:
    """Mail addresses are those that are kept for examples."""
    hosts = re.findall(r"[\w.+-]+@([\w-]+\.[\w.-]*\w)", text(path)) + re.findall(r"https?://([\w.-]+)", text(path))
    assert [host for host in hosts if not re.fullmatch(r"(?:.+\.)?example\.(?:org|com)|127\.0\.0\.1", host)] == []


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A game of Rumble, in sign-up."""
    room = Room(tmp_path / "arena", rulesets_known(), settings.templates())
    room.found("ada", "bo", ruleset="rumble", name="ember-7")
    yield room
    room.arena.close()


def wait_for(room: Room, phase: str) -> None:
    """Let time pass until a phase is open; nobody sends anything."""
    while room.table("ember-7").title != phase:
        room.sweep(timedelta(hours=48))


def test_lines_that_can_be_written_are_in_our_letters(room: Room) -> None:
    """Each order and ruling of the pages is an example of a letter: the invitation, or one of the handbooks."""
    wait_for(room, "Round 1")
    for reader in ("ada@example.org", "gwen@example.org"):
        room.write(reader, "help")
    room.sweep()
    letters = [letter for reader in ("ada", "gwen") for letter in room.letters(f"{reader}@example.org")]
    examples = {line.removeprefix("| ") for letter in letters for line in letter.body if line.startswith("| ")}
    written = [line for path in FOR_READERS for block in blocks(path, "mail") for line in block.strip().split("\n")]
    assert len(written) > 15
    assert [line for line in written if line not in examples] == []


def test_formal_lines_of_the_pages_are_taken(room: Room) -> None:
    """Each is sent by the moderator as it stands, about a power that somebody invented."""
    wait_for(room, "Powers")
    for player, names in (("ada", ("Bath", "Wings")), ("bo", ("Hat", "Coat"))):
        room.write(f"{player}@example.org", "\n\n".join(f"power: {name}\ntext: A {name}." for name in names))
    wait_for(room, "Auction")
    rulings = [block for path in FOR_READERS for block in blocks(path, "ruling")]
    for ruling in rulings:
        room.write("gwen@example.org", ruling)
        room.sweep()
        answer = room.last("gwen@example.org")
        assert "Ruled\n" in answer and "Not taken" not in answer, answer
    assert len(rulings) == 2


def test_the_settings_of_the_pages_are_read(tmp_path: Path) -> None:
    """They are short enough to write by hand, and nothing is missing."""
    account, site = [block for path in FOR_READERS for block in blocks(path, "toml")]
    (tmp_path / "settings.toml").write_text(f"{account}\n{site}", encoding="utf-8")
    found = settings.read(tmp_path)
    assert found.arena.address == "arena@example.org" and found.site.url.endswith("/")


def test_as_many_powers_run_as_the_page_says() -> None:
    """All of the archive do."""
    assert all(runs(power.lines) for power in archive())
    assert f"runs by itself: all {len(archive())} do" in text(ROOT / "docs" / "powers.md")
