"""Setting up an arena from the terminal: the dialogue, secrets apart, and the doctor's findings in words."""

import stat
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from pbem import cli
from pbem.ground.terms import Mail, OutboxError
from pbem.hall.keeping import doctor
from pbem.hall.keeping.providers import PROVIDERS, provider_of
from pbem.world import settings as world_settings
from pbem.world.clock import SystemClock
from pbem.world.post_office import PostOffice

ARENA = "arena@example.org"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[PostOffice]:
    """A mail server on this machine that delivers into Maildirs."""
    with PostOffice(tmp_path / "mail", [ARENA], SystemClock()) as office:
        yield office


def settings(root: Path, office: PostOffice, more: str = "", *, port: int = 0) -> Path:
    """Write the settings of an arena at that mail server."""
    root.mkdir(mode=0o700)
    maildir = office.maildir(ARENA)
    path = root / "settings.toml"
    path.write_text(
        f'[arena]\naddress = "{ARENA}"\n{more}[mailbox]\npath = "{maildir}"\n[outbox]\nport = {port or office.port}\n'
    )
    path.chmod(0o600)
    return root


def examine(root: Path) -> Result:
    """Call the doctor."""
    return CliRunner().invoke(cli.pbem, ["--arena", str(root), "doctor"])


def test_a_sound_arena_is_told_line_by_line(tmp_path: Path, office: PostOffice) -> None:
    """A letter goes out to a plus address and comes back; nothing of it is left to do."""
    done = examine(settings(tmp_path / "arena", office))
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("ok")] == [
        "files", "disk", "mailbox", "sending", "authserv", "plus", "clock",
    ]  # fmt: skip
    assert f"ok   sending     127.0.0.1:{office.port} took a letter, without a login" in lines
    assert "ok   plus        mail to arena+anything@example.org arrives, and says whom it was for" in lines
    assert lines[-1].startswith("All is well. To found a game: pbem new")
    assert list((office.maildir(ARENA) / "new").iterdir()) == []


def test_what_is_wrong_is_told_with_what_to_do(tmp_path: Path, office: PostOffice) -> None:
    """Files that others can read, and a mail server that is not there; the doctor ends with 1."""
    root = settings(tmp_path / "arena", office, port=1)
    (root / "settings.toml").chmod(0o644)
    done = examine(root)
    assert done.exit_code == 1
    assert f"BAD  files       others on this machine can read {root / 'settings.toml'}" in done.output
    assert f"-> chmod -R go= {root}" in done.output
    assert "BAD  sending     no letter went" in done.output
    assert "-> 127.0.0.1:1 cannot be used: Connection refused" in done.output


def test_a_maildir_that_is_none_is_told(tmp_path: Path, office: PostOffice) -> None:
    """The path and what to do about it."""
    root = settings(tmp_path / "arena", office)
    (root / "settings.toml").write_text((root / "settings.toml").read_text().replace("mail/", "nowhere/"))
    done = examine(root)
    assert done.exit_code == 1
    assert "BAD  mailbox     not read" in done.output and "is no Maildir" in done.output


@pytest.mark.parametrize("plus", [True, False])
def test_a_server_without_plus_addresses_is_found_out(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch, plus: bool
) -> None:
    """Where the plus address is refused, a plain letter tells whether the rest works, and what to set."""
    with_plus = PostOffice.maildir

    def without_plus(office: PostOffice, address: str) -> Path:
        if "+" in address:
            raise OutboxError("no plus addresses here")
        return with_plus(office, address)

    monkeypatch.setattr(PostOffice, "maildir", without_plus)
    root = settings(tmp_path / "arena", office, "" if plus else "plus = false\n")
    done = examine(root)
    assert "ok   round trip  a letter to arena@example.org came" in done.output
    if plus:
        assert done.exit_code == 1
        assert "-> switch on plus addressing at the mail server, or set plus = false under [arena]" in done.output
    else:
        assert done.exit_code == 0, done.output
        assert "subjects carry the tokens, as plus = false says" in done.output


