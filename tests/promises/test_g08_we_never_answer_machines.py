"""G8. We send only so much for what people write: machines are never answered, and everybody has a cap."""

import email
import email.policy
import re
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest

from pbem.ground.terms import GameName
from pbem.hall.commands.founding import found_game
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.outgoing import caps, merging
from pbem.hall.sweep.reindexing import reindex
from pbem.letters.reading import read
from pbem.testing.room import ARENA, reply_to
from tests import closed_system
from tests.closed_system import World
from tests.conftest import Room, flat, unvouched
from tests.depth import some
from tests.letters import machine_mail, people_mail

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"
TUGS = "tugs@lists.example.net"
DECLARED = {"Auto-Submitted": "auto-replied"}


def silent(*_: object) -> list[bytes]:
    """Answer nothing."""
    return []


def played(room: Room, robot: closed_system.Robot, hours: int) -> World:
    """Play a game in which Ada's mailbox is a robot, and the others write as people do."""
    room.found("ada", "bo")
    world = World(room, {ADA: robot})
    for day in range(0, hours, 24):
        for sender, text in ((ADA, "bidd 3"), (BO, "status"), (ADA, f"bid {day % 5}"), (BO, "bid 1"), (GWEN, "status")):
            world.write(sender, text)
            world.run(1)
        world.run(min(24, hours - day) - 5)
    return world


ROBOTS: dict[str, tuple[Callable[[], closed_system.Robot], int]] = {
    "vacation with headers": (lambda: closed_system.vacation(ADA, **DECLARED), 0),
    "vacation without headers": (lambda: closed_system.vacation(ADA), 4),
    "vacation with other words each time": (lambda: closed_system.chatty(ADA), caps.ANSWERS + 24),
    "challenge and response": (lambda: closed_system.challenge(ADA), caps.ANSWERS + 24),
    "list that strips headers": (lambda: closed_system.mailing_list(TUGS), 0),
    "list that strips all": (lambda: closed_system.mailing_list(TUGS, keeps_id=False), 1),
    "list with many copies": (lambda: closed_system.mailing_list(TUGS, 5, keeps_id=False), 1),
    "forwarder to ourselves": (closed_system.forwarder, 0),
    "forwarder that writes itself": (
        lambda: closed_system.forwarder(rewrites=ADA, keeps_id=False), caps.QUESTIONS + 24,
    ),
}  # fmt: skip
"""Each robot, and the most letters a day that its mail may make us send."""


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], int]:
    """How many letters the same game takes where Ada's mailbox is silent."""

    @cache
    def sent(hours: int) -> int:
        root = tmp_path_factory.mktemp("quiet")
        quiet = Room(root / "arena")
        world = played(quiet, silent, hours)
        quiet.arena.close()
        return world.sent

    return sent


def hold(room: Room, name: str, hours: int, without: int) -> None:
    """Compare a closed world with one in which the robot is silent."""
    make, most = ROBOTS[name]
    world = played(room, make(), hours)
    days = hours // 24 + 1  # caps are those of days by the calendar, and it begins at noon
    mails = f"{world.human} mails of people, {world.machine} of the robot"
    print(f"{name}: {hours} h, {mails}, {world.sent} letters; {without} without it")
    assert world.machine > 0
    assert world.sent - without <= most * days
    room.sweep()
    assert not room.mailbox.waiting


@pytest.mark.parametrize(
    "name", some(3, ["vacation with headers", "challenge and response", "forwarder that writes itself"])
)
def test_a_robot_makes_us_send_few_letters_in_six_hours(room: Room, without: Callable[[int], int], name: str) -> None:
    """One that says what it is, or sends us our own letters, none at all; any other one at most what its cap allows."""
    hold(room, name, 6, without(6))


@pytest.mark.sweep
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_makes_us_send_few_letters_in_two_days(room: Room, without: Callable[[int], int], name: str) -> None:
    """The same for 48 hours, over several phases of a game."""
    hold(room, name, 48, without(48))


