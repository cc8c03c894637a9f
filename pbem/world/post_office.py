"""A real mail server on loopback, for demo and tests: SMTP in, Maildirs out; knows addresses, no games."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.ground.terms import OutboxError
from pbem.world import disk
from pbem.world.clock import Clock

LARGEST = 10 << 20
"""The bytes of the largest letter that is taken."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class PostOffice:
    """
    Mailboxes for a few addresses, and an SMTP server that delivers into them.

    Shape: one Maildir an address, named by it, under a root; mail for `ada+tag@example.org` goes to that of
    `ada@example.org`. A letter is on the disk before the server says 250, stamped with the clock's time.
    """

    def __init__(self, root: Path, addresses: Iterable[str], clock: Clock, *, port: int = 0) -> None:
        """Make the Maildirs; `port` 0 means any that is free."""
        self._root = root
        self._clock = clock
        self._asked = port
        self._counter = itertools.count(1)
        self._addresses = {_folded(address) for address in addresses}
        for address in self._addresses:
            self._make_maildir(address)
        self._server: _Server | None = None

    @property
    def port(self) -> int:
        """The port on 127.0.0.1, once started."""
        if not self._server:
            raise RuntimeError("the post office is closed")
        return self._server.port

    def maildir(self, address: str) -> Path:
        """Return the Maildir where mail to this address goes. Errors: OutboxError where there is none."""
        folded = _folded(address)
        for known in (folded, re.sub(r"\+[^@]*@", "@", folded)):
            if known in self._addresses:
                return self._root / disk.spelled(known)
        raise OutboxError(f"There is no mailbox for {address} here.", permanent=True)

    def start(self) -> None:
        """Open the door."""
        self._server = _Server(_Counter(self), hostname="127.0.0.1", port=self._asked)
        self._server.start()

    def stop(self) -> None:
        """Close the door; letters that were taken are on the disk."""
        if self._server:
            self._server.stop()
            self._server = None

    def __enter__(self) -> Self:
        """Open the door."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the door."""
        self.stop()

    def deliver(self, address: str, raw: bytes, *, sender: str = "") -> None:
        """
        Put a letter into the Maildir of an address, durably, under headers that say how it came.

        Errors: OutboxError, permanent where nobody has this address.
        """
        maildir = self.maildir(address)
        now = self._clock.now()
        came = (now - _EPOCH) // _MICROSECOND
        name = f"{came // 1_000_000}.M{came % 1_000_000:06}Q{next(self._counter):08}R{secrets.token_hex(6)}.pbem"
        head = (
            f"Return-Path: <{_plain(sender)}>\n"
            f"Delivered-To: {_plain(address)}\n"
            "Received: from [127.0.0.1] by localhost with ESMTP\n"
            f" for <{_plain(address)}>; {format_datetime(now)}\n"
        )
        try:
            _put(maildir, name, head.encode("utf-8", "replace") + raw.replace(b"\r\n", b"\n"), came * 1000)
        except OSError as error:
            raise OutboxError(disk.sentence(error, maildir)) from error

    def _make_maildir(self, address: str) -> None:
        if not re.fullmatch(r"[^\s/.<>][^\s/<>]*@[^\s/<>@]+", address):
            raise ValueError(f"{address!r} cannot be the name of a mailbox, as ada@example.org can")
        for part in ("tmp", "new", "cur"):
            os.makedirs(self._root / disk.spelled(address) / part, 0o700, exist_ok=True)


def _put(maildir: Path, name: str, data: bytes, stamp: int) -> None:
    temporary, place = maildir / "tmp" / name, maildir / "new" / name
    disk.make(str(temporary), data)
    os.utime(temporary, ns=(stamp, stamp))
    disk.sync(maildir, ("tmp", name))
    os.rename(temporary, place)
    disk.sync(maildir, ("new",))


def _folded(address: str) -> str:
    return address.strip().lower()


def _plain(address: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in address)


class _Counter:
    """The hooks that aiosmtpd calls while it talks to a client."""

    def __init__(self, office: PostOffice) -> None:
        self._office = office

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        try:
            self._office.maildir(address)
        except OutboxError as error:
            return f"550 5.1.1 {_plain(str(error))}"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        sender = (envelope.mail_from or "").removeprefix("<>")  # so aiosmtpd gives a bounce address of nobody
        try:
            for address in envelope.rcpt_tos:
                self._office.deliver(address, envelope.content, sender=sender)
        except OutboxError as error:
            return f"451 4.3.0 {_plain(str(error))}"
        return "250 2.0.0 Delivered"

    async def handle_exception(self, error: Exception) -> str:
        # aiosmtpd would say 500, and a mistake of ours would look like a refusal for good.
        return f"451 4.3.0 The post office stumbled ({type(error).__name__})"


class _Talk(SMTP):
    line_length_limit = 1 << 20  # what people send has longer lines than the 998 of RFC 5321


class _Server(Controller):
    def factory(self) -> SMTP:
        return _Talk(
            self.handler,
            hostname="localhost",
            ident="pbem post office",
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            loop=self.loop,
        )

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]
