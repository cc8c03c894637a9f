"""Games that are read on a mailing list, over real list servers: what goes there, and what comes from there."""

import re
import smtplib
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage, Message
from pathlib import Path

import pytest

from pbem import demo
from pbem.demo.people import ARENA, HOST
from pbem.ground.terms import GameName
from pbem.hall.store.game_folder import folders, journals
from pbem.table.fold.journal import PostArchived, TokenLeaked
from pbem.world.login import write_secret
from pbem.world.settings import ArenaSettings, Settings
from tests.servers import PASSWORD, Dovecot, Postfix, installed, running
from tests.servers.lists import Mailman, Mlmmj
from tests.world.test_game_by_imap import GAME, IN_TIME, Wires, account, known, outcomes, play, sending

__all__ = ["known"]

READER = f"reader@{HOST}"
TOKEN = re.compile(rb"\+[a-z0-9-]+\.[a-z2-7]{16}@")


@contextmanager
def of_kind(kind: str) -> Iterator[tuple[Dovecot, Postfix, str]]:
    """Run a list that the arena and one reader are on, and to which anybody may post."""
    members = (ARENA, READER)
    with installed(), running(Dovecot()) as dovecot:
        if kind == "mlmmj":
            small = Mlmmj()
            try:
                address = small.make("ember", members, is_open=True)
                with running(Postfix(dovecot, small)) as postfix:
                    yield dovecot, postfix, address
            finally:
                small.remove()
            return
        large = Mailman()
        with running(Postfix(dovecot, large)) as postfix, running(large):
            settings = {"dmarc_mitigate_action": "munge_from", "dmarc_mitigate_unconditionally": True}
            yield dovecot, postfix, large.make("ember", members, is_open=True, **(settings if kind == "munged" else {}))


def post(postfix: Postfix, sender: str, to: str, text: str, number: int, cc: str = "") -> None:
    """Post something to a list, as a person does."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, "Re: the game"
    message["Message-ID"] = f"<post-{number}@example.net>"
    if cc:
        message["Cc"] = cc
    message.set_content(text)
    with smtplib.SMTP("127.0.0.1", postfix.smtp, timeout=60) as server:
        server.send_message(message)


@pytest.mark.sweep
@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["mlmmj", "mailman", "munged"])
def test_a_game_is_read_on_a_list(kind: str, tmp_path: Path, known: dict[str, str]) -> None:
    """It is the same game; whoever is only on the list reads all that everybody may know, once, and nothing else."""
    root = tmp_path / "arena"
    write_secret(root / "secrets" / "password", PASSWORD)
    wires = Wires({"ember": ("arena", "reader")})
    said: dict[int, str] = {}
    players = [f"{name}@{HOST}" for name in demo.with_cast().cast.people]
    with of_kind(kind) as (dovecot, postfix, address):
        settings = Settings(
            arena=ArenaSettings(address=ARENA),
            mailbox=account(dovecot, "arena", password_file="secrets/password"),
            outbox=sending(dovecot, postfix, "arena", password_file="secrets/password"),
        )

        def chat(sweep: int) -> None:
            if sweep % 6 != 5:
                return
            number = len(said)
            sender = (READER, *players)[number % (len(players) + 1)]
            text = ("What a round!", "attack all 30\nready", "begin\nclose now", "approve 1")[number % 4]
            cc = ARENA if number % 2 else ""
            said[number] = text
            post(postfix, sender, address, text, number, cc)
            wires.note(address)
            if cc:
                wires.note(ARENA)

        daemon = play(root, settings, dovecot, postfix, chat, wires, address)
        assert outcomes(root / "games" / GAME) == known
        got = [message_from_bytes(raw) for raw in all_of(dovecot, wires.handed["reader"])]
        ledger = daemon.arena.ledger(GameName(GAME))
        assert ledger.table.status == "over"

        entries = [
            entry
            for _, found in journals(ledger.shelf, ledger.place, folders(ledger.shelf, ledger.place))
            for entry in found.entries
        ]
        odd = [one.what for one in daemon.arena.index.counters.odd()]
        late = daemon.arena.index.outgoing.forget_posted(demo.MONDAY + timedelta(days=9999))

    filed = {path.name: path.read_bytes() for path in (root / "games" / GAME / "post" / "out").glob("*.+list.eml")}
    kinds = Counter(name.split(".")[2] for name in filed)
    assert (kinds["founded"], kinds["opening"], kinds["report"]) == (1, 1, len(known))
    assert kinds["press"]
    ours = [message for message in got if "X-Pbem-Letter" in message]
    assert Counter(map(name_of, ours)) == Counter(name_of(message_from_bytes(raw)) for raw in filed.values())
    texts = {name_of(message): words_of(message) for message in ours}
    for raw in filed.values():
        message = message_from_bytes(raw)
        assert texts[name_of(message)][: len(words_of(message))] == words_of(message)
    assert not any(TOKEN.search(bytes(message)) for message in ours)
    assert all(message["Reply-To"].startswith(ARENA) for message in ours)
    assert odd == []
    assert late in ([], [max(filed, key=lambda name: int(name.split(".")[1])).removesuffix(".eml")])  # of all before it
    archived = [entry for entry in entries if isinstance(entry, PostArchived)]
    assert len(archived) == len(said)
    assert {entry.text.split("\n")[0] for entry in archived} == {text.split("\n")[0] for text in said.values()}
    assert not any(isinstance(entry, TokenLeaked) for entry in entries)


def all_of(dovecot: Dovecot, count: int) -> list[bytes]:
    """Return what has come to the reader, once all has."""
    until = time.monotonic() + IN_TIME
    while len(found := dovecot.raws("reader")) < count:
        assert time.monotonic() < until, f"{len(found)} of {count} mails have come"
    return found


def name_of(message: Message) -> str:
    """Return under which name a letter of ours went out."""
    return str(message["X-Pbem-Letter"]).rpartition(".")[0]


def words_of(message: Message) -> list[str]:
    """Return the words of a mail's text, before whatever a list adds."""
    payload = message.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().split()
