"""What our logins promise: secrets come from where the settings say, are fetched anew in time, and are told to nobody."""

import os
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import CharterError, MailboxError, WorldError
from pbem.world import login as room
from pbem.world.imap.account import RefusedError
from pbem.world.login import EARLY, Login, RefreshedSecret, login, read_secret, write_secret
from pbem.world.settings import ImapSettings, OauthSettings
from tests.imap_scene import Scene, Seconds, mail
from tests.servers import Dovecot, TokenServer, running


@pytest.fixture
def provider() -> Iterator[TokenServer]:
    """Somebody who makes access tokens."""
    server = TokenServer()
    yield server
    server.close()


@pytest.fixture
def oauth(provider: TokenServer, tmp_path: Path) -> OauthSettings:
    """An arena in which a person has signed in."""
    write_secret(tmp_path / "secrets" / "refresh", "refresh-1")
    return OauthSettings(token_url=provider.token_url, client_id="pbem", refresh_token_file="secrets/refresh")


def words(error: BaseException | None) -> str:
    """Write out an error and all that led to it, shown or not."""
    if error is None:
        return ""
    return "".join([repr(error), *traceback.format_exception(error), words(error.__cause__), words(error.__context__)])


def imap(**wanted: Any) -> ImapSettings:
    """Return the settings of an account."""
    return ImapSettings(kind="imap", host="127.0.0.1", user="ada", **wanted)


# --- files


def test_a_password_file_is_read_at_each_login(tmp_path: Path) -> None:
    """What the file says now counts, without its line end and with its spaces."""
    path = tmp_path / "secrets" / "password"
    write_secret(path, " pass word ")
    found = login(imap(password_file="secrets/password"), None, tmp_path)
    assert (found.user, found.how, found.secret.get()) == ("ada", "password", " pass word ")
    path.write_bytes("pässword\r\n".encode())
    assert found.secret.get() == "pässword"
    assert not found.secret.refused()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o622, 0o777])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """The sentence says how to close it, and not what is in it."""
    path = tmp_path / "password"
    path.write_text("hidden")
    path.chmod(mode)
    with pytest.raises(CharterError, match=rf"^{path} can be read by others\. .*: chmod 600 {path}$") as error:
        read_secret(path)
    assert "hidden" not in words(error.value)
    path.chmod(0o400)
    assert read_secret(path) == "hidden"


@pytest.mark.parametrize("raw", [b"", b"\n", b"hidden\nsecond\n", b"hidden\0", b"hidden\xff", b"a\rhidden"])
def test_a_file_that_is_not_one_line_of_text_is_refused(tmp_path: Path, raw: bytes) -> None:
    """Nothing could be a second command to a server, or half of a file of another kind."""
    path = tmp_path / "password"
    path.write_bytes(raw)
    path.chmod(0o600)
    with pytest.raises(CharterError, match=rf"^{path} is not one line of text") as error:
        read_secret(path)
    assert "hidden" not in words(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A missing file, and a folder in its place, are told with their path."""
    with pytest.raises(CharterError, match=rf"^{tmp_path}/no cannot be read: No such file"):
        read_secret(tmp_path / "no")
    (tmp_path / "folder").mkdir(mode=0o700)
    with pytest.raises(CharterError, match=rf"^{tmp_path}/folder cannot be read"):
        read_secret(tmp_path / "folder")


def test_a_secret_is_written_whole_and_for_us_alone(tmp_path: Path) -> None:
    """Folder and file are ours, whatever lay there before, what the umask is, or what a crash has left."""
    path = tmp_path / "secrets" / "refresh"
    old = os.umask(0)
    try:
        write_secret(path, "one")
        (tmp_path / "secrets" / "refresh.new").write_text("left by a crash")
        write_secret(path, "two")
    finally:
        os.umask(old)
    assert path.read_text() == "two\n"
    assert [oct(found.stat().st_mode & 0o777) for found in (path, path.parent)] == ["0o600", "0o700"]
    assert os.listdir(path.parent) == ["refresh"]


# --- a command


def command(tmp_path: Path, script: str) -> Login:
    """Return a login whose token comes from a program."""
    return login(imap(login="xoauth2", token_command=(sys.executable, "-c", script)), None, tmp_path)


def test_a_command_prints_the_token(tmp_path: Path) -> None:
    """It runs in the arena's folder, without a shell, at each login; its first line counts."""
    (tmp_path / "count").write_text("1")
    found = command(
        tmp_path, "n = open('count').read(); print('token$HOME', n, '\\nmore'); open('count', 'w').write('2')"
    )
    assert [found.secret.get(), found.secret.get()] == ["token$HOME 1", "token$HOME 2"]
    assert not found.secret.refused()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('hid' 'den'); raise SystemExit(3)", "ended with 3 and gave no token"),
        ("import sys; print('hid' 'den', file=sys.stderr)", "ended with 0 and gave no token"),
        ("print('\\nhid' 'den')", "ended with 0 and gave no token"),
    ],
)
def test_a_command_that_fails_is_told_without_its_words(tmp_path: Path, script: str, said: str) -> None:
    """What it printed may be a secret all the same."""
    with pytest.raises(WorldError, match=rf"^token_command: {sys.executable} {said}\. Run it by hand\.$") as error:
        command(tmp_path, script).secret.get()
    assert "hidden" not in words(error.value)


