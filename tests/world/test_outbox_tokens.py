"""Sending with access tokens, to a real Postfix that asks a real Dovecot, which asks whoever made them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ground.terms import OutboxError
from pbem.world.login import login, write_secret
from pbem.world.outbox import REFUSED, SmtpOutbox
from pbem.world.settings import Login as Mechanism
from pbem.world.settings import OauthSettings, OutboxSettings
from tests.servers import Dovecot, Postfix, TokenServer, installed, running

LETTER = b"From: arena@example.org\r\nTo: ada@example.org\r\nSubject: Round 3\r\n\r\nYour move.\r\n"


@pytest.fixture(scope="module")
def provider() -> Iterator[tuple[TokenServer, Postfix]]:
    """A provider who takes tokens."""
    tokens = TokenServer()
    try:
        with (
            installed(),
            running(Dovecot(introspection=tokens.introspection_url)) as dovecot,
            running(Postfix(dovecot)) as postfix,
        ):
            yield tokens, postfix
    finally:
        tokens.close()


def outbox(tmp_path: Path, provider: tuple[TokenServer, Postfix], how: Mechanism) -> SmtpOutbox:
    """Return an outbox that sends through it."""
    tokens, postfix = provider
    write_secret(tmp_path / "secrets" / "refresh", "a refresh token")
    wanted = OutboxSettings(
        host="localhost",
        port=postfix.submission,
        tls="starttls",
        ca_file=str(postfix.dovecot.ca),
        user="arena",
        login=how,
    )
    oauth = OauthSettings(token_url=tokens.token_url, client_id="pbem", refresh_token_file="secrets/refresh")
    return SmtpOutbox(wanted, login(wanted, oauth, tmp_path))


@pytest.mark.parametrize("how", ["xoauth2", "oauthbearer"])
def test_a_letter_goes_with_a_token(tmp_path: Path, provider: tuple[TokenServer, Postfix], how: Mechanism) -> None:
    """The server takes the token for the password."""
    tokens, _ = provider
    tokens.holds = {"good": "arena"}
    tokens.issue("good")
    sender = outbox(tmp_path, provider, how)
    sender.send("arena@example.org", "ada@example.org", LETTER)
    sender.send("arena@example.org", "ada@example.org", LETTER)
    sender.close()


@pytest.mark.parametrize("how", ["xoauth2", "oauthbearer"])
def test_a_token_that_went_stale_is_fetched_anew_once(
    tmp_path: Path, provider: tuple[TokenServer, Postfix], how: Mechanism
) -> None:
    """A provider may take tokens back before their time; the letter goes all the same."""
    tokens, _ = provider
    tokens.answers.clear()
    tokens.holds = {"old": "arena"}
    tokens.issue("old")
    tokens.issue("new")
    sender = outbox(tmp_path, provider, how)
    sender.send("arena@example.org", "ada@example.org", LETTER)
    sender.close()
    tokens.holds = {"new": "arena"}
    sender.send("arena@example.org", "ada@example.org", LETTER)
    sender.close()
    assert not tokens.answers


@pytest.mark.parametrize("how", ["xoauth2", "oauthbearer"])
def test_a_token_that_is_refused_holds_all_letters_back(
    tmp_path: Path, provider: tuple[TokenServer, Postfix], how: Mechanism
) -> None:
    """No letter is to blame, nobody hammers, and the token is not told."""
    tokens, _ = provider
    tokens.holds = {}
    tokens.answers.clear()
    tokens.issue("bad-token")
    tokens.issue("bad-token")
    sender = outbox(tmp_path, provider, how)
    with pytest.raises(OutboxError, match="refused the login of arena .535.. Correct user and token") as told:
        sender.send("arena@example.org", "ada@example.org", LETTER)
    assert told.value.pause == REFUSED and not told.value.permanent
    assert "bad-token" not in str(told.value)
