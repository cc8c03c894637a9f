"""The order of a mail's checks: what two of them would claim goes to the first."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.ground.terms import GameName, Mail, Seat
from pbem.hall.mail.incoming.checks import intake
from pbem.hall.mail.incoming.desk.desk import Case
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.store.pausing import at_once
from pbem.testing.room import ARENA, SERVER, Room
from tests.depth import some

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"
FRIENDS = "friends@example.com"
ROBOT = "Auto-Submitted: auto-replied"
BY_LIST = "List-Id: Tugs <tugs.lists.example.net>\nPrecedence: list"
VOUCHED = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org"


def mail(room: Room, sender: str, said: str = "bid 3", *, to: str = ARENA, token: str = "", heads: str = "") -> Mail:
    """Write a mail to the first game; `token` stands in its subject."""
    tag = f"[tide-1 {token}]" if token else "[tide-1]"
    lines = [f"From: {sender}", f"To: {to}", f"Subject: {tag} Tide 1", "Message-ID: <m@example.net>"]
    raw = "\n".join([*filter(None, [heads]), *lines, "", said, ""]).encode()
    return Mail("1", room.clock.now(), hashlib.sha256(raw).hexdigest(), raw)


def reply(room: Room, sender: str, said: str, words: str) -> Mail:
    """Answer the latest letter that holds these words."""
    return mail(room, sender, said, to=room.reply_to(sender, words))


def take(room: Room, came: Mail) -> None:
    """Let a mail be taken."""
    room.mailbox.deliver(came.raw, came.arrived)
    room.sweep()


def admitted(room: Room, came: Mail) -> str:
    """Say what a mail becomes: which entry; or why it is on the desk, what is said of that, and whose it may be."""
    ledger = room.arena.ledger(GameName("tide-1"))
    parcel = unpacking.unpack(room.arena, came)
    found = at_once(intake.admit(room.arena, ledger, ledger.table, parcel, room.clock.now()))
    if not isinstance(found, Case):
        return type(found).__name__
    seat = f" of {found.wish.seat or 'nobody'}" if found.why == "held" and found.wish else ""
    return f"{found.why}{seat}: {found.said or getattr(found.view, 'because', '')}".rstrip(": ")


def token(room: Room, seat: str = "") -> str:
    """Return the token of a seat, or of the moderator, in the present phase."""
    return room.arena.token(room.table(), Seat(seat) if seat else None)


def by_another_route(room: Room, came: Mail) -> Mail:
    """Let a mail be taken, and return it with other headers."""
    take(room, came)
    raw = b"Received: by mx2.example.org\n" + came.raw
    return Mail("2", came.arrived, hashlib.sha256(raw).hexdigest(), raw)


def fetched_again(room: Room) -> Mail:
    """A robot's mail that is fetched for the second time."""
    came = mail(room, ADA, heads=ROBOT)
    take(room, came)
    return came


def a_robot_says_it_again(room: Room) -> Mail:
    """The words, name and token of a mail that was taken, now by a robot."""
    take(room, mail(room, ADA, token=token(room, "ada")))
    return mail(room, ADA, token=token(room, "ada"), heads=ROBOT)


def a_list_says_it_again(room: Room) -> Mail:
    """The words and name of a mail that is held, now by a list."""
    take(room, mail(room, ADA))
    return mail(room, ADA, heads=BY_LIST)


def an_old_token_again(room: Room) -> Mail:
    """A mail with somebody else's token of an older phase, by another route."""
    old = token(room, "ada")
    for who in (ADA, BO):
        room.write(who, "bid 2")
    room.sweep()
    assert room.table().number == 2
    take(room, mail(room, EVE, "bid 9", token=old))
    return by_another_route(room, mail(room, EVE, token=old))


def a_copy_sent_on(room: Room) -> Mail:
    """A mail that was taken, and that somebody with a copy sends once more."""
    take(room, mail(room, ADA, token=token(room, "ada")))
    return mail(room, ADA, to=FRIENDS, token=token(room, "ada"))


def nonsense(room: Room) -> Mail:
    """The same words of no use, for the third time today."""
    for number in range(2):
        take(room, mail(room, ADA, "I am a parrot", token=token(room, "ada"), heads=f"Date: {number}"))
    return mail(room, ADA, "I am a parrot", token=token(room, "ada"))


def a_word_for_held_mail(room: Room) -> Mail:
    """A player confirms a mail of theirs that was held."""
    take(room, mail(room, ADA))
    digits = room.last(ADA).partition("confirm ")[2][:4]
    assert digits.isdigit()
    return reply(room, ADA, f"confirm {digits}", "confirm")


def the_new_address_agrees(room: Room) -> Mail:
    """A player moves, and a word comes from their new address."""
    room.write(ADA, f"address {EVE}")
    room.sweep()
    return reply(room, EVE, "confirm", "confirm")


def the_old_address_agrees(room: Room) -> Mail:
    """A player moves, and the second word comes from their old address."""
    take(room, the_new_address_agrees(room))
    return reply(room, ADA, "confirm", "confirm")


def the_invitation_answered_late(room: Room) -> Mail:
    """A player who sits answers their invitation."""
    return reply(room, ADA, "join as Ada", "invite")


