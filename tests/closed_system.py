"""A closed world for loops: an arena, people who write now and then, and robots that answer whatever they get."""

import email
import email.policy
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage

from pbem.testing.room import ARENA
from tests.conftest import Room

Robot = Callable[[EmailMessage, int], list[bytes]]
"""Gets a mail, and how many it has had; returns what it sends to the arena."""
STEP = timedelta(minutes=15)


class World:
    """An arena whose letters reach the robots; it counts all mail."""

    def __init__(self, room: Room, robots: dict[str, Robot]) -> None:
        """Begin behind the letters that were sent before."""
        self.room, self.robots = room, robots
        self.seen = self.began = len(room.outbox.sent)
        self.human = self.machine = 0
        self.had = dict.fromkeys(robots, 0)

    def write(self, sender: str, text: str) -> None:
        """Let a person answer their latest letter."""
        self.room.write(sender, text)
        self.human += 1

    def run(self, hours: int) -> None:
        """Let time pass; each letter is answered by its robot before the next sweep."""
        for _ in range(int(timedelta(hours=hours) / STEP)):
            self.room.sweep(STEP)
            sent = self.room.outbox.sent[self.seen :]
            self.seen += len(sent)
            for recipient, raw in sent:
                for answer in self._answers(recipient, raw):
                    self.machine += 1
                    self.room.mailbox.deliver(answer, self.room.clock.now())

    def _answers(self, recipient: str, raw: bytes) -> Iterator[bytes]:
        if recipient in self.robots:
            self.had[recipient] += 1
            message = email.message_from_bytes(raw, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            yield from self.robots[recipient](message, self.had[recipient])

    @property
    def sent(self) -> int:
        """How many letters the arena sent."""
        return self.seen - self.began


def reply(got: EmailMessage, sender: str, text: str, **headers: str) -> bytes:
    """Write what a robot sends in answer to a letter: to its Reply-To, with or without headers of its own."""
    message = EmailMessage()
    given = {"From": sender, "To": str(got["Reply-To"]), "Subject": f"Re: {got['Subject']}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    for name, value in given.items():
        message[name] = value
    message["In-Reply-To"] = str(got["Message-ID"])
    message["Message-ID"] = f"<robot-{abs(hash(str(got['Message-ID'])))}@example.net>"
    message.set_content(text)
    return message.as_bytes()


def vacation(sender: str, **headers: str) -> Robot:
    """A robot that answers every mail, even those of robots, with the same words."""
    return lambda got, _: [reply(got, sender, "I am away until Friday.\n", **headers)]


def chatty(sender: str) -> Robot:
    """A robot that answers every mail with other words each time, and says nothing of itself."""
    return lambda got, count: [reply(got, sender, f"I am away. Your mail was number {count} today.\n")]


def challenge(sender: str) -> Robot:
    """A robot that asks whoever writes to prove that they are human, with a new code each time."""
    subject = f"Your email to {sender}"
    return lambda got, count: [reply(got, sender, f"To reach me, open https://example.net/{count}\n", Subject=subject)]


def forwarder(*, rewrites: str = "", keeps_id: bool = True) -> Robot:
    """A mailbox that sends all that it gets back to the arena, as it is, or as mail of its own."""

    def forward(got: EmailMessage, count: int) -> list[bytes]:
        if rewrites:
            got = stripped(got, rewrites, keeps_id=keeps_id, count=count)
        return [b"Delivered-To: " + ARENA.encode() + b"\n" + got.as_bytes()]

    return forward


def mailing_list(address: str, members: int = 1, *, keeps_id: bool = True) -> Robot:
    """A list that strips what it does not know, writes itself into From, and has the arena among its members."""

    def distribute(got: EmailMessage, count: int) -> list[bytes]:
        post = stripped(got, f"The Arena via Tugs <{address}>", keeps_id=keeps_id, count=count)
        return [b"Delivered-To: " + ARENA.encode() + b"\n" + post.as_bytes() for _ in range(members)]

    return distribute


def stripped(got: EmailMessage, sender: str, *, keeps_id: bool, count: int) -> EmailMessage:
    """Copy a letter without any header that would tell what it is."""
    message = EmailMessage()
    message["From"] = sender
    for name in ("To", "Subject", "Date", "References"):
        if got[name]:
            message[name] = str(got[name])
    message["Message-ID"] = str(got["Message-ID"]) if keeps_id else f"<copy-{count}@lists.example.net>"
    message.set_content(got.get_content())
    return message
