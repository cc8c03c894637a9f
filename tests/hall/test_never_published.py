"""What is never published, not after the end either: searched for in all that anybody could hand out or is sent."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from pbem.cli import pbem
from pbem.ground.terms import Seat
from pbem.hall.commands.replay_check import Words, replay
from pbem.hall.site import build
from pbem.letters.addressing import reply_address
from pbem.letters.reading import read
from pbem.testing.room import ARENA
from tests.conftest import Room

ADA, BO, CY, FAY, GWEN = (f"{name}@example.org" for name in ("ada", "bo", "cy", "fay", "gwen"))
READERS = {
    "quokka": {ADA, GWEN},  # a sign-up mail
    "wombat": {ADA, GWEN},  # words to the moderator
    "numbat": {ADA, GWEN},  # words to one player
    "taipan": {ADA, GWEN},  # a reply to words
    "cassowary": {ADA, GWEN},  # an absence
    "bandicoot": {GWEN},  # the reason for which somebody is excused
    "potoroo": {GWEN},  # the reason for which somebody is replaced
    "dingo": {ADA, CY},  # private press
    "bilby": {ADA},  # a line that is kept back
    "echidna": {FAY, GWEN},  # what whoever takes a seat over says with the yes
    "kookaburra": {BO, GWEN},  # words of a player who has left
    "possum": {CY, GWEN},  # words once the game is over
    "platypus": {CY, GWEN},  # and the answer to them
    "dropbear": {ADA},  # what waits for leave to go to a moderator who plays
    "tammar": {ADA},  # the same, dropped
    "goanna": {ADA, GWEN},  # the same, let go
}
"""The words that stand in each such place, and who may read them."""


class Played(NamedTuple):
    """A game that was played to its end, and which of the words were said in it."""

    room: Room
    said: frozenset[str]


def _as(room: Room, seat: str) -> str:
    return reply_address(ARENA, "tide-1", room.arena.token(room.table(), Seat(seat) if seat else None), plus=True)


def _say(room: Room, who: str, seat: str, text: str) -> None:
    room.write(who, text, to=_as(room, seat), subject="Re: it")
    assert room.sweep().troubles == []


def _phase(room: Room, who: dict[str, str]) -> None:
    """Let all order in a phase, and publish it."""
    number = room.table().number
    for seat, address in who.items():
        _say(room, address, seat, f"bid {1 + sorted(who).index(seat)}")
    if room.table().status == "closed":
        _say(room, GWEN, "", f"approve {room.table().proof}")
    room.sweep(timedelta(minutes=40))
    assert room.table().number < number + 2


def _to_the_end(room: Room, who: dict[str, str]) -> None:
    """Play on until the game is over; each report is asked for again."""
    while room.table().status != "over":
        _phase(room, who)
    for seat, address in who.items():
        _say(room, address, seat, "history\nresend\nstatus\nrules")


def _with_a_moderator_who_reads(room: Room) -> frozenset[str]:
    room.invite("ada", "bo", "cy", press="private", review=("tide",))
    for who, more in ((ADA, "\n\nI am a quokka by trade, can I play?"), (BO, ""), (CY, "")):
        room.write(who, f"join as {who.split('@')[0].capitalize()}{more}")
    room.sweep()
    _say(room, ADA, "ada", "gm: is a wombat allowed?\n\nprivate: bilby\n\npress to Cy: dingo ahead")
    room.write(GWEN, "Certainly, says the taipan.")  # answers the words
    room.sweep()
    _say(room, GWEN, "", "to Ada: numbat too.\n\nexcuse Ada because of the bandicoot")
    _say(room, ADA, "ada", "I am ill and away until Monday, the cassowary bit me.\n\nbid 1")
    _say(room, BO, "bo", "gm: the kookaburra has to leave the game")
    _say(room, GWEN, "", f"replace Bo by {FAY} because of the potoroo")
    room.write(FAY, "yes\n\nechidna greets you, dear moderator, who is who here?")
    room.sweep()
    _phase(room, {"ada": ADA, "bo": BO, "cy": CY})
    assert "Somebody else plays Bo from now on" in "\n".join("\n".join(one.body) for one in room.letters(BO))
    _to_the_end(room, {"ada": ADA, "bo": FAY, "cy": CY})
    _say(room, CY, "cy", "gm: the possum says thanks")
    _say(room, GWEN, "", "to Cy: platypus thanks you")
    return frozenset(READERS) - {"dropbear", "tammar", "goanna"}


def _with_a_moderator_who_plays(room: Room) -> frozenset[str]:
    room.found("ada", "cy", "gwen", review=("tide",))
    _say(room, ADA, "ada", "gm: tammar is my plan")
    _say(room, ADA, "ada", "private")
    _say(room, ADA, "ada", "gm: goanna asks you something")
    _say(room, ADA, "ada", "send it")
    _say(room, ADA, "ada", "gm: dropbear is my plan")
    _to_the_end(room, {"ada": ADA, "cy": CY, "gwen": GWEN})
    return frozenset({"dropbear", "tammar", "goanna"})


@pytest.fixture(params=[_with_a_moderator_who_reads, _with_a_moderator_who_plays], ids=["reads", "plays"])
def played(room: Room, request: pytest.FixtureRequest) -> Played:
    """A game from the first mail to words behind the end."""
    return Played(room, request.param(room))


def _folder(played: Played) -> Path:
    return played.room.root / "games" / "tide-1"


def _may_be_handed_out(played: Played) -> Iterator[tuple[str, bytes]]:
    """Yield what of a game is for everybody: its reports, outcomes, charter and pictures, and what commands show."""
    folder = _folder(played)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        is_kept = path.name in ("journal.toml", "state.toml") or inside.parts[:1] == ("post",)
        if path.is_file() and not is_kept and "post" not in inside.parts:
            yield str(inside), path.read_bytes()
    for phase in replay(folder, played.room.rulesets, Words(played.room.arena.words, played.room.arena.wording)):
        assert phase.difference == ""
        yield "replay", repr(phase).encode()
    site = played.room.root.parent / "site"
    assert not build.build(played.room.arena, site, played.room.clock.now() + timedelta(days=1)).troubles
    for path in sorted(site.rglob("*")):
        if path.is_file():
            yield f"site/{path.relative_to(site)}", path.read_bytes()
    for number in range(1, played.room.table().number + 1):
        words = ["--arena", str(played.room.root), "report", "tide-1", "--phase", str(number)]
        yield f"report {number}", CliRunner().invoke(pbem, words).output.encode()


def test_nothing_that_can_be_handed_out_has_words_that_are_not_for_all(played: Played) -> None:
    """Neither what was said to the moderator and by them, nor absences, sign-up mails, addresses, private press."""
    found = list(_may_be_handed_out(played))
    assert sum(name.endswith("report.txt") for name, _ in found) > 1 and b"TIDE" in dict(found)["report 1"]
    for name, text in found:
        said = text.decode().casefold()
        for word in (*played.said, "example.org"):
            assert word not in said, (name, word)
        assert name == "charter.toml" or not re.search(r"\bp-[0-9a-f]{4}", said), name


def test_no_letter_has_words_that_are_not_for_its_reader(played: Played) -> None:
    """Until the end and behind it; and each word did reach whom it was for, so that there is something to find."""
    reached: dict[str, set[str]] = {word: set() for word in played.said}
    for to, raw in played.room.outbox.sent:
        letter = read(raw)
        text = "\n".join((letter.subject, *letter.body)).casefold()
        for word in played.said:
            if word in text or word.encode() in raw:
                reached[word].add(to)
        others = {ADA, BO, CY, FAY} - {to}  # an invitation says who moderates
        assert to == GWEN or not [one for one in others if one in text], (to, text)
    for word, who in reached.items():
        assert who <= READERS[word], (word, who)
        assert who or word in ("potoroo", "echidna"), word


def test_the_words_were_kept_where_nobody_publishes_them(played: Played) -> None:
    """Journals have what was said to the moderator: who hands out a game leaves them, and mail, at home."""
    journals = "".join(path.read_text() for path in _folder(played).rglob("journal.toml"))
    assert "wombat" in journals or "dropbear" in journals
