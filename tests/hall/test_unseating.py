"""Who has a seat before the game begins: one more is invited, a seat is taken away, and its player comes back."""

from datetime import timedelta

import pytest

from pbem.ground.terms import GameName
from pbem.hall.commands import replay_check, ruling
from pbem.hall.keeping import mail_audit
from pbem.letters.reading import read
from pbem.testing.room import MODERATOR, reply_to
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, CY, FAY = (f"{name}@example.org" for name in ("ada", "bo", "cy", "fay"))


def _go(room: Room, who: str, text: str, to: str = "", subject: str = "") -> list[tuple[str, str]]:
    """Let somebody write, sweep, and return who got which letter, flattened."""
    since = len(room.outbox.sent)
    room.write(who, text, to=to, subject=subject)
    assert room.sweep().troubles == []
    return [(to, flat("\n".join(read(raw).body))) for to, raw in room.outbox.sent[since:]]


def _to(sent: list[tuple[str, str]], who: str) -> str:
    """Return the one letter that somebody got."""
    [text] = [text for to, text in sent if to == who]
    return text


def _names(room: Room) -> list[str]:
    return [seated.name for seated in room.table().seats.values()]


def _journal(room: Room) -> str:
    """Return all that the game's journals hold, and all that is derived from them."""
    return "\n".join(file.read_text() for file in sorted((room.root / "games" / "tide-1").rglob("*.t[ox][mx]*")))


@pytest.fixture
def half(room: Room) -> Room:
    """A game for three, in which Ada and Bo sit and one seat is free."""
    room.invite("ada", "bo", seats=3)
    _go(room, ADA, "join as Ada")
    _go(room, BO, "join as Bo")
    assert _names(room) == ["Ada", "Bo"]
    return room


@pytest.fixture
def unseated(half: Room) -> Room:
    """The same, once Bo's seat was taken away."""
    _go(half, MODERATOR, "eject Bo because he is rude")
    return half


@pytest.mark.parametrize("line", ["eject Bo", "unseat bo.", "Eject Bo because he is rude"])
def test_a_seat_is_taken_away_and_its_player_told(half: Room, line: str) -> None:
    """Not why; and the moderator is told how they come back."""
    sent = _go(half, MODERATOR, line)
    assert {to for to, _ in sent} == {MODERATOR, BO} and _names(half) == ["Ada"]
    assert "Bo has no seat any more" in _to(sent, MODERATOR) and "| invite again ADDRESS" in _to(sent, MODERATOR)
    assert "taken your seat in tide-1 away" in _to(sent, BO) and "rude" not in _to(sent, BO) + _journal(half)
    assert "Nothing changes" not in _to(sent, MODERATOR)


def test_mail_of_whoever_lost_a_seat_never_acts(unseated: Room) -> None:
    """Whatever it says, by whatever letter of theirs; asking for the seat does not help either."""
    tos = [reply_to(raw) for to, raw in unseated.outbox.sent if to == BO]
    said = ["hello", "zone Asia/Tokyo", "join as Bo", "join tide-1 as Bo"]
    for to, text in zip([*tos, "arena+tide-1@example.org"], said, strict=True):
        unseated.clock.advance(timedelta(days=1))
        sent = _go(unseated, BO, text, to=to, subject="Re: [tide-1]")
        assert [who for who, _ in sent] == [BO] and "the moderator has taken it away" in _to(sent, BO)
    assert _names(unseated) == ["Ada"]


def test_somebody_else_may_have_the_name_and_the_old_letters_are_dead(unseated: Room) -> None:
    """They are no tokens of the new player's: nothing leaks, and the new one hears nothing of it."""
    old = [reply_to(raw) for to, raw in unseated.outbox.sent if to == BO]
    _go(unseated, MODERATOR, "invite fay@example.org")
    _go(unseated, FAY, "join as Bo")
    assert _names(unseated) == ["Ada", "Bo"]
    for to in old:
        sent = _go(unseated, BO, "hello", to=to)
        assert [to for to, _ in sent] == [BO] and "somebody else does now" in _to(sent, BO)
    assert "Asia/Tokyo" in _to(_go(unseated, FAY, "zone Asia/Tokyo"), FAY) and unseated.table().leaks == {}