@pytest.mark.parametrize("strips", [False, True])
def test_two_arenas_that_write_to_each_other_fall_silent(room: Room, tmp_path: Path, strips: bool) -> None:
    """Each holds the other for a player; with all headers stripped on the way it is one letter each."""
    other = Room(tmp_path / "other")
    seen = {id(room): 0, id(other): 0}
    for one in (room, other):
        found_game(
            one.arena, GameName("tide-1"), "harbour", moderator=GWEN, invited=["twin@example.net", BO], seats=2,
            now=one.clock.now(), seed=bytes(32),
        )  # fmt: skip
    for _ in range(4 * 48):
        for one, twin in ((room, other), (other, room)):
            one.sweep(timedelta(minutes=15))
            sent = one.outbox.sent[seen[id(one)] :]
            seen[id(one)] += len(sent)
            for _, raw in (letter for letter in sent if letter[0] == "twin@example.net"):
                twin.mailbox.deliver(by_the_twin(raw, strips=strips), twin.clock.now())
    counts = [len(one.outbox.sent) for one in (room, other)]
    print(f"two arenas, headers stripped {strips}: {counts} letters in 48 h")
    assert counts == ([3 + 1, 3 + 1] if strips else [3, 3])
    other.arena.close()


def by_the_twin(raw: bytes, *, strips: bool) -> bytes:
    """Turn a letter of one arena to the other into one that seems to come from it."""
    head, _, body = raw.replace(b"example.org", b"example.com").replace(b"arena", b"twin").partition(b"\r\n\r\n")
    lines = [b"To: " + ARENA.encode() if line.startswith(b"To: ") else line for line in head.split(b"\r\n")]
    kept = (b"From", b"To", b"Reply-To", b"Subject", b"Message-ID", b"Date")
    lines = [line.replace(b"twin@example.com", b"twin@example.net") for line in lines]
    return b"\r\n".join([line for line in lines if not strips or line.startswith(kept)] + [b"", body])


@pytest.mark.parametrize("way", some(3, ["to the game", "to the desk", "as a reply"]))
def test_no_mail_of_a_machine_is_answered_or_acts(room: Room, way: str) -> None:
    """Bounces, robots and lists' own mail get no letter, make no entry and no trouble, however they are addressed."""
    room.found("ada", "bo")
    head, before = room.table().head, len(room.outbox.sent)
    raws = [raw for _, _, raw in machine_mail.bounces()] + [raw for _, raw in machine_mail.others()]
    unknowable = {people_mail.mail("I am away.", **headers) for headers in machine_mail.UNKNOWABLE}
    reply = next(line for line in room.outbox.sent[-1][1].split(b"\r\n") if line.startswith(b"Reply-To: "))[10:]
    to = {"to the game": b"arena@example.org", "to the desk": b"arena@example.org", "as a reply": reply}[way]
    for raw in (raw for raw in raws if raw not in unknowable):
        text = raw.replace(b"arena+tide-1.abcdefghijklmnop@example.org", to).replace(b"ada@example.com", ADA.encode())
        room.mailbox.deliver(
            text.replace(b"[tide-1]", b"[Arena]" if way == "to the desk" else b"[tide-1]"), room.clock.now()
        )
    swept = room.sweep()
    room.sweep()
    assert swept.mails >= 100 and not swept.troubles
    assert room.table().head == head and len(room.outbox.sent) == before


@pytest.mark.parametrize("many", [120, pytest.param(1000, marks=pytest.mark.sweep)])
def test_forged_sign_ups_make_few_letters(room: Room, many: int) -> None:
    """Where nobody vouches for them, and however many addresses: 50 letters in all, 20 to one domain, three to one person's tags; no more wait."""
    found_game(room.arena, GameName("tide-3"), "harbour", moderator=GWEN, invited=[], seats=2, now=room.clock.now())
    room.sweep()
    before = len(room.outbox.sent)
    for number in range(many):
        who = (f"p{number}@d{number % 7}.example", f"pat+{number}@example.net", f"q{number}@example.com")[number % 3]
        room.write(who, f"join tide-3 as Pat{number}", to=ARENA, subject="hi")
        room.mailbox.waiting[-1] = unvouched(room.mailbox.waiting[-1])
    for _ in range(8):
        room.sweep()
    to = [recipient for recipient, _ in room.outbox.sent[before:]]
    domains = {domain: sum(one.endswith(f"@{domain}") for one in to) for domain in ("example.com", "example.net")}
    print(f"{many} forged sign-ups: {len(to)} letters; {domains}")
    assert len(to) == 50
    assert domains["example.com"] <= 20 and domains["example.net"] <= 3
    waiting = [one for one in pending.entries(room.arena) if one["why"] == "sign-up"]
    assert len(waiting) == 50
    assert any("than we answer in a day" in odd.what for odd in room.arena.index.counters.odd())