def test_a_command_that_hangs_or_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ended when its time is over; what is no program is a mistake in the settings."""
    monkeypatch.setattr(room, "PATIENCE", 0.2)
    with pytest.raises(WorldError, match=r"gave no token in 0\.2 seconds\. Run it by hand") as error:
        command(tmp_path, "print('token', flush=True); import time; time.sleep(60)").secret.get()
    assert not isinstance(error.value, CharterError)
    with pytest.raises(CharterError, match=r"^token_command: no-such-program cannot be run: No such file"):
        login(imap(login="xoauth2", token_command=("no-such-program",)), None, tmp_path).secret.get()


# --- refresh tokens


def test_an_access_token_is_kept_until_shortly_before_its_end(
    provider: TokenServer, oauth: OauthSettings, tmp_path: Path
) -> None:
    """The form is that of RFC 6749, 6; the token is used again while it lasts, on a clock that is handed over."""
    clock = Seconds()
    secret = RefreshedSecret(oauth, tmp_path, clock)
    provider.issue("access-1", expires_in=3600)
    provider.issue("access-2", expires_in="3600")
    provider.issue("access-3")
    provider.issue("access-4", expires_in=EARLY // 2)
    assert [secret.get(), secret.get()] == ["access-1", "access-1"]
    clock.now += 3600 - EARLY - 1
    assert secret.get() == "access-1"
    clock.now += 1
    assert [secret.get(), secret.get()] == ["access-2", "access-2"]
    clock.now += 3600
    assert secret.get() == "access-3"
    clock.now += 3600
    assert secret.get() == "access-4"
    assert provider.asked == [{"grant_type": "refresh_token", "refresh_token": "refresh-1", "client_id": "pbem"}] * 4


def test_client_secret_and_scope_are_shown_where_the_settings_say(provider: TokenServer, tmp_path: Path) -> None:
    """Some providers want them."""
    write_secret(tmp_path / "refresh", "refresh-1")
    write_secret(tmp_path / "client", "client-1")
    oauth = OauthSettings(
        token_url=provider.token_url,
        client_id="pbem",
        refresh_token_file="refresh",
        client_secret_file="client",
        scope="mail offline",
    )
    provider.issue("access-1")
    found = login(imap(login="oauthbearer"), oauth, tmp_path)
    assert (found.how, found.secret.get()) == ("oauthbearer", "access-1")
    assert (provider.asked[0]["client_secret"], provider.asked[0]["scope"]) == ("client-1", "mail offline")


def test_a_new_refresh_token_takes_the_place_of_the_old(
    provider: TokenServer, oauth: OauthSettings, tmp_path: Path
) -> None:
    """It is on file, for us alone, before the access token is used; also a later daemon shows the new one."""
    provider.issue("access-1", refresh_token="refresh-2")
    provider.issue("access-2")
    assert RefreshedSecret(oauth, tmp_path).get() == "access-1"
    path = tmp_path / "secrets" / "refresh"
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("refresh-2\n", 0o600)
    assert RefreshedSecret(oauth, tmp_path).get() == "access-2"
    assert [form["refresh_token"] for form in provider.asked] == ["refresh-1", "refresh-2"]


def test_a_new_refresh_token_survives_a_full_disk(
    provider: TokenServer, oauth: OauthSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one may be worth nothing any more: the new one is kept in mind until it could be written."""
    secret = RefreshedSecret(oauth, tmp_path)
    provider.issue("access-1", refresh_token="refresh-2")
    provider.issue("access-2")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(CharterError, match="cannot be written: No space left on device"):
            secret.get()
    assert (tmp_path / "secrets" / "refresh").read_text() == "refresh-1\n"
    assert secret.get() == "access-2"
    assert provider.asked[-1]["refresh_token"] == "refresh-2"
    assert (tmp_path / "secrets" / "refresh").read_text() == "refresh-2\n"


