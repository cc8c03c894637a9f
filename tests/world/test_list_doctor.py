"""What the doctor says of a mailing list, over real list servers with what their lists have by default."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.hall.commands import opening
from pbem.hall.keeping import lists, new_arena
from pbem.hall.keeping.doctor import Finding
from pbem.world.clock import SystemClock
from pbem.world.login import write_secret
from pbem.world.settings import ArenaSettings, Settings
from tests.servers import PASSWORD, Dovecot, Postfix, installed, running
from tests.servers.lists import Mailman, Mlmmj
from tests.world.test_game_by_imap import account, sending

ARENA, READER = "arena@example.org", "reader@example.org"
SOON, LATE = timedelta(seconds=6), timedelta(seconds=120)
"""How long a copy is waited for that must not come, and one that must, from a list server on a machine that is busy."""


@contextmanager
def asking(root: Path, dovecot: Dovecot, postfix: Postfix) -> Iterator[Callable[[str], dict[str, Finding]]]:
    """Lend what asks the doctor about a list."""
    write_secret(root / "secrets" / "password", PASSWORD)
    settings = Settings(
        arena=ArenaSettings(address=ARENA),
        mailbox=account(dovecot, "arena", password_file="secrets/password"),
        outbox=sending(dovecot, postfix, "arena", password_file="secrets/password"),
    )
    new_arena.found_arena(root, settings, {})
    arena = opening.arena(root)
    doors = opening.doors(arena, SystemClock())

    def ask(address: str) -> dict[str, Finding]:
        found = list(lists.look_over(arena, doors, address, lambda seconds: None))
        assert len({one.what for one in found}) == len(found)
        return {one.what: one for one in found}

    yield ask
    doors.mailbox.close()
    doors.outbox.close()


@pytest.mark.sweep
@pytest.mark.timeout(180)
def test_a_list_of_mlmmj(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is well with one that the arena is on; one that it is not on says so, and what the arena has to do."""
    monkeypatch.setattr(lists, "PATIENCE", LATE)
    with installed():
        server = Mlmmj()
    good, strange = server.make("ember", [ARENA, READER]), server.make("other", [READER])
    with running(Dovecot()) as dovecot, running(Postfix(dovecot, server)) as postfix:
        with asking(tmp_path / "arena", dovecot, postfix) as ask:
            found = ask(good)
            assert [one.what for one in found.values() if not one.is_well] == []
            assert found["text"].seen == "it came as it was sent"
            monkeypatch.setattr(lists, "PATIENCE", SOON)
            unknown = ask(strange)["list"]
            assert "may post without approval" in unknown.todo
            assert "; the list wrote: " in unknown.seen
            refused = ask("nobody@elsewhere.test")["list"]
            assert not refused.is_well and "refused" in refused.seen
        (seen,) = dovecot.raws("reader")
        assert b"may be deleted" in seen
    server.remove()


@pytest.mark.sweep
@pytest.mark.timeout(300)
def test_a_list_of_mailman(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default it holds what is long or has certain words; then it adds a footer; each is said with its setting."""
    monkeypatch.setattr(lists, "PATIENCE", LATE)
    with installed():
        server = Mailman()
    with running(Dovecot()) as dovecot, running(Postfix(dovecot, server)) as postfix, running(server):
        address = server.make("ember", [ARENA, READER])
        munged = server.make("munged", [ARENA], administrivia=False, max_message_size=0, **MUNGED)
        with asking(tmp_path / "arena", dovecot, postfix) as ask:
            server.settle("ember", administrivia=False, max_message_size=0)
            found = ask(address)
            assert [name for name, one in found.items() if not one.is_well] == ["text"]
            assert "list:member:regular:footer" in found["text"].todo
            assert "[Ember]" in found["subject"].seen
            found = ask(munged)
            assert found["list"].is_well, (found, server.words(), postfix.words())
            assert "own address" in found["from"].seen
            assert found["reply-to"].is_well if "reply-to" in found else True
            monkeypatch.setattr(lists, "PATIENCE", SOON)
            for setting in ({"administrivia": True}, {"administrivia": False, "max_message_size": 40}):
                server.settle("ember", **setting)
                held = ask(address)["list"]
                assert not held.is_well
                assert len(server.held("ember")) == 1
                server.discard("ember")
                assert {"administrivia", "max_message_size"} <= set(re.findall(r"\w+", held.todo))


MUNGED: dict[str, Any] = {"dmarc_mitigate_action": "munge_from", "dmarc_mitigate_unconditionally": True}
