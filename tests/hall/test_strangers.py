"""Letters to strangers are few, and no mail of others keeps an honest stranger from one."""

from collections import Counter
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.ground.terms import GameName
from pbem.hall.commands.founding import found_game
from pbem.hall.mail.outgoing import caps
from pbem.testing.room import ARENA, MODERATOR
from tests.conftest import Room, unvouched

SIGN_UP = "join tide-3 as {}"
TEXTS = (SIGN_UP, "hello, I am {}")
"""What strangers write: a sign-up, and what is none."""

HONEST = ("cleo@example.net", "dora@d3.example.com", "emil@example.co.uk")
FORGED = (*HONEST, "cleo+1@example.net", "eve@example.net", "p{}@d{}.example", "q{}@example.com")
"""Addresses in whose names somebody else writes: those of honest strangers, others of their domain, any at all."""
FLOODED = ("eve@evil.example", "eve+{}@evil.example", "p{}@evil.example", "p{}@d{}.evil.example", "p{}@a.d{}.evil.test")
"""Addresses of whoever owns a domain, or two, and has their mail vouched for: one, and as many as they like."""


@pytest.fixture(scope="module")
def lent(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Room]:
    """Lend a copy of an arena with a game in its sign-up, as often as one is asked for."""
    root = tmp_path_factory.mktemp("lent")
    room = Room(root / "arena")
    found_game(
        room.arena, GameName("tide-3"), "harbour", moderator=MODERATOR, invited=[], seats=4, now=room.clock.now()
    )
    room.sweep()
    room.arena.close()
    number = count()
    return lambda: room.copied(root / f"copy-{next(number)}")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer few strangers a day, so that few mails use them up: all shares of `FLOODED` leave room for the honest."""
    monkeypatch.setattr(caps, "STRANGERS", dict.fromkeys(caps.STRANGERS, (2, 5)))
    monkeypatch.setattr(caps, "DOMAIN", 2)
    monkeypatch.setattr(caps, "BELOW", 3)
    monkeypatch.setattr(caps, "VOUCHED", 2)


def write(room: Room, sender: str, text: str, results: str = "pass") -> None:
    """Write to the arena as a stranger, with what our mail server finds out about it."""
    room.write(sender, text, to=ARENA, subject="hi")
    if results != "pass":
        room.mailbox.waiting[-1] = unvouched(room.mailbox.waiting[-1], results)


FORGERIES = st.tuples(st.sampled_from(FORGED), st.sampled_from(("none", "fail")))
FLOODS = st.tuples(st.sampled_from(FLOODED), st.just("pass"))


@pytest.mark.usefixtures("few")
@given(
    mails=st.lists(FLOODS | FLOODS | FORGERIES, min_size=20, max_size=40),
    places=st.tuples(*[st.integers(0, 40)] * len(HONEST)),
    text=st.sampled_from(TEXTS),
    sweeps=st.sets(st.integers(0, 39)),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_mail_of_others_keeps_a_vouched_stranger_from_an_answer(
    lent: Callable[[], Room], mails: list[tuple[str, str]], places: tuple[int, ...], text: str, sweeps: set[int]
) -> None:
    """However forged mail and that of somebody with domains of their own come before it, in one sweep or in several."""
    room = lent()
    honest = [(place, who, "pass") for place, who in zip(places, HONEST, strict=True)]
    others = [(place, who.format(place, place % 4), results) for place, (who, results) in enumerate(mails)]
    for place, who, results in sorted(honest + others):
        write(room, who, text.format(f"Pat{place}"), results)
        if place in sweeps:
            room.sweep()
    room.sweep()
    told = Counter(to for to, _ in room.outbox.sent)
    assert all(told[who] for who in HONEST), told
    room.arena.close()


def test_who_owns_a_domain_has_its_share_of_the_day(lent: Callable[[], Room]) -> None:
    """Of 120 people below it 60 are answered, 20 of one domain, 50 of those for whom nobody vouches; others after all."""
    room = lent()
    before = len(room.outbox.sent)
    for number in range(120):
        write(room, f"p{number}@d{number % 5}.evil.example", SIGN_UP.format(f"Pat{number}"))
        write(room, f"q{number}@only.example", SIGN_UP.format(f"Quin{number}"))
        write(room, f"r{number}@d{number}.example.net", SIGN_UP.format(f"Rae{number}"), "none")
    for _ in range(4):
        room.sweep()
    told = Counter(to[0] for to, _ in room.outbox.sent[before:])
    assert told == {"p": caps.BELOW, "q": caps.DOMAIN, "r": 50}
    write(room, HONEST[0], SIGN_UP.format("Cleo"))
    room.sweep()
    assert "| confirm" in room.last(HONEST[0])
    room.arena.close()