def test_every_letter_says_that_no_machine_need_answer(room: Room) -> None:
    """Those of games and those of the desk: in the words of the standard, of old robots and of Exchange."""
    room.found("ada", "bo")
    room.write(EVE, "hello", to=ARENA, subject="hello")
    room.write(ADA, "bid 1", to=ARENA, subject="[tide-1]")
    room.write(GWEN, "help")
    room.write(ADA, "bid 2")
    room.write(BO, "bid 2")
    room.sweep()
    kinds = set()
    for _, raw in room.outbox.sent:
        head = raw.partition(b"\r\n\r\n")[0]
        answers = b"\r\nIn-Reply-To: " in head
        kinds.add(answers)
        assert (b"\r\nAuto-Submitted: auto-replied" if answers else b"\r\nAuto-Submitted: auto-generated") in head
        assert b"\r\nPrecedence: bulk" in head and b"\r\nX-Auto-Response-Suppress: All" in head
        assert read(raw).kind == "auto"
    assert kinds == {True, False} and len(room.outbox.sent) > 10


@pytest.fixture
def capped(room: Room, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A game in which ten mails a day are answered one by one."""
    monkeypatch.setattr(caps, "ANSWERS", 10)
    room.found("ada", "bo")
    return room


def test_above_the_cap_answers_come_together_and_none_is_lost(capped: Room) -> None:
    """Of forty mails in a day ten are answered one by one, the others in one letter an hour, and all count."""
    room = capped
    before = len(room.outbox.sent)
    for number in range(39):
        room.write(ADA, f"bid {number % 9}\nnonsense number {number}")
        room.sweep(timedelta(minutes=5))
    room.write(ADA, "bid 3")
    for _ in range(3):
        room.sweep(timedelta(hours=1))
    texts = ["\n".join(letter.body) for letter in room.letters(ADA)]
    assert all(sum(f"nonsense number {number}\n" in f"{text}\n" for text in texts) >= 1 for number in range(39))
    sent = len(room.outbox.sent) - before
    print(f"40 mails of one person in three hours: {sent} letters")
    assert sent <= caps.ANSWERS + 5
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    merged = [letter for letter in room.letters(ADA) if letter.message_id.startswith("<merged.")]
    assert merged and merged[-1].automatic == "Auto-Submitted: auto-replied"
    room.write(ADA, "bid 7")
    room.sweep(timedelta(days=1))
    assert room.table().sets.hand["ada"].orders == ("bid 7",)


def test_mail_without_a_name_has_the_same_cap(capped: Room) -> None:
    """An answer that cannot say which mail it answers, for want of a Message-ID, is one all the same."""
    room = capped
    before = len(room.outbox.sent)
    for number in range(20):
        mail = room.write(ADA, f"nonsense number {number}")
        room.mailbox.waiting.clear()
        room.mailbox.deliver(re.sub(rb"(?m)^(?:Message-ID|In-Reply-To): .*\n", b"", mail.raw), mail.arrived)
        room.sweep()
    assert len(room.outbox.sent) - before <= caps.ANSWERS + 1


def test_the_letter_of_many_answers_survives_a_crash(capped: Room) -> None:
    """It tells the latest; what is in it is not sent again when the index is made anew."""
    room = capped
    words = [f"nonsense {'i' * number}" for number in range(caps.ANSWERS + merging.MOST + 2)]
    for said in words:
        room.write(ADA, said)
    room.sweep()
    sent = len(room.outbox.sent)
    assert room.letters(ADA)[-1].message_id.startswith("<merged.")
    assert "nonsense iii" in room.last(ADA) and "The first 3 are left out here" in flat(room.last(ADA))
    room.arena.index.close()
    (room.root / "index.sqlite").unlink()
    room.reopen()
    reindex(room.arena)
    room.sweep()
    assert len(room.outbox.sent) == sent


def test_questions_of_two_games_are_never_in_one_letter(room: Room) -> None:
    """Digits count in a reply to their own game alone, so each letter of many questions is answered to one game."""
    games = ("tide-1", "tide-2")
    for game in games:
        room.found("ada", "bo", name=game)
    before = len(room.outbox.sent)
    for number in range(2 * (caps.QUESTIONS + 2)):
        room.write(ADA, f"bid {number}", to=ARENA, subject=games[number % 2])
    for _ in range(3):
        room.sweep(timedelta(hours=1))
    sent = [raw for to, raw in room.outbox.sent[before:] if to == ADA]
    asked = {raw: set(re.findall(rb"bid [0-9]+", raw)) for raw in sent if b"confirm" in raw}
    assert any(len(bids) > 1 for bids in asked.values())
    assert sum(map(len, asked.values())) == 2 * (caps.QUESTIONS + 2)
    for raw, bids in asked.items():
        (game,) = {games[int(said[4:]) % 2] for said in bids}
        assert f"arena+{game}" in reply_to(raw)


def test_a_persons_mail_by_a_list_acts_by_its_token(room: Room) -> None:
    """An arena may stand behind a list of its own: what is signed by a token counts, what is not gets no answer."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 3")
    room.mailbox.waiting.clear()
    room.mailbox.deliver(b"List-Id: <arena.example.org>\nPrecedence: list\n" + mail.raw, mail.arrived)
    stranger = room.write(EVE, "hello", to=ARENA, subject="[tide-1] hello")
    room.mailbox.waiting.pop()
    room.mailbox.deliver(b"List-Id: <arena.example.org>\n" + stranger.raw, stranger.arrived)
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    assert not room.letters(EVE)


