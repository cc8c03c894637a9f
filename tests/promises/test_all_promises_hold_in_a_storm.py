"""All promises at once: whatever comes, breaks and comes again, the games are those of a world in which nothing broke."""

from __future__ import annotations

from datetime import datetime

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.conftest import MemoryMailbox, Room
from tests.promises.storm import Storm, base


class InMemory:
    """Mail that never leaves memory."""

    def __init__(self, room: Room) -> None:
        """Begin empty."""
        self.mailbox = MemoryMailbox()
        self.numbered = 0

    def deliver(self, raw: bytes, at: datetime) -> None:
        """Let a mail arrive."""
        self.mailbox.deliver(raw, at)

    def again(self) -> None:
        """Let all mail come again."""
        self.mailbox.waiting += self.mailbox.marked
        self.mailbox.marked = []

    def renumber(self) -> None:
        """Give all mail new names, in the old order."""
        self.numbered += 1
        for mails in (self.mailbox.waiting, self.mailbox.marked):
            mails[:] = [msgspec.structs.replace(mail, name=f"v{self.numbered}{mail.name}") for mail in mails]

    def spoil(self, how: int) -> None:
        """Be out of reach."""
        self.mailbox.away = "mail.example.org is away"

    def mend(self) -> None:
        """Be there."""
        self.mailbox.away = ""

    def close(self) -> None:
        """Have nothing to close."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Two games in their first tide, played so far once."""
    return base(tmp_path_factory.mktemp("begun"))


def weather(begun: Room, post: type, examples: int, steps: int) -> None:
    """Let storms come."""

    class Tonight(Storm):
        pass

    Tonight.begun = begun
    Tonight.post_for = post
    wanted = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
        print_blob=True,
    )
    run_state_machine_as_test(Tonight, settings=wanted)


def test_a_few_storms(begun: Room) -> None:
    """In memory, short ones."""
    weather(begun, InMemory, examples=4, steps=10)


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_many_storms(begun: Room) -> None:
    """In memory, long ones."""
    weather(begun, InMemory, examples=120, steps=40)