def test_invite_again_lets_them_back(unseated: Room) -> None:
    """With their address; a plain invitation is refused, so that nobody comes back by accident."""
    sent = _go(unseated, MODERATOR, "invite bo@example.org")
    assert [to for to, _ in sent] == [MODERATOR]
    assert "had a seat that you took away. To let them back: invite again ADDRESS." in _to(sent, MODERATOR)
    sent = _go(unseated, MODERATOR, "invite again bo@example.org because he is sorry")
    assert {to for to, _ in sent} == {MODERATOR, BO} and "An invitation to tide-1" in _to(sent, BO)
    assert "once more to bo@example.org" in _to(sent, MODERATOR) and "sorry" not in _journal(unseated)
    _go(unseated, BO, "join as Bolt")
    assert _names(unseated) == ["Ada", "Bolt"]
    assert "Asia/Tokyo" in _to(_go(unseated, BO, "zone Asia/Tokyo"), BO)


def test_one_more_is_invited(half: Room) -> None:
    """By mail: a seat is kept for them, and the journal does not know their address, name or why."""
    sent = _go(half, MODERATOR, "Invite Fay Fullname <fay@example.org> because she is keen")
    assert {to for to, _ in sent} == {MODERATOR, FAY}
    assert "An invitation goes to fay@example.org" in _to(sent, MODERATOR)
    assert not any(word in _journal(half) for word in ("example.org", "Fullname", "keen"))
    sent = _go(half, "eve@example.com", "join tide-1 as Eve", to="arena+tide-1@example.org")
    assert "for invited players" in _to(sent, "eve@example.com")
    _go(half, FAY, "join as Fay")
    assert half.table().status == "open" and _names(half) == ["Ada", "Bo", "Fay"]
    words = replay_check.Words(half.arena.words, half.arena.wording)
    found = replay_check.replay(half.root / "games" / "tide-1", half.rulesets, words, bytes(32))
    assert all(not one.difference for one in found) and mail_audit.audit(half.arena).exact


@pytest.mark.parametrize(
    ("line", "because"),
    some(
        3,
        [
            ("invite ada@example.org", "plays Ada already"),
            ("invite arena@example.org", "That is my own address"),
            ("invite fay@example.org, cy@example.org", "one a line"),
            ("invite again fay@example.org", "To do so, write: invite ADDRESS."),
            ("invite again ada@example.org", "plays Ada already"),
            ("invite again Fay", "alone on its line, or with one address"),
            ("eject", "Write eject NAME"),
            ("eject Zed", "no player of that name"),
            ("eject zed@example.org", "no player of that name"),
        ],
    ),
)
def test_what_cannot_be_is_refused_with_what_would_have_worked(half: Room, line: str, because: str) -> None:
    """Nobody is asked, stored or told."""
    sent = _go(half, MODERATOR, line)
    assert [to for to, _ in sent] == [MODERATOR] and "Not taken" in _to(sent, MODERATOR)
    assert because in _to(sent, MODERATOR), sent
    assert half.arena.people.find(FAY) is None and "@example.org" not in _journal(half)
    assert _names(half) == ["Ada", "Bo"]


def test_no_more_are_invited_than_have_a_seat(half: Room) -> None:
    """The answer says how one gets free; who has not answered is not asked twice by the same word."""
    _go(half, MODERATOR, "invite fay@example.org")
    assert "To ask once more: invite again ADDRESS" in _to(_go(half, MODERATOR, "invite fay@example.org"), MODERATOR)
    sent = _go(half, MODERATOR, "invite cy@example.org")
    assert "Each of the 3 seats is taken or kept" in _to(sent, MODERATOR) and "eject NAME" in _to(sent, MODERATOR)
    assert _to(_go(half, MODERATOR, "invite again fay@example.org"), FAY)


def test_a_test_changes_nothing(half: Room) -> None:
    """It says what it would do."""
    sent = _go(half, MODERATOR, "test\neject Bo\ninvite fay@example.org")
    assert [to for to, _ in sent] == [MODERATOR] and _names(half) == ["Ada", "Bo"]
    assert "Bo would have no seat any more" in _to(sent, MODERATOR)
    assert "An invitation would go to that address" in _to(sent, MODERATOR) and half.arena.people.find(FAY) is None


def test_once_the_game_has_begun_eject_says_what_there_is_instead(room: Room) -> None:
    """Both words, and invite."""
    room.found("ada", "bo")
    for line in ("eject Bo", "unseat Bo because he is rude"):
        sent = _go(room, MODERATOR, line)
        assert [to for to, _ in sent] == [MODERATOR] and "replace NAME by ADDRESS gives it" in _to(sent, MODERATOR)
    assert "To give a seat to somebody else: replace" in _to(_go(room, MODERATOR, "invite fay@example.org"), MODERATOR)
    assert _names(room) == ["Ada", "Bo"] and "rude" not in _journal(room)