def test_two_logins_do_not_show_the_same_refresh_token(
    provider: TokenServer, oauth: OauthSettings, tmp_path: Path
) -> None:
    """Mailbox, bell and outbox may all be in need at once; each waits for the new token of the one before."""
    for number in range(2, 6):
        provider.issue(f"access-{number}", refresh_token=f"refresh-{number}")
    secrets = [RefreshedSecret(oauth, tmp_path) for _ in range(4)]
    threads = [threading.Thread(target=secret.get) for secret in secrets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [form["refresh_token"] for form in provider.asked] == [f"refresh-{number}" for number in range(1, 5)]
    assert (tmp_path / "secrets" / "refresh").read_text() == "refresh-5\n"


def test_an_old_token_that_is_refused_is_worth_one_new_one(
    provider: TokenServer, oauth: OauthSettings, tmp_path: Path
) -> None:
    """A token that was fetched just now would only be refused again."""
    provider.issue("access-1")
    provider.issue("access-2")
    secret = RefreshedSecret(oauth, tmp_path)
    secret.get()
    assert not secret.refused()
    assert secret.get() == "access-2"
    assert secret.get() == "access-2"
    assert secret.refused()


@pytest.mark.parametrize(
    ("status", "body", "said", "ours"),
    [
        (400, {"error": "invalid_grant"}, r"(400 invalid_grant). Sign in anew: pbem init says how.", True),
        (401, {"error": "invalid_client"}, r"(401 invalid_client). Correct [oauth] in settings.toml.", True),
        (400, {"error": "<b>refresh-1</b>"}, "(400 ). Correct [oauth]", True),
        (400, ["refresh-1"], "(400 ).", True),
        (403, b"refresh-1 \xff is no JSON", "(403 ).", True),
        (429, {"error": "slow_down"}, "(429 slow_down).", False),
        (500, b"refresh-1", "(500 ).", False),
        (200, b"<html>refresh-1", "answered something that holds no access token", False),
        (200, b"\xff\xfe", "answered something that holds no access token", False),
        (200, b"", "answered something that holds no access token", False),
        (200, {"token": "refresh-1"}, "answered something that holds no access token", False),
        (200, {"access_token": ""}, "answered something that holds no access token", False),
        (200, {"access_token": ["refresh-1"]}, "answered something that holds no access token", False),
    ],
)
def test_whoever_gives_no_token_is_told_without_secrets(
    provider: TokenServer, oauth: OauthSettings, tmp_path: Path, status: int, body: Any, said: str, ours: bool
) -> None:
    """What we have to put right is a mistake in the settings, the rest passes; the code word of the answer is enough."""
    provider.answers.append((status, body))
    provider.issue("access-2")
    secret = RefreshedSecret(oauth, tmp_path)
    with pytest.raises(WorldError) as error:
        secret.get()
    assert str(error.value).startswith("127.0.0.1 ") and said in str(error.value)
    assert isinstance(error.value, CharterError) == ours
    assert "refresh-1" not in words(error.value)
    assert secret.get() == "access-2"


def test_a_provider_that_is_away_or_no_web_server_is_told(
    provider: TokenServer, dovecot: Dovecot, oauth: OauthSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused connection, and an answer that is no HTTP, are troubles of the world."""
    provider.close()
    with pytest.raises(WorldError, match=r"^127\.0\.0\.1 gave no access token: .*refused"):
        RefreshedSecret(oauth, tmp_path).get()
    other = OauthSettings(
        token_url=f"http://127.0.0.1:{dovecot.imap}/", client_id="pbem", refresh_token_file="secrets/refresh"
    )
    with pytest.raises(WorldError, match=r"^127\.0\.0\.1 gave no access token: BadStatusLine$") as error:
        RefreshedSecret(other, tmp_path).get()
    assert not isinstance(error.value, CharterError)


def test_no_login_shows_its_secret(provider: TokenServer, oauth: OauthSettings, tmp_path: Path) -> None:
    """Neither a login nor its secret writes it out when it is printed."""
    provider.issue("access-1")
    write_secret(tmp_path / "password", "hidden")
    for settings in (imap(login="xoauth2"), imap(password_file="password")):
        found = login(settings, oauth, tmp_path)
        secret = found.secret.get()
        assert secret not in repr(found) + repr(found.secret) + str(found)


# --- a server that takes tokens


@pytest.fixture(scope="module")
def asked() -> Iterator[TokenServer]:
    """Who tells the mail server which tokens hold."""
    server = TokenServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def tokens(asked: TokenServer) -> Iterator[Dovecot]:
    """A server that takes access tokens."""
    with running(Dovecot(introspection=asked.introspection_url)) as server:
        yield server


@pytest.mark.parametrize("how", ["xoauth2", pytest.param("oauthbearer", marks=pytest.mark.sweep)])
def test_a_token_opens_the_mailbox(
    dovecot: Dovecot, tokens: Dovecot, asked: TokenServer, provider: TokenServer, oauth: OauthSettings, tmp_path: Path,
    how: Any,
) -> None:  # fmt: skip
    """
    Both mechanisms log in; an old token that was refused is fetched anew at once, a new one is not.

    What is refused then is not tried again for five minutes, and no error shows a token.
    """
    scene = Scene(tokens)
    scene.put(mail("a"))
    wire = scene.wire()
    settings = scene.settings(login=how, port=wire.port)
    account = scene.account(settings, login=login(settings, oauth, tmp_path))
    box = scene.mailbox()
    box._account = account
    asked.holds = {"access-1": scene.user}
    provider.issue("access-1")
    [got] = box.fetch(10)
    assert got.raw == mail("a")

    wire.hang_up()  # the token is used again
    assert box.fetch(10) == [got]
    assert len(provider.asked) == 1

    asked.holds = {"access-2": scene.user}
    provider.issue("access-2")
    wire.hang_up()
    assert box.fetch(10) == [got]
    assert len(provider.asked) == 2

    asked.holds = {}
    provider.issue("access-3")
    wire.hang_up()
    met = wire.met
    for _ in range(3):
        with pytest.raises(
            RefusedError, match=rf"^127\.0\.0\.1 refused the login of {scene.user}\. Correct user and tok"
        ) as error:
            box.fetch(10)
        assert "access-" not in words(error.value)
    assert (wire.met, len(provider.asked)) == (met + 2, 3)

    scene.clock.now += 600
    provider.issue("access-4")
    asked.holds = {"access-4": scene.user}
    assert box.fetch(10) == [got]
    scene.close()


def test_a_provider_that_wants_a_new_sign_in_is_not_pestered(
    scene: Scene, provider: TokenServer, oauth: OauthSettings, tmp_path: Path
) -> None:
    """A refresh token that holds no more is shown once in five minutes; a provider with a cold is asked again soon."""
    settings = scene.settings(login="xoauth2")
    account = scene.account(settings, login=login(settings, oauth, tmp_path))
    box = scene.mailbox()
    box._account = account
    provider.answers.append((503, b""))
    with pytest.raises(MailboxError, match="503"):
        box.fetch(1)
    for _ in range(3):
        provider.answers.append((400, {"error": "invalid_grant"}))
        with pytest.raises(RefusedError, match="Sign in anew"):
            box.fetch(1)
        scene.clock.now += 90
    assert len(provider.asked) == 2
