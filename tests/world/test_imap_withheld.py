"""Mails that an IMAP server fails at: the others come and are marked, and each is asked about by itself."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import MailboxError
from pbem.world.imap.account import Account
from pbem.world.imap.mailbox import ImapMailbox
from pbem.world.login import Login
from pbem.world.settings import ImapSettings
from tests.imap_scene import Known, Seconds, mail
from tests.servers.imap import VALIDITY, FailingImap

MAILS = {uid: mail(f"number {uid}") for uid in range(1, 7)}
ALL, EACH = ["no", "bad", "drop"], ["nil", "empty", "skip"]
COMMANDS = [(at, how) for at in ("INTERNALDATE", "BODY.PEEK[]") for how in (*ALL, *EACH)]
MARKS = [(at, how) for at in ("MOVE", "STORE") for how in ALL]


@contextmanager
def mailbox(server: FailingImap) -> Iterator[ImapMailbox]:
    """Open the mailbox at a server, with a clock on which no time passes."""
    settings = ImapSettings(kind="imap", host="127.0.0.1", port=server.port, tls="none", user="u", dedicated=True)
    account = Account(settings, Login("u", settings.login, Known()), patience=5, clock=Seconds())
    with closing(server), closing(account):
        yield ImapMailbox(account, settings, bool)


def names(*uids: int) -> set[str]:
    """Return the mailbox's names for mails."""
    return {f"{VALIDITY:010d}-{uid:010d}" for uid in uids}


bad_ones = st.sets(st.sampled_from([*MAILS]), min_size=1, max_size=5)


@given(st.sampled_from(COMMANDS), bad_ones)
def test_what_can_be_had_comes_and_what_cannot_is_named(command: tuple[str, str], bad: set[int]) -> None:
    """Whichever mails the server fails at, in whichever command, and however it says so; in the end they come too."""
    at, how = command
    server = FailingImap(MAILS)
    with mailbox(server) as box:
        server.bad, server.at, server.how = bad, at, how
        got = box.fetch(10)
        assert [found.raw for found in got] == [raw for uid, raw in MAILS.items() if uid not in bad]
        assert box.withheld.keys() == names(*bad) and all(one.said for one in box.withheld.values())
        box.mark(got)
        box.known = names(*bad)
        assert box.fetch(10) == [] and box.withheld.keys() == names(*bad)
        box.skip, before = names(*bad), len(server.said)
        assert box.fetch(10) == [] and box.withheld.keys() == names(*bad)
        assert not any("FETCH" in said for said in server.said[before:])
        box.skip, server.bad = (), set()
        assert {found.raw for found in box.fetch(10)} == {MAILS[uid] for uid in bad} and not box.withheld


@given(st.sampled_from(MARKS), bad_ones)
def test_what_can_be_marked_is_marked(command: tuple[str, str], bad: set[int]) -> None:
    """The others are not held up by those at which the server fails, of which it is told."""
    at, how = command
    server = FailingImap(MAILS, moves=at == "MOVE")
    with mailbox(server) as box:
        got = box.fetch(10)
        server.bad, server.at, server.how = bad, at, how
        with pytest.raises(MailboxError):
            box.mark(got)
        assert server.done.keys() == MAILS.keys() - bad
        server.bad = set()
        box.mark(got)
        assert server.done.keys() == MAILS.keys()


@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize(("at", "how"), [*COMMANDS, ("", "no")])
def test_a_server_that_hands_out_nothing_is_to_blame_itself(at: str, how: str, moves: bool) -> None:
    """Where all mails fail no single one does, unless another that was marked can still be had."""
    server = FailingImap(MAILS, moves=moves)
    with mailbox(server) as box:
        server.bad, server.at, server.how = {*MAILS}, at, how
        with pytest.raises(MailboxError):
            box.fetch(10)
        server.bad = {*MAILS} - {1}
        with suppress(MailboxError):
            box.mark(box.fetch(10))
        if 1 in server.done and at:
            assert box.fetch(10) == [] and box.withheld.keys() == names(*server.bad)


def test_a_mail_that_has_gone_is_not_withheld() -> None:
    """Gone is what a search names no more."""
    server = FailingImap(MAILS)
    with mailbox(server) as box:
        server.bad, server.at, server.how = {2}, "BODY.PEEK[]", "skip"
        real = server._answer

        def expunging(command: str, say: Callable[[bytes], None]) -> str:
            end = real(command, say)
            if "BODY.PEEK[]" in command:
                server.mails.pop(2, None)
            return end

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server, "_answer", expunging)
            assert len(box.fetch(10)) == 5 and not box.withheld


def test_a_server_that_wants_us_to_wait_is_away() -> None:
    """Words that say so are not one mail's."""
    server = FailingImap(MAILS)
    with mailbox(server) as box:
        real = server._answer

        def throttling(command: str, say: Callable[[bytes], None]) -> str:
            return "NO [UNAVAILABLE] Request is throttled." if "FETCH" in command else real(command, say)

        with pytest.MonkeyPatch.context() as patch, pytest.raises(MailboxError, match="throttled"):
            patch.setattr(server, "_answer", throttling)
            box.fetch(10)
