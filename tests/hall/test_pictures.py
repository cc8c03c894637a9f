"""Pictures of a ruleset that draws: with the report, in the archive, and compared by no replay."""

import email
import email.policy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import GameName, Outcome, Picture, Seat
from pbem.hall.commands import replay_check, status
from pbem.hall.mail.outgoing import quotable
from pbem.letters import markup, multipart, raster, reading
from tests.conftest import Room
from tests.harbour import Harbour, HarbourRules

BO = "bo@example.org"


class Painted(HarbourRules):
    """The harbour, which draws a square."""

    def pictures(self, state: Harbour, outcome: Outcome[Any]) -> tuple[Picture, ...]:
        """One a tide."""
        svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>\n'
        return (Picture(name="tide", svg=svg, says=f"The harbour at tide {state.tide}"),)

    def map(self, state: Harbour) -> tuple[str, ...]:
        """Two rows."""
        return (f"| tide {state.tide} |", "| ~~~~~~ |")


@pytest.fixture
def painted(tmp_path: Path) -> Iterator[Room]:
    """Lend an arena with that harbour, in which a tide was played."""
    room = Room(tmp_path, {"harbour": Painted()})
    room.found("ada", "bo")
    room.write("ada@example.org", "bid 1")
    room.write(BO, "bid 2")
    room.sweep()
    yield room
    room.arena.close()


@pytest.mark.parametrize("pixels", [b"", b"pixels"])
def test_a_report_has_its_pictures_with_it(painted: Room, monkeypatch: pytest.MonkeyPatch, pixels: bytes) -> None:
    """To keep as SVG; to look at where they can be turned into pixels here."""
    monkeypatch.setattr(raster, "png", lambda svg: pixels)
    painted.write("ada@example.org", "bid 1")
    painted.write(BO, "bid 4")
    painted.sweep()
    raw = next(raw for to, raw in reversed(painted.outbox.sent) if to == BO)
    message = email.message_from_bytes(raw, policy=email.policy.default)
    kinds = [part.get_content_type() for part in message.walk() if not part.is_multipart()]
    shown = ["image/png"] if pixels else []
    assert kinds == ["text/plain", "text/html", *shown, "image/svg+xml"]
    assert "The harbour at tide 2" in str(message) or not pixels
    assert "TIDE 2" in multipart.text_of(raw)


def test_a_reply_with_all_pictures_of_a_report_in_it_is_read(painted: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some mail programs send them back; those that would make a reply too large to be read go as drawings alone."""
    drawn = Painted().pictures(Harbour({}, {}, {}), None)[0]  # type: ignore[arg-type]
    several = tuple(Picture(name=f"tide-{place}", svg=drawn.svg, says=drawn.says) for place in range(4))
    monkeypatch.setattr(Painted, "pictures", lambda self, state, outcome: several)
    monkeypatch.setattr(raster, "png", lambda svg: bytes(200_000))
    painted.write("ada@example.org", "bid 1")
    painted.write(BO, "bid 4")
    painted.sweep()
    message = email.message_from_bytes(next(raw for to, raw in reversed(painted.outbox.sent) if to == BO))
    shown = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert len([part for part in message.walk() if part.get_content_type() == "image/svg+xml"]) == 4
    assert 0 < sum(len(part.as_bytes()) for part in shown) < reading.MOST_BYTES - 200_000


def test_a_drawing_is_turned_into_pixels() -> None:
    """With the extra that tests install; what is no drawing is left out, and stops nobody."""
    assert raster.png(Painted().pictures(Harbour({}, {}, {}), None)[0].svg).startswith(b"\x89PNG")  # type: ignore[arg-type]
    assert raster.png("no drawing") == b""
    assert raster.png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1000000"/>') == b""


def test_a_picture_is_not_made_again_for_each_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It becomes pixels once, and is drawn as often for four players as for two."""
    drawn: dict[int, list[str]] = {}
    for players in (("ada", "bo"), ("ada", "bo", "cy", "dee")):
        made = drawn[len(players)] = []
        draw = Painted.pictures
        with monkeypatch.context() as patch:
            patch.setattr(Painted, "pictures", lambda *of, made=made, draw=draw: made.append("drawing") or draw(*of))
            patch.setattr(raster, "png", lambda svg, made=made: made.append("pixels") or b"pixels")
            room = Room(tmp_path / str(len(players)), {"harbour": Painted()})
            room.found(*players)
            for player in players:
                room.write(f"{player}@example.org", "bid 1")
            room.sweep()
            assert sum(b"image/png" in raw for _, raw in room.outbox.sent) >= len(players)
            room.arena.close()
    assert drawn[4] == drawn[2] and drawn[2].count("pixels") == 1


def test_pictures_stand_in_the_archive_and_no_replay_compares_them(painted: Room) -> None:
    """A release that draws otherwise replays the game."""
    folder = painted.root / "games" / "tide-1"
    drawing = folder / "phase-01" / "tide.svg"
    assert drawing.read_text().startswith("<svg")
    drawing.write_text("drawn by another release")
    words = replay_check.Words(painted.arena.words, painted.arena.wording)
    phases = list(replay_check.replay(folder, painted.rulesets, words, bytes(32)))
    assert [phase.difference for phase in phases] == [""] * len(phases)


def test_a_reply_to_a_letter_in_parts_takes_what_is_new(painted: Room) -> None:
    """The quoted text of the letter is ours, also where the letter on file is one in parts."""
    text = painted.last(BO)
    painted.write(BO, "bid 3\n\n" + "\n".join(f"> {line}" for line in text.split("\n")))
    painted.sweep()
    assert "a bid of 3" in painted.last(BO)


def test_a_letter_can_be_quoted_as_programs_show_its_html(painted: Room) -> None:
    """Both that and its text are known for ours."""
    person = painted.table().seats[Seat("bo")].person
    painted.arena.people.amend(person, form="html")
    painted.write("ada@example.org", "bid 1")
    painted.write(BO, "bid 4")
    painted.sweep()
    raw = next(raw for to, raw in reversed(painted.outbox.sent) if to == BO)
    sent = quotable.words_sent(painted.arena, painted.arena.ledger(GameName("tide-1")), Seat("bo"), person, ())
    text, shown = multipart.text_of(raw), markup.text(multipart.html_of(raw))
    assert shown and shown != text and {text, shown} <= set(sent)


def test_the_terminal_shows_how_things_stand_as_text(painted: Room) -> None:
    """Below who has moved."""
    shown = status.as_text(status.facts_of(painted.table()))
    assert shown.endswith("| tide 2 |\n| ~~~~~~ |")