def test_words_that_were_of_no_use_before_may_be_of_use_now(room: Room) -> None:
    """Orders that were twice sent in answer to an old letter count when they come in answer to the new one."""
    room.found("ada", "bo")
    old = reply_to(room.outbox.sent[-3][1])
    assert room.outbox.sent[-3][0] == ADA
    for sender in (ADA, BO):
        room.write(sender, "bid 1")
    room.sweep()
    for _ in range(2):
        room.write(ADA, "bid 2", to=old, subject="[tide-1] Tide 1")
        room.sweep()
    assert "closed" in room.last(ADA) and not room.table().sets.hand
    room.write(ADA, "bid 2")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 2",)


def test_a_letter_of_ours_is_known_by_its_name_alone(room: Room) -> None:
    """Sent back by a stranger without any header that tells what it is, it gets no answer; under another name it does."""
    room.found("ada", "bo")
    before = len(room.outbox.sent)
    got = email.message_from_bytes(room.outbox.sent[-1][1], policy=email.policy.default)
    assert isinstance(got, EmailMessage)
    for keeps_id in (True, False):
        room.mailbox.deliver(closed_system.stripped(got, EVE, keeps_id=keeps_id, count=1).as_bytes(), room.clock.now())
        room.sweep()
        assert len(room.outbox.sent) == before + (not keeps_id)


@pytest.mark.parametrize("sender", [ARENA, "Arena+tide-1.abcdefghijklmnop@example.org"])
@pytest.mark.parametrize("subject", ["hello", "[tide-1] hello"])
def test_we_never_answer_ourselves(room: Room, sender: str, subject: str) -> None:
    """Under no form of our address, at the desk or in a game."""
    room.found("ada", "bo")
    before = len(room.outbox.sent)
    room.write(sender, "hello", to=ARENA, subject=subject)
    room.sweep()
    assert len(room.outbox.sent) == before


def test_the_same_nonsense_is_answered_twice_a_day(room: Room) -> None:
    """A third time it gets no answer, unlike other nonsense, the same on another day, or a request."""
    room.found("ada", "bo")
    answers = []
    for text in ("nonsense", "nonsense", "nonsense", "other nonsense"):
        before = len(room.letters(ADA))
        room.write(ADA, text)
        room.sweep()
        answers.append(len(room.letters(ADA)) - before)
    assert answers == [1, 1, 0, 1]
    for _ in range(3):
        before = len(room.letters(ADA))
        room.write(ADA, "status")
        room.sweep()
        assert len(room.letters(ADA)) == before + 1
    room.write(ADA, "nonsense", span=timedelta(hours=25))
    before = len(room.letters(ADA))
    room.sweep(timedelta(hours=25))
    assert len(room.letters(ADA)) == before + 1
