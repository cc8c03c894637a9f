"""The settings: each mistake is told with its line and what was expected, and no password goes out in clear."""

from datetime import date
from pathlib import Path

import pytest

from pbem.ground.terms import CharterError
from pbem.world import settings
from pbem.world.settings import ImapSettings, MaildirSettings

ARENA = '[arena]\naddress = "arena@example.org"\n'
IMAP = '[mailbox]\nkind = "imap"\nhost = "mail.example.org"\nuser = "arena"\npassword_file = "secrets/password"\n'


def read(tmp_path: Path, text: str) -> settings.Settings:
    """Read settings from a file."""
    (tmp_path / "settings.toml").write_text(text)
    return settings.read(tmp_path)


def test_an_imap_account_is_read(tmp_path: Path) -> None:
    """Ports and folders have their usual values; a private authority's file is found from the arena."""
    found = read(tmp_path, f'{ARENA}{IMAP}since = 2026-11-22\nca_file = "ca.pem"\n').mailbox
    assert isinstance(found, ImapSettings)
    assert (found.port, found.tls, found.folder, found.processed) == (993, "tls", "INBOX", "Processed")
    assert found.since == date(2026, 11, 22) and found.ca_file == str(tmp_path / "ca.pem")
    assert not found.dedicated


def test_a_maildir_needs_no_kind(tmp_path: Path) -> None:
    """A path alone is a Maildir."""
    assert read(tmp_path, f'{ARENA}[mailbox]\npath = "x"\n').mailbox == MaildirSettings(path="x")


MISTAKES = {
    f'{ARENA}[mailbox]\nkind = "pop3"\n': "line 4: mailbox.kind: expected one of: maildir, imap",
    f'{ARENA}[mailbox]\nkind = "imap"\nuser = "a"\n': "mailbox.host is missing",
    f"{ARENA}{IMAP}".replace('user = "arena"\n', ""): "line 3: user: expected the name of the account",
    f"{ARENA}{IMAP}".replace('password_file = "secrets/password"\n', ""): "password_file: expected the file",
    f"{ARENA}{IMAP}path = 'x'\n": "line 8: there is no setting path",
    f'{ARENA}{IMAP}login = "xoauth2"\n': "line 8: login: expected a token_command beside it, or a table",
    f'{ARENA}{IMAP}processed = "INBOX"\n': "line 8: processed: expected a folder other than INBOX",
    f'{ARENA}{IMAP}folder = "inbox"\nprocessed = "INBOX"\n': "line 9: processed: expected a folder other than inbox",
    f"{ARENA}{IMAP}".replace("arena@", "me+arena@"): "line 2: address: expected one without a +",
    f'{ARENA}{IMAP}login = "ntlm"\n': "line 8: mailbox.login: expected one of: password, xoauth2, oauthbearer",
    f'{ARENA}{IMAP}tls = "none"\n': "line 8: tls: expected tls or starttls: a password does not go to mail.example.org",
    f'{ARENA}{IMAP}[outbox]\nhost = "smtp.example.org"\nuser = "a"\npassword_file = "p"\n': "tls: expected tls or",
    f"{ARENA}zone = 'Mars/Olympus'\n{IMAP}": "line 3: zone: expected an IANA zone",
    f"{ARENA}moderator = 'me'\n{IMAP}": "line 3: moderator: expected one mail address",
    f"{ARENA}{IMAP}since = 'soon'\n": "mailbox.since: ",
    f"{ARENA}{IMAP}[oauth]\ntoken_url = 'http://example.org/t'\nclient_id = 'a'\nrefresh_token_file = 'r'\n": (
        "line 9: token_url: expected an address that begins with https://"
    ),
    f"{ARENA}[mailbox]\npath = 'x'\n[outbox]\ndaily = -1\n": "outbox.daily: expected a whole number",
}


@pytest.mark.parametrize("text", MISTAKES, ids=list(MISTAKES.values()))
def test_a_mistake_is_told_with_its_line_and_what_was_expected(tmp_path: Path, text: str) -> None:
    """File, line, and the words that would have worked."""
    with pytest.raises(CharterError) as told:
        read(tmp_path, text)
    assert MISTAKES[text] in str(told.value) and "settings.toml" in str(told.value)


def test_a_login_in_clear_is_fine_on_this_machine(tmp_path: Path) -> None:
    """Nobody listens on loopback."""
    text = f'{ARENA}{IMAP}tls = "none"\n'.replace("mail.example.org", "127.0.0.1")
    assert isinstance(read(tmp_path, text).mailbox, ImapSettings)
