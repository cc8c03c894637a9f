"""A moderator who plays: no mail of theirs, nor of any player, is answered otherwise for what others have ordered."""

import re
import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.letters.addressing import reply_address
from pbem.table.incoming.moderator_mail import BLIND
from pbem.testing.room import ARENA
from tests.conftest import Room, flat

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A harbour game in its first tide, closed, in which the moderator holds a seat."""
    room = Room(tmp_path_factory.mktemp("playing") / "arena")
    room.found("gwen", "ada", "bo", close="at deadline")
    room.arena.close()
    return room


def address(room: Room, seat: str) -> str:
    """Return where a role's mail goes; "" is the moderator's."""
    return reply_address(ARENA, "tide-1", room.arena.token(room.table(), Seat(seat) if seat else None), plus=True)


NAMES = st.sampled_from(("Bo", "Ada", "Gwen"))
NUMBERS = st.integers(0, 9)
RULINGS = st.one_of(
    st.builds("strike {} {} because I am curious".format, NAMES, NUMBERS),
    st.builds("strike {}: bid {} because I am curious".format, NAMES, NUMBERS),
    st.builds("order {}: bid {} because I can".format, NAMES, NUMBERS),
    st.builds("overrule bid of {} = {} because so".format, NAMES, NUMBERS),
    st.builds("overrule bid of {} = yes because so".format, NAMES),
    st.builds("set coins {} {} because so".format, NAMES, NUMBERS),
    st.builds("excuse {}".format, NAMES),
    st.builds("do gain {} {} because so".format, NAMES, NUMBERS),
    st.sampled_from(
        ("status", "help", "undo", "undo 1", "extend 1h", "pause", "resume", "hold", "approve 1", "note Fog.", "V1 = 3",
         "I wonder what Bo does.", "overrule V1 = 3 because so", "excuse all", "strike", "order Bo: bid 900 because so")
    ),
)  # fmt: skip
PLAYED = st.one_of(
    st.builds("bid {}".format, NUMBERS),
    st.builds("bid {}\nbid {}".format, NUMBERS, NUMBERS),
    st.sampled_from(("status", "preview", "history", "cancel", "wait", "ready", "help", "attack Bo 3", "hello?")),
    st.sampled_from(("standing on", "for Tide 2: bid 1", "press to all: ahoy", "zone Asia/Tokyo")),
)
MAILS = st.lists(
    st.one_of(
        st.tuples(st.just(GWEN), st.just(""), st.lists(st.one_of(RULINGS, st.just("test")), min_size=1, max_size=4)),
        st.tuples(st.just(GWEN), st.just("gwen"), st.lists(PLAYED, min_size=1, max_size=2)),
        st.tuples(st.just(ADA), st.just("ada"), st.lists(PLAYED, min_size=1, max_size=2)),
    ),
    min_size=1,
    max_size=5,
)
SECRETS = st.tuples(
    st.lists(st.sampled_from(("status", "hello?", "bidd 3", "bid x", "zone Asia/Tokyo")), max_size=3),
    st.integers(0, 10),
    st.lists(st.integers(0, 10), max_size=3),
)
"""What Bo sends before he has moved, his bid, and those that he sends in its place."""


def said_to_others(
    room: Room, secrets: tuple[list[str], int, list[int]], mails: Sequence[tuple[str, str, list[str]]]
) -> list[tuple[str, bytes]]:
    """Play one world, in which Bo has moved at the same instant as in any other; return what others were sent."""
    before, bid, after = secrets
    sent = len(room.outbox.sent)
    for text in before:
        room.write(BO, text, to=address(room, "bo"), subject="Re: it")
    room.sweep()
    room.write(BO, f"bid {bid}", to=address(room, "bo"), subject="Re: it")
    room.sweep()
    for number in after:
        room.write(BO, f"bid {number}", to=address(room, "bo"), subject="Re: it")
    room.written = 1000
    for sender, seat, lines in mails:
        room.write(sender, "\n".join(lines), to=address(room, seat), subject="Re: it")
        room.sweep()
    room.sweep(timedelta(hours=47))
    return [row for row in room.outbox.sent[sent:] if row[0] != BO]


@given(SECRETS, SECRETS, MAILS)
def test_no_answer_depends_on_what_others_have_ordered(
    playing: Room, tmp_path_factory: pytest.TempPathFactory, one: tuple[list[str], int, list[int]],
    other: tuple[list[str], int, list[int]], mails: list[tuple[str, str, list[str]]],
) -> None:  # fmt: skip
    """In two worlds that differ in Bo's orders and in the number of his mails, every byte to others is the same."""
    told = []
    for secrets in (one, other):
        root = tmp_path_factory.mktemp("world") / "arena"
        room = playing.copied(root)
        told.append(said_to_others(room, secrets, mails))
        room.arena.close()
        shutil.rmtree(root)
    assert told[0] == told[1]


@pytest.mark.parametrize("test", ["", "\ntest"])
@pytest.mark.parametrize(
    "line", ["strike Bo 1 because I am curious", "order Bo: bid 2 because so", "overrule bid of Bo = 2 because so",
             "set coins Bo 2 because so", "excuse Bo"]
)  # fmt: skip
def test_what_touches_hands_or_verdicts_is_refused_with_one_sentence(
    playing: Room, tmp_path: Path, line: str, test: str
) -> None:
    """Whether anything is on hand or not; at the proof the same moderator rules as any other."""
    room = playing.copied(tmp_path / "arena")
    room.write(BO, "bid 7", to=address(room, "bo"), subject="Re: it")
    room.sweep()
    room.write(GWEN, f"{line}{test}", to=address(room, ""), subject="Re: it")
    room.sweep()
    assert BLIND in flat(room.last(GWEN)) and "Not taken" in room.last(GWEN)
    assert room.table().sets.hand["bo"].orders == ("bid 7",) and not room.table().rulings
    assert not any("bid 7" in "\n".join(letter.body) for letter in room.letters(GWEN))
    room.arena.close()


def test_a_status_tells_who_has_moved_and_no_more(playing: Room, tmp_path: Path) -> None:
    """Who has sent a set that cannot be read whole, or waits, looks like who has sent nothing."""
    room = playing.copied(tmp_path / "arena")
    room.write(BO, "bid 7\nwait", to=address(room, "bo"), subject="Re: it")
    room.write(ADA, "bid 7", to=address(room, "ada"), subject="Re: it")
    room.write(GWEN, "status", to=address(room, ""), subject="Re: it")
    room.sweep()
    rows = dict(re.findall(r"^  (Ada|Bo|Gwen) +(.+)$", room.last(GWEN), re.MULTILINE))
    assert rows == {"Ada": "on hand", "Bo": "nothing yet", "Gwen": "nothing yet"}
    room.arena.close()
