"""Invitations: lost, returned and sent once more, to nobody's address but the one that was invited."""

from datetime import timedelta

import pytest

from pbem.ground.terms import GameName, OutboxError
from pbem.hall.commands import ruling, status
from pbem.hall.commands.founding import found_game
from pbem.hall.keeping import mail_audit
from pbem.table.fold.journal import PersonInvited
from pbem.testing.room import ARENA
from tests.conftest import Room, flat
from tests.hall.test_bounces import bounce

ADA, BO, CY, GWEN = (f"{name}@example.org" for name in ("ada", "bo", "cy", "gwen"))


def invitations(room: Room, who: str) -> int:
    """Count the invitations that somebody has had."""
    return sum("An invitation to tide-1." in "\n".join(letter.body) for letter in room.letters(who))


@pytest.mark.parametrize("to", ["arena+tide-1@example.org", ARENA])
def test_whoever_was_invited_and_writes_join_afresh_gets_the_invitation_again(room: Room, to: str) -> None:
    """The letter itself was lost: the same words come again, and an answer to them takes the seat."""
    room.invite("ada", "bo")
    room.write(BO, "join tide-1 as Bo", to=to)
    room.sweep()
    assert invitations(room, BO) == 2 and invitations(room, ADA) == 1
    first, second = [letter.body for letter in room.letters(BO)]
    assert first == second
    room.write(BO, "join as Bo")
    room.sweep()
    assert [seated.name for seated in room.table().seats.values()] == ["Bo"]
    assert mail_audit.audit(room.arena).exact


def test_the_invitation_goes_to_the_registered_address_and_not_too_often(room: Room) -> None:
    """Whoever writes in somebody's name makes us write to them a few times a day; a mail that comes again, never."""
    room.invite("ada", "bo")
    for day in range(2):
        mails = [room.write(BO, f"join tide-1 as Bo {'!' * n}", to="arena+tide-1@example.org") for n in range(6)]
        room.mailbox.deliver(mails[0].raw, room.clock.now())
        room.sweep()
        assert invitations(room, BO) == 1 + 3 * (day + 1)
        room.sweep(timedelta(days=1))
    assert {to for to, _ in room.outbox.sent} == {ADA, BO, GWEN}
    assert mail_audit.audit(room.arena).exact


def test_others_are_not_invited_by_asking(room: Room) -> None:
    """Who was never invited, who has a seat, and who comes when the game has begun."""
    room.invite("ada", "bo", "cy", seats=3)
    room.write(ADA, "join as Ada")
    room.write("dee@example.org", "join tide-1 as Dee", to="arena+tide-1@example.org")
    room.sweep()
    room.write(ADA, "join tide-1 as Ada", to="arena+tide-1@example.org")
    room.write(BO, "join as Bo")
    room.sweep()
    room.write(GWEN, "begin")
    room.sweep()
    room.write(CY, "join tide-1 as Cy", to="arena+tide-1@example.org")
    room.sweep()
    assert [invitations(room, who) for who in (ADA, BO, CY, "dee@example.org")] == [1, 1, 1, 0]
    assert "began with 2 of 3 seats taken" in flat(room.last(CY))


def found(room: Room, *, moderator: str, invited: list[str]) -> None:
    """Found a game of four seats."""
    game = GameName("tide-1")
    found_game(room.arena, game, "harbour", moderator=moderator, invited=invited, seats=4, now=room.clock.now())
    room.sweep()


@pytest.mark.parametrize("part", ["moderator", "invited", "seated", "was seated"])
@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("dee@example.org", "dee+1@example.org"),
        ("dee+old@example.org", "dee+new@example.org"),
        ("d.ee@gmail.com", "dee@googlemail.com"),
        ("dee@gmail.com", "d.e.e+x@gmail.com"),
    ],
)
def test_one_mailbox_asks_for_no_second_part(room: Room, part: str, known: str, other: str) -> None:
    """In whatever form it is written; another person's mailbox is asked to confirm, as ever."""
    invited = [ADA] if part == "moderator" else [ADA, known]
    found(room, moderator=known if part == "moderator" else GWEN, invited=invited)
    if "seated" in part:
        room.write(known, "join as Dee")
        room.sweep()
    if part == "was seated":
        room.write(GWEN, "eject Dee")
        room.sweep()
        assert not room.table().seats
    seated = dict(room.table().seats)
    room.write(other, "join tide-1 as Doe", to="arena+tide-1@example.org")
    room.write("eve@example.com", "join tide-1 as Eve", to="arena+tide-1@example.org")
    room.sweep()
    told = flat(room.last(other))
    assert "Somebody with this mailbox has a part in tide-1 already, or is invited" in told
    assert "confirm" not in told and known not in told
    assert "confirm" in flat(room.last("eve@example.com"))
    assert dict(room.table().seats) == seated


