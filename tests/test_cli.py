"""The terminal: every command does its work, and errors are one line with what to do."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem import cli
from pbem.__main__ import main
from pbem.cli.common import open_arena
from pbem.daemon import Daemon
from pbem.ground.terms import CharterError, WorldError
from pbem.hall.commands import status
from pbem.hall.store.arena import Doors
from pbem.testing.room import NOON
from pbem.world import settings
from pbem.world.clock import FastClock
from pbem.world.log import SILENT
from pbem.world.post_office import PostOffice
from tests.conftest import Room
from tests.servers.scripted import ScriptedServer

SOUND = "[arena]\naddress = 'a@b'\n[mailbox]\npath = 'x'\n"
PEOPLE = ("arena", "gwen", "ada", "bo")


@pytest.fixture
def arena(tmp_path: Path) -> Path:
    """An arena on disk, whose mail lies at a post office that is shut."""
    office = PostOffice(tmp_path / "mail", [f"{name}@example.org" for name in PEOPLE], FastClock(NOON))
    root = tmp_path / "arena"
    root.mkdir(mode=0o700)
    maildir = office.maildir("arena@example.org")
    (root / "settings.toml").write_text(
        f'[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "{maildir}"\n[outbox]\nport = 1\n'
    )
    return root


def run(arena: Path, *words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.pbem, ["--arena", str(arena), *words])


def found(arena: Path, name: str = "ember-7", *more: str) -> Result:
    """Found a game of two."""
    people = ["--invite", "ada@example.org", "--invite", "bo@example.org"]
    return run(arena, "new", "rumble", name, "--moderator", "gwen@example.org", *people, *more)


def test_new_prints_the_charter_and_games_lists_it(arena: Path) -> None:
    """The charter is echoed whole; the list has the game, for people and for programs."""
    done = found(arena, "ember-7", "--house", "stalemate=none", "--calendar", "round=every Tue and Fri 20:00")
    assert done.exit_code == 0, done.output
    assert 'stalemate = "none"' in done.output and "every Tue and Fri 20:00" in done.output
    assert done.output.endswith("ember-7 waits for 2 players. The next sweep sends 2 invitations.\n")
    heading, row = run(arena, "games").output.splitlines()
    assert heading.split() == ["GAME", "RULES", "PHASE", "STATE", "DEADLINE"]
    assert row.split() == ["ember-7", "rumble", "Sign-up", "sign-up", "-"]
    assert json.loads(run(arena, "games", "--json").output)[0]["name"] == "ember-7"


@pytest.mark.parametrize("features", [["8BITMIME"], ["SMTPUTF8"]])
def test_an_address_that_the_mail_server_cannot_carry_is_refused(arena: Path, features: list[str]) -> None:
    """Before anything is written; a server that has SMTPUTF8 carries it, and is asked only where it matters."""
    server = ScriptedServer()
    server.features = features
    settings = arena / "settings.toml"
    settings.write_text(
        settings.read_text().replace("port = 1", f'host = "127.0.0.1"\nport = {server.port}\ntls = "none"')
    )
    done = found(arena, "ember-7", "--invite", "jörg@example.org")
    if features == ["SMTPUTF8"]:
        assert done.exit_code == 0, done.output
        letters = [path.read_bytes() for path in arena.rglob("post/out/*.eml")]
        assert sum("\r\nTo: jörg@example.org\r\n".encode() in raw for raw in letters) == 1
    else:
        assert "beyond ASCII, such as jörg@example.org" in " ".join(done.output.split())
        assert not (arena / "games").exists()
    server.close()
    settings.write_text(settings.read_text().replace(str(server.port), "1"))
    assert found(arena, "ember-9").exit_code == 0


def test_new_says_where_a_phase_skips_a_deadline(arena: Path) -> None:
    """A deadline a day is skipped each time, unless the rule says less than a day; two a week are not."""
    daily, less = ("round=every day 20:00", "round=every day 20:00, at least 20h")
    assert "skips every other of these deadlines" in found(arena, "ember-7", "--calendar", daily).output
    assert "skips" not in found(arena, "ember-8", "--calendar", less).output
    assert "skips" not in found(arena, "ember-9", "--calendar", "round=every Tue and Fri 20:00").output


def test_games_shows_those_that_are_paused_or_stand_still_as_such(room: Room) -> None:
    """And not as if their clock ran; for programs too."""
    room.found("ada", "bo")
    room.write("gwen@example.org", "pause")
    room.sweep()
    (room.root / "settings.toml").write_text(SOUND)
    assert " paused " in run(room.root, "games").output
    charter = room.root / "games" / "tide-1" / "charter.toml"
    charter.write_text(charter.read_text().replace("seats = 2", "seats = two"))
    Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT).wake()
    assert " stands still (paused) " in run(room.root, "games").output
    row = json.loads(run(room.root, "games", "--json").output)[0]
    assert row["status"] == "paused" and row["still"]


def test_check_says_what_an_edit_comes_to(arena: Path) -> None:
    """Of one game or all, without a mail and before any sweep: sound, which rulings, or which line is wrong."""
    assert "No games yet" in run(arena, "check").output
    found(arena)
    found(arena, "ember-8")
    assert run(arena, "check").output == "ember-7 is sound.\nember-8 is sound.\n"
    charter = arena / "games" / "ember-8" / "charter.toml"
    charter.write_text(charter.read_text().replace("seats = 2", "seats = two"))
    done = run(arena, "check")
    assert done.exit_code == 1 and "ember-7 is sound." in done.output
    assert "games/ember-8/charter.toml, line 7" in done.output
    assert run(arena, "check", "ember-7").exit_code == 0
    assert run(arena, "check", "ember-9").exit_code == 2


def test_trace_tells_the_story_of_a_mail(room: Room) -> None:
    """From a name in the log; a mail that nobody knows is a wrong command line."""
    room.found("ada", "bo")
    (room.root / "settings.toml").write_text(SOUND)
    assert "SeatTaken of ada, applied" in run(room.root, "trace", "<1@example.net>").output
    done = run(room.root, "trace", "<none@example.net>")
    assert done.exit_code == 2 and "No mail with this Message-ID is known here." in done.output


def test_a_folder_is_as_good_as_a_name(arena: Path, tmp_path: Path) -> None:
    """`show` takes one as `report` and `replay` do: of a specimen, where no arena is, and of a game that runs."""
    specimen = Path(__file__).parent.parent / "games" / "rumble-1"
    done = run(tmp_path / "nowhere", "show", str(specimen))
    assert done.exit_code == 0 and done.output.startswith("rumble-1 (rumble): over after phase "), done.output
    found(arena)
    folder = str(arena / "games" / "ember-7")
    first, *invited = run(tmp_path / "nowhere", "show", folder).output.splitlines()
    assert first == run(arena, "show", "ember-7").output.splitlines()[0] and len(invited) == 2
    (arena / "secrets" / "ember-7.seed").unlink()
    assert "is not over, so its seed is still sealed" in str(run(arena, "show", folder).exception)


def test_an_arena_that_was_put_back_is_told_as_one_until_its_mail_was_looked_at_again(arena: Path) -> None:
    """The first sweep says what to do; whoever did it first hears nothing."""
    found(arena)
    (arena / "games" / "ember-7" / "post" / "sent.toml").write_text("")
    for before, told in (((), True), (("rescan", "--since", "2026-01-01"), False)):
        for name in ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm"):
            (arena / name).unlink(missing_ok=True)
        if before:
            assert run(arena, *before).exit_code == 0
        assert ("put back from a backup" in run(arena, "sweep").output) is told
        assert "put back from a backup" not in run(arena, "sweep").output


def test_the_invitations_are_on_file_at_once(arena: Path) -> None:
    """Founding leaves nothing to be worked out: the letters lie ready for the next sweep."""
    found(arena)
    names = [path.name for path in (arena / "games" / "ember-7" / "post" / "out").iterdir()]
    assert sum(".invitation." in name for name in names) == 2


def test_a_game_on_a_list_says_how_to_try_the_list(arena: Path) -> None:
    """What is no address, ours, or a forum that is not set up is refused with its option."""
    done = found(arena, "ember-7", "--list", "ember@lists.example.org", "--html")
    assert done.exit_code == 0, done.output
    assert "pbem doctor --list ember@lists.example.org" in done.output
    for number, wrong in enumerate(("ember", "arena+x@example.org", "ada@example.org")):
        done = found(arena, f"ember-8{number}", "--list", wrong)
        assert done.exit_code == 2 and "--list" in done.output, done.output
    done = found(arena, "ember-9", "--forum")
    assert done.exit_code == 2 and "--forum" in done.output and "[forum]" in done.output


def test_reminders_and_grace_are_options_of_a_game(arena: Path) -> None:
    """`--reminders` and `--grace` stand in the charter's calendar; none is no reminder at all."""
    found(arena, "ember-7", "--reminders", "12h, 3h", "--grace", "6h")
    calendar = tomllib.loads((arena / "games" / "ember-7" / "charter.toml").read_text())["calendar"]
    assert calendar["reminders"] == ["12h", "3h"] and calendar["grace"] == "6h"
    found(arena, "ember-8", "--reminders", "none")
    calendar = tomllib.loads((arena / "games" / "ember-8" / "charter.toml").read_text())["calendar"]
    assert calendar["reminders"] == []


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        (["--house", "stalemat=none"], 'no house rule "stalemat". Did you mean stalemate?'),
        (["--house", "stalemate=often"], "Expected one of: told, fatigue"),
        (["--calendar", "round=whenever"], "every Tue and Fri 20:00"),
        (["--zone", "Lundon"], "Did you mean"),
        (["--seats", "99"], "2 to 32 seats"),
        (["--calendar", "rond=24h after opening"], 'no kind of phase "rond". Did you mean round?'),
        (["--calendar", "settle=5m"], "settle is no kind of phase; it stands under [calendar]"),
        (["--review", "duel"], "Known: powers, amend, auction, rebid, keep, round"),
        (["--reminders", "soon"], "Write one such as 24h"),
        (["--grace", "6"], "Write 6h for hours"),
    ],
)
def test_a_charter_with_a_mistake_is_refused_with_its_option(arena: Path, words: list[str], heard: str) -> None:
    """Which option, and what was expected; nothing is written."""
    done = found(arena, "ember-7", *words)
    assert done.exit_code == 2
    assert heard in done.output and "On the command line, " in done.output and words[0] in done.output
    assert not (arena / "games" / "ember-7").exists()
    assert not (arena / "people.toml").exists()


