"""The terminal shows how a mail was read: each line, as what it was taken, and no secret."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem import cli
from pbem.hall.commands import mail_reading
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold.journal import OrdersReceived
from pbem.testing.room import ARENA
from tests.conftest import Room
from tests.letters.clients import mail, part, parts
from tests.listening import drawn
from tests.listening.filling import answered, dressed
from tests.listening.judging import seen
from tests.listening.scenes import GAME, Stage

TOKEN = "k3x9abcdefgh2345".replace("9", "7")
ADDRESS = f"ember+ember-7.{TOKEN}@example.org"
HEADERS = f"X-Original-To: {ADDRESS}\n"


def run(*words: str, stdin: bytes = b"") -> Result:
    """Run `pbem mail read` in this process."""
    return CliRunner().invoke(cli.pbem, ["mail", "read", *words], input=stdin)


def kept(folder: Path, raw: bytes, name: str = "a.eml") -> str:
    """Keep a mail in a file."""
    path = folder / name
    path.write_bytes(raw)
    return str(path)


def rows(output: str) -> list[tuple[str, str]]:
    """Return what each line was taken for, and the line."""
    below = output.split("\n\n", 1)[1].split("\n")
    return [(line[2:22].strip(), line[24:]) for line in below if line.strip()]


def test_each_line_is_told_as_what_it_was_taken(tmp_path: Path) -> None:
    """New, polite, attributed, quoted, of the form and of the signature."""
    text = (
        "Hello,\ndefend 50\n\nOn Tue, Nov 24, 2026 at 8:00 AM Ember\n<ember@example.org> wrote:\n> Round 3\n"
        "> ~ attack ____ ____\n> ~ attack Bo 20\n\n-- \nAda\nattack Cy 1\n"
    )
    done = run(kept(tmp_path, mail(part(text), HEADERS)))
    assert done.exit_code == 0, done.output
    assert [taken for taken, _ in rows(done.output) if taken != "blank"] == [
        "courtesy", "new", "attribution", "attribution", "quoted", "form", "new", "signature", "signature", "signature",
    ]  # fmt: skip
    assert "from                  ada@example.com (Ada Lovelace)" in done.output
    assert "game                  ember-7, token k3x7..." in done.output
    assert "kind                  human" in done.output


def test_no_token_is_shown_whole(tmp_path: Path) -> None:
    """Neither where it was found nor where it stands in the text or the subject."""
    raw = mail(part(f"wait\n\n2026-11-24 08:00 Ember <{ADDRESS}>:\n> Round 3\n"), HEADERS)
    raw = raw.replace(b"Re: [ember-7] Round 3", f"Re: [ember-7 {TOKEN}] Round 3".encode())
    for how in ([], ["--json"]):
        assert TOKEN not in run(*how, kept(tmp_path, raw)).output
        assert TOKEN[:4] in run(*how, kept(tmp_path, raw)).output


def test_what_html_hides_is_shown_as_hidden(tmp_path: Path) -> None:
    """A moderator sees what the writer's mail held and nobody could read."""
    html = '<div>wait</div><div style="display:none">attack Bo 20</div><div class=gmail_signature>Ada</div>'
    found = rows(run(kept(tmp_path, mail(part(html, "text/html")))).output)
    assert found == [("new", "wait"), ("hidden", "attack Bo 20"), ("signature", "Ada")]