def test_a_mailbox_that_has_a_part_since_it_asked_confirms_nothing(room: Room) -> None:
    """Two forms of it ask at once; the first to confirm has the seat."""
    found(room, moderator=GWEN, invited=[ADA])
    for name, form in (("Dee", "dee@example.com"), ("Doe", "dee+1@example.com")):
        room.write(form, f"join tide-1 as {name}", to="arena+tide-1@example.org")
    room.sweep()
    for form in ("dee@example.com", "dee+1@example.com"):
        room.write(form, "confirm")
        room.sweep()
    assert [seated.name for seated in room.table().seats.values()] == ["Dee"]
    assert "Somebody with this mailbox has a part" in flat(room.last("dee+1@example.com"))


def test_invite_again_sends_them_to_all_who_have_not_answered(room: Room) -> None:
    """By mail and from the terminal; who has a seat gets none, and once the game has begun it is refused."""
    room.invite("ada", "bo")
    room.write(ADA, "join as Ada")
    room.sweep()
    room.write(GWEN, "test\ninvite again")
    room.sweep()
    assert "The invitation would go once more to bo@example.org" in flat(room.last(GWEN)) and invitations(room, BO) == 1
    room.write(GWEN, "Invite again.")
    room.sweep()
    assert "The invitation goes once more to bo@example.org" in flat(room.last(GWEN))
    assert (invitations(room, ADA), invitations(room, BO)) == (1, 2)
    assert "Nothing changes" not in room.last(GWEN)
    _, taken = ruling.rule(room.arena, GameName("tide-1"), 0, ["invite again"], room.clock.now())
    room.sweep()
    assert taken and invitations(room, BO) == 3
    room.write(BO, "join as Bo")
    room.sweep()
    room.write(GWEN, "invite again")
    room.sweep()
    assert "The game has begun; nobody can join it any more." in flat(room.last(GWEN))


def test_status_and_show_list_who_has_not_answered(room: Room) -> None:
    """By their addresses, until the game has begun; in a letter no line is too long."""
    room.invite("ada", "bo")
    room.write(ADA, "join as Ada")
    room.sweep()
    room.write(GWEN, "status")
    room.sweep()
    assert "Ada seated Invited, and has not answered bo@example.org" in flat(room.last(GWEN))
    assert room.last(GWEN).endswith("\n| invite again") and max(map(len, room.last(GWEN).split("\n"))) <= 56
    shown = status.as_text(status.facts_of(room.table(), room.arena.people))
    assert "bo@example.org" in shown and shown.count("invited, and has not answered") == 1
    room.write(BO, "join as Bo")
    room.sweep()
    room.write(GWEN, "status")
    room.sweep()
    assert "Invited" not in room.last(GWEN)
    assert "invited" not in status.as_text(status.facts_of(room.table(), room.arena.people))


@pytest.mark.parametrize("refused", [True, False])
def test_an_invitation_that_comes_back_is_told_at_once(room: Room, refused: bool) -> None:
    """Bounced, or refused to our face: the moderator hears which, once, what to do, and may answer that letter."""
    if refused:
        room.outbox.fails[BO] = OutboxError("550 no such user", permanent=True)
    room.invite("ada", "bo")
    if not refused:
        raw = next(raw for to, raw in room.outbox.sent if to == BO)
        bounce(room, raw)
        bounce(room, raw)
    room.sweep()
    told = [letter for letter in room.letters(GWEN) if "came back" in letter.subject]
    assert len(told) == 1 and max(map(len, told[0].body)) <= 56
    words = flat("\n".join(told[0].body))
    assert "The invitation to bo@example.org could not be delivered" in words and "pbem address bo@example.org" in words
    room.outbox.fails.clear()
    room.write(GWEN, "invite again")
    room.sweep()
    assert invitations(room, BO) == 2 - refused


def test_an_invitation_of_the_founder_is_journaled_as_it_ever_was(room: Room) -> None:
    """It came of no mail, and says nothing of any."""
    room.invite("ada", "bo")
    invited = [entry for entry in room.table().log if isinstance(entry, PersonInvited)]
    text = (room.root / "games" / "tide-1" / "phase-00" / "journal.toml").read_text()
    assert len(invited) == 2 and "cause" not in text and "key" not in text