@pytest.mark.parametrize(
    ("known", "signed", "well", "heard"),
    [
        ("", [], True, "not set: mail counts by its token and address alone"),
        ("", ["mx.example.org; spf=pass"], True, 'authserv = ["mx.example.org"] under [arena] would do'),
        ("mx.example.org", ["MX.example.org 1; spf=pass"], True, "MX.example.org says of each mail whether"),
        ("mx.example.org", ["b.example.net; none", "mx.example.org; none"], True, "mx.example.org says of each mail"),
        ("mx.example.org", ["mail.example.org; none"], False, "looked at by mail.example.org, and not by"),
        ("mx.example.org", [], False, "nothing in the letter was signed as mx.example.org"),
    ],
)
def test_the_doctor_tests_authserv_with_the_letter_to_itself(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch, known: str, signed: list[str], well: bool,
    heard: str,
) -> None:  # fmt: skip
    """Whether our own mail server signs under a name that the settings have; what to write where it does not."""
    root = settings(tmp_path / "arena", office, f"authserv = [{known!r}]\n" if known else "")
    wait = doctor._wait

    def looked_at(*given: Any) -> Mail | None:
        found = wait(*given)
        headers = "".join(f"Authentication-Results: {result}\r\n" for result in signed).encode()
        return found and msgspec.structs.replace(found, raw=headers + found.raw)

    monkeypatch.setattr(doctor, "_wait", looked_at)
    done = examine(root)
    line = next(line for line in done.output.splitlines() if " authserv " in line)
    assert line.startswith("ok" if well else "BAD") and heard in line, done.output
    assert done.exit_code == (not well)