@pytest.mark.parametrize(
    ("more", "wait"),
    [
        ((), "30m"),
        (("--calendar", "round=20m after opening"), "2m"),
        (("--second-thought", "10m"), "10m"),
        (("--second-thought", "0m", "--calendar", "default=20m after opening"), "0m"),
    ],
)
def test_a_new_game_waits_for_a_second_thought(arena: Path, more: tuple[str, ...], wait: str) -> None:
    """Half an hour, two minutes where people play live, or what its founder says."""
    done = found(arena, "ember-7", *more)
    assert done.exit_code == 0 and f'second_thought = "{wait}"' in done.output, done.output


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        (["new", "rumble", "ember-8", "--moderator", "gwen"], '"gwen" is no mail address'),
        (["new", "rumble", "ember-8", "--moderator", "g@e.x", "--invite", "bob@"], '"bob@" is no mail address'),
        (["new", "rumble", "ember-8", "--moderator", "g@e.x", "--invite", "B <b@e.x>"], "is no mail address"),
        (["new", "rumble", "ember-8", "--moderator", "g@e.x", "--invite", "b\n@e.x"], '"b?@e.x" is no mail address'),
        (["new", "rumble", "ember-8", "--moderator", "g@e.x", "--invite", "b@e\u202e.x"], "is no mail address"),
        (["new", "rumble", "e-8", "--moderator", "g@e.x", "--invite", "b@e.x", "--invite", "B@e.x"], "invited twice"),
        (["new", "rumble", "ember-7", "--moderator", "g@e.x"], "a game called ember-7 already"),
        (["new", "rumble", "Ember 8", "--moderator", "g@e.x"], "small letters, figures and dashes"),
        (["new", "rumble", "e-8", "--moderator", "g@e.x", "--calendar", "reminders=6h"], "Write --reminders 6h"),
        (
            ["new", "rumble", "e-8", "--moderator", "g@e.x", "--seats", "2", "--second-thought", "soon"],
            '--second-thought: "soon" is not a span of time',
        ),
        (["new", "rumble", "e-8", "--moderator", "g@e.x", "--house", "stalemate"], "write --house NAME=VALUE"),
        (["show", "nowhere"], "To list them: pbem games"),
        (["report", "../ember-7"], "To list them: pbem games"),
        (["games", "--jsn"], "--jsn"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2(arena: Path, words: list[str], heard: str) -> None:
    """What cannot be, or is not there, is said with what would have worked; nothing is written."""
    found(arena)
    people = (arena / "people.toml").read_bytes()
    done = run(arena, *words)
    assert done.exit_code == 2 and heard in done.output, done.output
    assert [path.name for path in (arena / "games").iterdir()] == ["ember-7"]
    assert (arena / "people.toml").read_bytes() == people


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("[arena]\naddress = 7\n", "line 2: arena.address: expected text in quotes"),
        ("[arena]\nadress = 'a@b'\n", "line 2: there is no setting adress. Did you mean address?"),
        ("[arena]\nxyz = 'a@b'\n", "line 2: there is no setting xyz. Known: address, name, plus"),
        ("[arena]\nname = 'A'\n", 'line 1: arena.address is missing. Expected such as: address = "arena@example.org"'),
        (
            "[arena]\naddress = 'a@b'\nplus = yes\n",
            "line 3: text goes in quotes; numbers are digits, and yes or no is written true or false",
        ),
        ("[arena]\naddress = 'a@b'\nplus = 'yes'\n", "line 3: arena.plus: expected true or false, without quotes"),
        ("[arena]\naddress = 'a@b'\nplus = true\nplus = false\n", "set for the second time"),
        (f"{SOUND}[outbox]\nport = '25'\n", "line 6: outbox.port: expected a whole number, without quotes"),
        (f"{SOUND}[outbox]\nport = 0\n", "line 6: outbox.port: expected a whole number, without quotes, at least 1"),
        (f"{SOUND}[outbox]\nport = 65536\n", "at most 65535"),
        (f"{SOUND}[outbox]\ntls = 'ssl'\n", "line 6: outbox.tls: expected one of: none, starttls, tls"),
        ("arena = 'a@b'\n", "line 1: arena: expected a table"),
        ("[arena]\naddress = 'ab'\n[mailbox]\npath = 'x'\n", "line 2: address: expected one mail address"),
        ("[arena\n", "line 1"),
        ("[arena]\naddress = 'a@b.c'\n", "[mailbox] is missing. Expected such as: [mailbox] and below it path ="),
    ],
)
def test_settings_with_a_mistake_name_file_and_line(arena: Path, text: str, heard: str) -> None:
    """What is there, where, and what was expected."""
    (arena / "settings.toml").write_text(text)
    done = run(arena, "games")
    assert isinstance(done.exception, CharterError)
    assert heard in str(done.exception), str(done.exception)
    assert "settings.toml" in str(done.exception)