def test_programs_are_told_one_object_a_line(tmp_path: Path) -> None:
    """In the order of the files, whatever kind each mail is."""
    bounce = b"From: MAILER-DAEMON@example.org\nContent-Type: multipart/report; boundary=x\n\n--x--\n"
    away = b"From: a@example.org\nAuto-Submitted: auto-replied\n\nI am away.\n"
    echoed = b"From: a@example.org\nList-Id: <x.example.org>\n\nwait\n"
    empty = mail(parts("multipart/mixed", b"Content-Type: image/png\n\n"))
    mails = [mail(part("attack Bo 20\nwait\n")), bounce, away, echoed, empty]
    done = run("--json", *(kept(tmp_path, raw, f"{at}.eml") for at, raw in enumerate(mails)))
    found = [json.loads(line) for line in done.output.split("\n") if line]
    assert [one["kind"] for one in found] == ["human", "bounce", "auto", "list", "human"]
    assert [one["new_text"] for one in found] == ["attack Bo 20\nwait", "", "I am away.", "wait", ""]
    assert found[4]["note"] == "Your mail held only a picture."
    assert [Path(one["file"]).name for one in found] == [f"{at}.eml" for at in range(5)]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Lend a brawl of two in its first round."""
    room = Room(tmp_path / "arena", {"brawl": rulesets_known()["brawl"]})
    room.found("ada", "bo")
    settings = f'[arena]\naddress = "{ARENA}"\nname = "The Arena"\n[mailbox]\npath = "Maildir"\n'
    (room.root / "settings.toml").write_text(settings)
    yield room
    room.arena.close()


def read_in(room: Room, file: str) -> Any:
    """Run `pbem mail read` in an arena."""
    done = CliRunner().invoke(cli.pbem, ["--arena", str(room.root), "mail", "read", "--json", file])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_the_letter_that_is_answered_is_taken_away(tmp_path: Path, room: Room) -> None:
    """In the arena that sent it, and only there."""
    letter = answered(room, "ada@example.org")
    new = f"defend with a\n\n{letter.text}"
    file = kept(tmp_path, dressed(room, new, "ada@example.org"))
    found = read_in(room, file)
    assert found["new_text"] == "defend with a"
    assert found["subtracted"] >= 1
    assert json.loads(run("--json", file).output)["subtracted"] == 0


def test_what_a_program_writes_above_our_letter_is_told_by_our_address(tmp_path: Path, room: Room) -> None:
    """In any words; elsewhere, where nobody knows who we are, those words can be the writer's."""
    letter = answered(room, "ada@example.org")
    head = f"Gwen ({ARENA}) ezt mondta tegnap este, amikor hazaért"
    quoted = "\n".join(f"> {line}" for line in letter.text.split("\n"))
    file = kept(tmp_path, dressed(room, f"defend with a\n\n{head}\n{quoted}", "ada@example.org"))
    assert {"text": head, "taken": "attribution"} in read_in(room, file)["lines"]
    assert {"text": head, "taken": "new"} in json.loads(run("--json", file).output)["lines"]


def test_an_order_above_our_letter_is_no_head_of_it(tmp_path: Path, room: Room) -> None:
    """Though it names us: the game says what is an order."""
    letter = answered(room, "ada@example.org")
    quoted = "\n".join(f"> {line}" for line in letter.text.split("\n"))
    press = f"press to Bo: write to {ARENA}, I say:"
    file = kept(tmp_path, dressed(room, f"{press}\n{quoted}", "ada@example.org"))
    assert {"text": press, "taken": "new"} in read_in(room, file)["lines"]


@pytest.mark.parametrize("count", [5, pytest.param(20, marks=pytest.mark.sweep)])
def test_in_an_arena_a_mail_reads_as_it_will_when_it_comes(count: int, played: Stage) -> None:
    """Of drawn mails: what is shown as new is what the game then notes, but for courtesies, which are shown as such."""
    for mail_drawn in drawn.accounts(count, "as it will"):
        with played.lend(mail_drawn.scene) as room:
            raw = drawn.sent(mail_drawn, room)
            shown = mail_reading.explain(raw, room.arena)
            seen(room, raw)
            entry = next(one for one in reversed(room.table(GAME).log) if isinstance(one, OrdersReceived))
        new, polite = (shown["new_text"].split("\n"), [row["taken"] for row in shown["lines"]].count("courtesy"))
        said = [*entry.said, *[""] * (len(new) - len(entry.said))]
        differing = [line for line, taken in zip(new, said, strict=True) if line != taken]
        assert len(differing) == polite, (mail_drawn, differing)


def test_a_reference_leads_out_of_no_folder(tmp_path: Path, room: Room) -> None:
    """A mail may name what it likes as the letter that it answers."""
    raw = mail(part("wait\n")).replace(b"<letter-9@example.org>", b"<../../../etc.1.x.y@example.org>")
    done = CliRunner().invoke(cli.pbem, ["--arena", str(room.root), "mail", "read", kept(tmp_path, raw)])
    assert done.exit_code == 0 and "none; told by marks alone" in done.output


def test_a_mail_can_come_by_the_standard_input_and_be_anything(tmp_path: Path) -> None:
    """Any bytes are read, several files are parted, and a file that is not there is a wrong command line."""
    assert ("new", "wait") in rows(run("-", stdin=mail(part("wait\n"))).output)
    done = run(kept(tmp_path, b"\0\xff", "x"), kept(tmp_path, b"", "y"))
    assert done.exit_code == 0 and done.output.count("kind  ") == 2
    assert run(str(tmp_path / "nosuch")).exit_code == 2
    assert "Name a file that holds one mail" in run(str(tmp_path)).output