def test_a_letter_that_does_not_come_is_told(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mailbox of somebody else's: the letters go, and none comes."""
    monkeypatch.setattr(doctor, "PATIENCE", timedelta(0))
    root = settings(tmp_path / "arena", office)
    other = tmp_path / "other"
    for name in ("new", "cur", "tmp"):
        (other / name).mkdir(parents=True)
    text = (root / "settings.toml").read_text().replace(str(office.maildir(ARENA)), str(other))
    (root / "settings.toml").write_text(text)
    done = examine(root)
    assert done.exit_code == 1
    assert "BAD  round trip  a letter to arena@example.org did not come within 0 s" in done.output


def test_a_letter_to_ourselves_is_not_waited_for_behind_a_crowd(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where more mail waits than is looked through, the doctor says what to do first."""
    monkeypatch.setattr(doctor, "MANY", 3)
    root = settings(tmp_path / "arena", office)
    for number in range(3):
        (office.maildir(ARENA) / "new" / f"{number}").write_bytes(b"Subject: hello\n\nhello\n")
    done = examine(root)
    assert done.exit_code == 1
    assert "a Maildir, 3 or more mails wait" in done.output
    assert "-> 3 mails wait before it. Let them be taken (pbem sweep), and ask again." in done.output


def init(root: Path, *answers: str) -> Result:
    """Answer the dialogue."""
    typed = "\n".join(answers) + "\n"
    return CliRunner().invoke(cli.pbem, ["--arena", str(root), "init"], input=typed)


def test_an_account_at_a_known_provider_takes_few_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts and limits are known from the address; the password goes into a file of its own."""
    monkeypatch.setattr("pbem.cli.setting_up._look_over", lambda arena: True)
    root = tmp_path / "arena"
    done = init(root, "ember.arena@gmail.com", "y", "Ember", "gwen@example.org", "Europe/Paris", "", "app word", "y")
    assert done.exit_code == 0, done.output
    assert "Make an app password there" in done.output and "app word" not in done.output
    text = (root / "settings.toml").read_text()
    found = tomllib.loads(text)
    assert found["mailbox"]["host"] == "imap.gmail.com" and found["outbox"]["daily"] == 400
    assert found["arena"] == {
        "address": "ember.arena@gmail.com", "name": "Ember", "plus": True,
        "moderator": "gwen@example.org", "zone": "Europe/Paris",
    }  # fmt: skip
    assert "app word" not in text
    secret = root / "secrets" / "password"
    assert secret.read_text() == "app word\n"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE((root / "settings.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o711, 0o2770, 0o700])
def test_a_folder_that_was_made_by_hand_becomes_its_owners_alone(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    """The doctor tells of it in an arena, and init sets it right, in a new one and in one that is there already."""
    root = settings(tmp_path / "arena", office)
    root.chmod(mode)
    done = examine(root)
    assert (f"others on this machine can read {root}\n" in done.output) is (mode != 0o700), done.output
    monkeypatch.setattr("pbem.cli.setting_up._look_over", lambda arena: True)
    answers = (
        "own",
        "Ember",
        "none",
        "UTC",
        "y",
        "mail.example.org",
        "993",
        "",
        "587",
        "none",
        "",
        "pass word",
        "y",
        "n",
    )
    new = tmp_path / "new"
    new.mkdir()
    for folder in (new, root):
        folder.chmod(mode)
        assert init(folder, ARENA, *answers).exit_code == 0
        assert stat.S_IMODE(folder.stat().st_mode) & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_ones_own_is_no_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written into it."""
    root = tmp_path / "arena"
    root.mkdir()
    root.chmod(0o755)

    def refused(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refused)
    done = init(root, "ember.arena@gmail.com", "y", "Ember", "gwen@example.org", "Europe/Paris", "", "app word", "y")
    assert done.exit_code and f"{root} cannot be made yours alone: Operation not permitted" in str(done.exception)
    assert not list(root.iterdir())


def test_a_provider_without_passwords_asks_for_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Client id and refresh token instead, and a table [oauth]."""
    monkeypatch.setattr("pbem.cli.setting_up._look_over", lambda arena: True)
    root = tmp_path / "arena"
    done = init(root, "ember@outlook.com", "y", "", "", "", "", "client-1", "none", "refresh-1", "y")
    assert done.exit_code == 0, done.output
    found = tomllib.loads((root / "settings.toml").read_text())
    assert found["mailbox"]["login"] == found["outbox"]["login"] == "xoauth2"
    assert found["oauth"]["client_id"] == "client-1" and "client_secret_file" not in found["oauth"]
    assert (root / "secrets" / "refresh-token").read_text() == "refresh-1\n"
    assert not (root / "secrets" / "password").exists()


def test_a_server_of_ones_own_with_a_maildir_is_looked_over_at_once(tmp_path: Path, office: PostOffice) -> None:
    """The dialogue ends with the doctor, whose findings are those of the very server."""
    root = tmp_path / "arena"
    done = init(root, ARENA, "own", "", "", "", "n", str(office.maildir(ARENA)), "127.0.0.1", "y")
    assert "The doctor looks it over." in done.output, done.output
    assert done.exit_code == 1 and "-> 127.0.0.1:25 cannot be used" in done.output


def test_init_again_mends_one_answer_and_keeps_all_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter keeps each answer and each secret; what is never asked stays too; the old file is there to go back to."""
    monkeypatch.setattr("pbem.cli.setting_up._look_over", lambda arena: True)
    root = tmp_path / "arena"
    own = ("own", "Ember", "none", "UTC", "y", "mail.example.org", "993", "", "587", "none", "", "pass word", "y", "n")
    assert init(root, ARENA, *own).exit_code == 0
    path = root / "settings.toml"
    path.write_text(path.read_text().replace("[mailbox]", 'authserv = ["mx.example.org"]\n[mailbox]') + "metrics = 9\n")
    before = tomllib.loads(path.read_text())
    done = init(root, "", "", "", "", "Asia/Tokyo", *[""] * 12)
    assert done.exit_code == 0, done.output
    assert "Enter keeps what it has" in done.output and "pass word" not in done.output
    after = tomllib.loads(path.read_text())
    before["arena"]["zone"] = "Asia/Tokyo"
    assert after == before
    assert (root / "secrets" / "password").read_text() == "pass word\n"
    assert 'zone = "UTC"' in (root / "settings.toml.before").read_text()
    assert stat.S_IMODE((root / "settings.toml.before").stat().st_mode) == 0o600
    assert init(root, "", "", "", "", "", "", "", "", "", "", "", "", "another", "", "").exit_code == 0
    assert (root / "secrets" / "password").read_text() == "another\n" and tomllib.loads(path.read_text()) == after


def test_init_again_keeps_a_maildir_a_provider_and_a_login_of_ones_own(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever kind of account it is, Enter alone changes nothing."""
    monkeypatch.setattr("pbem.cli.setting_up._look_over", lambda arena: True)
    roots = [settings(tmp_path / "maildir", office), tmp_path / "gmail", tmp_path / "outlook", tmp_path / "command"]
    init(roots[1], "ember@gmail.com", "y", "", "", "", "", "pw", "y")
    init(roots[2], "ember@outlook.com", "y", "", "", "", "", "client-1", "none", "refresh-1", "y")
    roots[3].mkdir()
    login = 'host = "m.example.org"\nport = 993\nuser = "u"\nlogin = "xoauth2"\ntoken_command = ["get-token"]\n'
    (roots[3] / "settings.toml").write_text(
        f'[arena]\naddress = "{ARENA}"\n[mailbox]\nkind = "imap"\nsince = 2026-01-01\n{login}[outbox]\n{login}tls = "tls"\n'
    )
    for root in roots:
        before = world_settings.read(root)
        done = init(root, *[""] * 20)
        assert done.exit_code == 0, done.output
        after = world_settings.read(root)
        assert after.mailbox == before.mailbox or root == roots[0], root.name
        assert (after.arena, after.outbox, after.oauth) == (before.arena, before.outbox, before.oauth), root.name


def test_a_mistake_in_the_settings_is_for_an_editor(tmp_path: Path, office: PostOffice) -> None:
    """What cannot be read cannot be offered; nothing is asked, and nothing changed."""
    root = settings(tmp_path / "arena", office)
    (root / "settings.toml").write_text("[arena]\naddress = 7\n")
    done = init(root, ARENA)
    assert "settings.toml, line 2" in str(done.exception) and "players write to" not in done.output
    assert (root / "settings.toml").read_text() == "[arena]\naddress = 7\n" and not (root / "secrets").exists()


def test_answers_that_cannot_be_are_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address, a zone, a file and a port are checked as they are given, and unusual ports ask for their TLS."""
    monkeypatch.setattr("pbem.cli.setting_up._look_over", lambda arena: True)
    root = tmp_path / "arena"
    done = init(
        root, "arena", "arena@example.org", "own", "", "gwen@example", "gwen@example.org", "Europe/Londn", "Europe/London",
        "y", "mail.example.org", "99999", "24179", "tls", "", "2587", "starttls", "/no/such/file", "none", "", "pw", "n", "y",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for said in (
        "write one mail address",
        "write an IANA zone",
        "there is no file /no/such/file",
        "99999 is not in the",
    ):
        assert said in done.output
    found = tomllib.loads((root / "settings.toml").read_text())
    assert (found["mailbox"]["port"], found["mailbox"]["tls"]) == (24179, "tls")
    assert (found["outbox"]["port"], found["outbox"]["tls"]) == (2587, "starttls")
    assert "token_command" not in found["mailbox"]


def test_the_doctor_goes_on_where_the_mailbox_cannot_be_read(tmp_path: Path, office: PostOffice) -> None:
    """Sending is tried all the same, nothing is waited for, and each trouble is told once."""
    root = settings(tmp_path / "arena", office)
    (root / "settings.toml").write_text((root / "settings.toml").read_text().replace("mail/", "nowhere/"))
    done = examine(root)
    assert done.exit_code == 1 and done.exception.__class__ is SystemExit
    assert done.output.count("is no Maildir") == 1
    assert f"ok   sending     127.0.0.1:{office.port} took a letter" in done.output


def test_each_domain_belongs_to_one_provider() -> None:
    """No address leads to two."""
    domains = [domain for provider in PROVIDERS for domain in provider.domains]
    assert len(set(domains)) == len(domains)
    found = provider_of("Ada@GMail.com")
    assert found is not None and found.name == "gmail"