def test_show_and_rule_work_without_mail(arena: Path) -> None:
    """`pbem rule` takes the lines of a letter, prints the echo, and exits 1 where a line was refused."""
    found(arena)
    shown = run(arena, "show", "ember-7")
    assert "phase 0, Sign-up" in shown.output
    assert run(arena, "show", "ember-7/").output == shown.output
    assert "There is no game called ../games/ember-7" in run(arena, "show", "../games/ember-7").output
    done = run(arena, "rule", "ember-7", "--phase", "0", "status")
    assert done.exit_code == 0 and "Invited, and has not answered" in done.output
    refused = run(arena, "rule", "ember-7", "--phase", "0", "begin")
    assert refused.exit_code == 1 and "It takes 2 seats to begin" in " ".join(refused.output.split())
    other = run(arena, "rule", "ember-7", "--phase", "3", "note hello")
    assert other.exit_code == 1


def process(arena: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, as a terminal does."""
    command = [sys.executable, "-m", "pbem", "--arena", str(arena), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def test_every_error_is_one_line(arena: Path, tmp_path: Path) -> None:
    """No traceback and no usage text: what is wrong, what to do, and an exit code of its kind."""
    found(arena)
    for where, words, code, heard in (
        (tmp_path, ["games"], 78, "is no arena"),
        (arena, ["show", "nowhere"], 2, "There is no game called nowhere"),
        (arena, ["report", "ember-7"], 75, "no report yet"),
        (arena, ["show"], 2, "For help: pbem show --help"),
    ):
        done = process(where, *words)
        assert done.returncode == code, done.stderr
        assert done.stderr.startswith("pbem: ") and done.stderr.count("\n") == 1
        assert heard in done.stderr


def test_a_missing_template_is_a_mistake_of_the_set_up(
    arena: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with 78, since a script that tries again does not mend it."""
    words = {name: text for name, text in settings.templates().items() if name != "rumble/opening.j2"}
    monkeypatch.setattr(settings, "templates", lambda: words)
    people = ["--moderator", "gwen@example.org", "--invite", "ada@example.org", "--invite", "bo@example.org"]
    monkeypatch.setattr(sys, "argv", ["pbem", "--arena", str(arena), "new", "rumble", "ember-7", *people])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 78
    assert "the template rumble/opening.j2 is missing" in capsys.readouterr().err


def test_without_a_command_there_is_help(arena: Path) -> None:
    """`pbem` alone prints what it can do, with its exit codes."""
    done = subprocess.run([sys.executable, "-m", "pbem"], capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0 and "Exit codes: 0 done" in done.stdout


def test_a_reader_who_has_seen_enough_is_no_trouble(arena: Path) -> None:
    """Whose output is cut off, as by `head`, ends with exit code 0 and says nothing."""
    command = [sys.executable, "-m", "pbem", "--arena", str(arena), "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as speaker:
        assert speaker.stdout is not None and speaker.stderr is not None
        speaker.stdout.close()
        assert speaker.wait(timeout=30) == 0
        assert speaker.stderr.read() == b""


def test_a_mail_server_that_is_away_costs_nothing(arena: Path) -> None:
    """The sweep says what it could not send and exits 1; the letters wait, and the next sweep says until when."""
    found(arena)
    done = run(arena, "sweep")
    assert done.exit_code == 1
    assert done.output.startswith("127.0.0.1:1 cannot be used: Connection refused. Correct host")
    again = run(arena, "sweep")
    assert again.exit_code == 0
    waiting = r"3 letters wait for the mail server; next try \d\d:\d\d UTC, or at once with --now\n"
    assert re.fullmatch(waiting, again.output), again.output
    assert run(arena, "sweep", "--now").exit_code == 1


def test_reports_of_a_game_without_any_are_refused(arena: Path) -> None:
    """`pbem report` says that there is none yet."""
    found(arena)
    done = run(arena, "report", "ember-7")
    assert isinstance(done.exception, WorldError) and "no report yet" in str(done.exception)


def test_a_phase_without_a_report_is_a_wrong_command_line(tmp_path: Path) -> None:
    """The error names the phases that have one."""
    for phase in ("phase-01", "phase-02", "phase-100"):
        (tmp_path / "tide-1" / phase).mkdir(parents=True)
        (tmp_path / "tide-1" / phase / "report.txt").write_text(f"{phase}\n")
    (tmp_path / "tide-1" / "charter.toml").write_text("")
    done = run(tmp_path, "report", str(tmp_path / "tide-1"), "--phase", "3")
    assert done.exit_code == 2 and "Phases with one: 1, 2, 100" in done.output
    assert run(tmp_path, "report", str(tmp_path / "tide-1")).output == "phase-100\n"


def test_a_finished_game_is_shown_as_over() -> None:
    """`pbem show` says after which phase it ended and how, and lists nobody as if something were asked."""
    facts = {"game": "ember-7", "ruleset": "rumble", "status": "over", "phase": 11, "title": "Final report"}
    row = {"name": "Bolt", "player": "Bo", "state": "nothing asked"}
    facts |= {"deadline": None, "paused": False, "proof": 0, "result": "Bolt wins.", "seats": [row], "unanswered": []}
    facts |= {"map": [], "early": None}
    assert status.as_text(facts) == "ember-7 (rumble): over after phase 11\nBolt wins."


def test_who_lost_an_address_is_moved_by_hand(arena: Path) -> None:
    """Nobody else's address is taken, and a daemon that runs sees it at its next sweep."""
    found(arena)
    assert "has the address bo@example.org already" in run(arena, "address", "ada@example.org", "bo@example.org").output
    assert "Nobody here" in run(arena, "address", "eve@example.org", "ada@example.net").output
    assert run(arena, "address", "ada@example.org", "no address").exit_code == 2
    opened = open_arena(arena)
    assert opened.people.find("ada@example.org")
    opened.index.was_changed()
    assert run(arena, "address", "ada@example.org", "ada@example.net").exit_code == 0
    opened.refresh()
    assert opened.people.find("ada@example.net") and not opened.people.find("ada@example.org")
    opened.close()


def test_a_rescan_takes_the_marks_off_what_came_since(arena: Path) -> None:
    """It says how many and since when; without a sweep that is known it has to be told from when."""
    maildir = Path(tomllib.loads((arena / "settings.toml").read_text())["mailbox"]["path"])
    (maildir / "new" / "1.a").write_bytes(b"From: eve@example.org\nSubject: hello\n\nhello\n")
    assert run(arena, "rescan").exit_code == 2
    assert "pbem rescan --since 2026-11-20" in run(arena, "rescan").output
    assert "write a date" in run(arena, "rescan", "--since", "yesterday").output
    run(arena, "sweep")
    assert [path.name for path in (maildir / "cur").iterdir()] == ["1.a:2,S"]
    done = run(arena, "rescan")
    assert done.exit_code == 0 and done.output.startswith("1 mail since ")
    assert [path.name for path in (maildir / "cur").iterdir()] == ["1.a:2,"]
    assert run(arena, "sweep").output.startswith("1 mail in, 0 entries, 0 letters out")
