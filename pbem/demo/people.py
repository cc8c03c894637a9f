"""People of the demonstration, each with an account and a mail program."""

from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime
from typing import TypeAlias

from pbem.demo.minds import asks
from pbem.ground.terms import Mail
from pbem.letters.reading import read
from pbem.world.mailbox import Mailbox
from pbem.world.outbox import Outbox

Answer: TypeAlias = Callable[[str], str]

HOST = "example.org"
ARENA = f"arena@{HOST}"


class Person:
    """Somebody with a mail program: a mailbox to read, a mail server to send through, and a mind to answer with."""

    def __init__(self, name: str, answer: Answer, mailbox: Mailbox, outbox: Outbox) -> None:
        """Give a person an account; `answer` turns the text of a letter into what to write, "" lets it be."""
        self.name = name
        self.address = address_of(name)
        self.answer = answer
        self.asked: Mail | None = None
        self._sent = 0
        self._mailbox, self._outbox = mailbox, outbox

    def read_mail(self) -> list[Mail]:
        """Take the new letters out of the mailbox."""
        mails = self._mailbox.fetch(100)
        self._mailbox.mark(mails)
        return mails

    def think(self, mail: Mail) -> str:
        """Read a letter and return what to answer, or ""; the last one that asked for something is remembered."""
        letter = "\n".join(read(mail.raw).body)
        if asks(letter):
            self.asked = mail
        return self.answer(letter)

    def send(self, mail: Mail, text: str, now: datetime) -> None:
        """Answer a letter through the mail server."""
        self._sent += 1
        message = EmailMessage(policy=SMTP)
        answered = message_from_bytes(mail.raw, policy=default)
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = str(answered["Reply-To"])
        message["Subject"] = f"Re: {answered['Subject']}"
        message["Date"] = format_datetime(now)
        message["Message-ID"] = f"<{self.name.lower()}.{self._sent}@{HOST}>"
        message["In-Reply-To"] = str(answered["Message-ID"])
        quoted = "\n".join(f"> {line}".rstrip() for line in read(mail.raw).body)
        below = "" if "\n>" in text else f"\n\nOn {now:%d %b} the arena wrote:\n{quoted}\n"
        message.set_content(text + below)
        self._outbox.send(self.address, ARENA, message.as_bytes())

    def close(self) -> None:
        """Hang up."""
        self._mailbox.close()
        self._outbox.close()


def address_of(name: str) -> str:
    """Return where somebody gets mail."""
    return f"{name.lower()}@{HOST}"