def test_a_forged_ruling_takes_no_seat_and_gives_none(room: Room) -> None:
    """Where no server vouches for it, it waits for the moderator's own word."""
    room.invite("ada", "bo", seats=3, authentication="nobody")
    _go(room, BO, "join as Bo")
    own = room.reply_to(MODERATOR)
    for line in ("eject Bo", "invite fay@example.org", "invite again ada@example.org"):
        mail = room.write(MODERATOR, line, to=own)
        room.mailbox.waiting.remove(mail)
        room.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=none"), mail.arrived)
        since = len(room.outbox.sent)
        room.sweep()
        [(to, raw)] = room.outbox.sent[since:]
        assert to == MODERATOR and "It settles who plays, so I keep it" in flat("\n".join(read(raw).body))
    assert _names(room) == ["Bo"] and room.arena.people.find(FAY) is None


def test_a_reply_to_words_of_somebody_who_lost_their_seat_goes_to_nobody(half: Room) -> None:
    """And breaks nothing: the moderator alone is told."""
    _go(half, BO, "gm: I may be late")
    to = half.reply_to(MODERATOR, "I may be late")
    _go(half, MODERATOR, "eject Bo", to=to)
    assert [who for who, _ in _go(half, MODERATOR, "Sorry, no.", to=to)] == [MODERATOR]


def test_a_mail_that_was_held_for_a_seat_that_is_gone_is_confirmed_by_nobody(half: Room) -> None:
    """Nor does it break anything."""
    held = _to(_go(half, BO, "zone Asia/Tokyo", to="arena+tide-1@example.org", subject="Re: [tide-1]"), BO)
    digits, to = held.partition("| confirm ")[2][:4], half.reply_to(BO)
    _go(half, MODERATOR, "eject Bo")
    assert "taken it away" in _to(_go(half, BO, f"confirm {digits}", to=to), BO)
    _go(half, ADA, f"confirm {digits}", to=to)
    assert _names(half) == ["Ada"]


def test_whoever_lost_a_seat_takes_over_none_later(unseated: Room) -> None:
    """By accident, that is: they held a seat of this game."""
    _go(unseated, MODERATOR, "invite fay@example.org")
    _go(unseated, FAY, "join as Fay")
    _go(unseated, MODERATOR, "begin")
    refused = _to(_go(unseated, MODERATOR, "replace Fay by bo@example.org"), MODERATOR)
    assert "had a seat in this game once" in refused


def test_it_can_be_ruled_from_the_terminal_and_is_read_again(half: Room) -> None:
    """From the journal alone."""
    lines = ["eject Bo", "invite fay@example.org"]
    echo, taken = ruling.rule(half.arena, GameName("tide-1"), 0, lines, half.clock.now())
    half.sweep()
    half.reopen()
    assert taken and FAY in echo and _names(half) == ["Ada"] and "@example.org" not in _journal(half)
    _go(half, FAY, "join as Fay")
    assert _names(half) == ["Ada", "Fay"]


def test_an_undo_of_something_else_leaves_the_seat_taken_away(unseated: Room) -> None:
    """Sign-up is folded again."""
    _go(unseated, MODERATOR, "note Hello")
    _go(unseated, MODERATOR, "undo")
    assert _names(unseated) == ["Ada"]


def test_who_was_invited_is_invited_no_more(half: Room) -> None:
    """Their join is refused, though the seat is free by now, until they are invited again."""
    _go(half, MODERATOR, f"invite {CY}")
    [(to, echo)] = _go(half, MODERATOR, f"uninvite {CY}")
    assert to == MODERATOR and f"No seat is kept any more for {CY}" in echo and CY not in _journal(half)
    assert "has taken your invitation back" in _to(_go(half, CY, "join as Cy"), CY)
    assert _names(half) == ["Ada", "Bo"]
    _go(half, MODERATOR, f"invite again {CY}")
    _go(half, CY, "join as Cy")
    assert _names(half) == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize(
    ("said", "because"), [(ADA, "eject Ada"), (FAY, "Nobody with that address"), ("Ada", "names no address")]
)
def test_who_cannot_be_uninvited(half: Room, said: str, because: str) -> None:
    """Whoever sits, and whoever was never invited."""
    assert because in _to(_go(half, MODERATOR, f"uninvite {said}"), MODERATOR) and _names(half) == ["Ada", "Bo"]