PLAYING: list[tuple[str, str, Callable[[Room], Mail], str]] = [
    ("was fetched before", "is never answered", fetched_again, "duplicate"),
    (
        "is never answered",
        "came by a list",
        lambda room: mail(room, f"{ADA}, {EVE}", token=token(room, "ada")),
        "held of ada: unclear",
    ),
    ("is never answered", "was taken before", a_robot_says_it_again, "automatic: Auto-Submitted: auto-replied"),
    (
        "is never answered",
        "holds a stolen token",
        lambda room: mail(room, EVE, token=token(room, "ada"), heads=ROBOT),
        "automatic: Auto-Submitted: auto-replied",
    ),
    (
        "is never answered",
        "acts",
        lambda room: mail(room, ADA, token=token(room, "ada"), heads=ROBOT),
        "automatic: Auto-Submitted: auto-replied",
    ),
    ("came by a list", "was taken before", a_list_says_it_again, "automatic: list-id: Tugs <tugs.lists.example.net>"),
    (
        "came by a list",
        "holds a stolen token",
        lambda room: mail(room, EVE, token=token(room, "ada"), heads=BY_LIST),
        "automatic: list-id: Tugs <tugs.lists.example.net>",
    ),
    (
        "came by a list",
        "is a player's",
        lambda room: mail(room, ADA, heads=BY_LIST),
        "automatic: list-id: Tugs <tugs.lists.example.net>",
    ),
    ("was taken before", "holds a stolen token", an_old_token_again, "duplicate"),
    ("was taken before", "is in doubt", a_copy_sent_on, "duplicate"),
    (
        "was taken before",
        "acts",
        lambda room: by_another_route(room, mail(room, ADA, token=token(room, "ada"))),
        "duplicate",
    ),
    ("was taken before", "is a player's", lambda room: by_another_route(room, mail(room, ADA)), "duplicate"),
    (
        "holds a stolen token",
        "is a player's",
        lambda room: mail(room, BO, token=token(room, "ada")),
        "TokenLeaked",
    ),
    (
        "is in doubt",
        "asks to move",
        lambda room: mail(room, ADA, f"address {EVE}", to=FRIENDS, token=token(room, "ada")),
        "held of ada: not addressed",
    ),
    (
        "is in doubt",
        "cannot be taken back",
        lambda room: mail(room, GWEN, "close now", token=token(room)),
        "held of nobody: unchecked",
    ),
    (
        "is in doubt",
        "acts",
        lambda room: mail(room, ADA, to=FRIENDS, token=token(room, "ada")),
        "held of ada: not addressed",
    ),
    ("asks to move", "acts", lambda room: mail(room, ADA, f"address {EVE}", token=token(room, "ada")), "move to"),
    ("repeats nonsense", "acts", nonsense, "automatic: the same words as often before"),
    ("answers about held mail", "is a player's", a_word_for_held_mail, "OrdersReceived"),
    ("goes on with a move", "is a stranger's", the_new_address_agrees, "move from"),
    ("goes on with a move", "is a player's", the_old_address_agrees, "moving"),
    ("is a player's", "takes a seat", the_invitation_answered_late, "held of ada: no token"),
    ("is the moderator's", "is a stranger's", lambda room: mail(room, GWEN), "held of nobody: no token"),
]


@pytest.fixture
def game(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """A harbour game in its first tide."""
    yield from begun.lent(tmp_path / "arena")


@pytest.mark.parametrize(("first", "second", "came", "becomes"), some(4, PLAYING))
def test_a_mail_that_two_checks_claim_goes_to_the_first(
    game: Room, first: str, second: str, came: Callable[[Room], Mail], becomes: str
) -> None:
    """While a game is played."""
    assert admitted(game, came(game)) == becomes


def a_seat_confirmed(room: Room) -> Mail:
    """Somebody who was not invited confirms that they want the seat."""
    take(room, mail(room, EVE, "join tide-1 as Eve"))
    return reply(room, EVE, "confirm", "Somebody")


SIGNING_UP: list[tuple[str, str, Callable[[Room], Mail], str]] = [
    (
        "takes a seat",
        "wants the invitation again",
        lambda room: reply(room, ADA, "join tide-1 as Ada", "invite"),
        "SeatTaken",
    ),
    (
        "takes a seat",
        "is the moderator's",
        lambda room: reply(room, GWEN, "join tide-1 as Gwen", "invite"),
        "SeatTaken",
    ),
    ("takes a seat", "is a stranger's", a_seat_confirmed, "SeatTaken"),
    (
        "wants the invitation again",
        "is the moderator's",
        lambda room: mail(room, GWEN, "join tide-1 as Gwen"),
        "PersonInvited",
    ),
    (
        "wants the invitation again",
        "is a stranger's",
        lambda room: mail(room, ADA, "join tide-1 as Ada"),
        "PersonInvited",
    ),
]


@pytest.mark.parametrize(("first", "second", "came", "becomes"), SIGNING_UP)
def test_likewise_while_seats_are_taken(
    room: Room, first: str, second: str, came: Callable[[Room], Mail], becomes: str
) -> None:
    """Somebody may be invited, and moderate as well."""
    room.invite("ada", "gwen", seats=3)
    assert admitted(room, came(room)) == becomes


def test_what_cannot_be_taken_back_is_asked_about_before_it_acts(room: Room) -> None:
    """Also where mail need not be vouched for."""
    room.found("ada", "bo", authentication="nobody")
    assert admitted(room, mail(room, GWEN, "close now", token=token(room))) == "held of nobody: for good"
    assert admitted(room, mail(room, GWEN, "close now", token=token(room), heads=VOUCHED)) == "RulingGiven"


def test_a_moderator_who_plays_is_first_a_player(room: Room) -> None:
    """Mail without a token may be that of their seat."""
    room.found("ada", "gwen")
    assert admitted(room, mail(room, GWEN)) == "held of gwen: no token"
