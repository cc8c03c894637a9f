"""What an IMAP account promises as a mailbox, held against Dovecot: looked at without a trace, marked, never deleted."""

import hashlib
import re
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, timedelta

import pytest

from pbem.ground.terms import MailboxError
from pbem.world.imap import mailbox as room
from pbem.world.imap.mailbox import KEYWORD
from pbem.world.mailbox import LARGEST
from tests.depth import some
from tests.imap_scene import NOON, Scene, mail, once
from tests.servers import Dovecot, running

A, B, C = mail("a"), mail("b"), mail("c")
DONE = KEYWORD.encode()


def test_a_mail_has_its_bytes_digest_name_and_arrival(scene: Scene) -> None:
    """The stamp is the server's INTERNALDATE in UTC; the name is made of UIDVALIDITY and UID."""
    scene.dovecot.save(scene.user, [(A, NOON.astimezone(tz=None) + timedelta(seconds=7))])
    [got] = scene.mailbox().fetch(10)
    assert (got.raw, got.digest, got.arrived) == (A, hashlib.sha256(A).hexdigest(), NOON + timedelta(seconds=7))
    assert got.arrived.tzinfo is UTC
    validity, _, uid = got.name.partition("-")
    assert (len(validity), uid) == (10, "0000000001")


def test_mails_come_in_order_of_arrival_then_uid(scene: Scene) -> None:
    """Which was put there first does not matter, unless the stamps are equal."""
    scene.put(C, minute=3)
    scene.put(B, minute=1)
    scene.put(A, minute=1)
    box = scene.mailbox()
    assert [got.raw for got in box.fetch(10)] == [B, A, C]
    assert [got.raw for got in box.fetch(2)] == [B, A]


def test_fetching_changes_nothing(scene: Scene) -> None:
    """A mail that is looked at keeps its flags and comes again, to us and to whoever else looks."""
    scene.put(A, B)
    box = scene.mailbox()
    assert box.fetch(10) == box.fetch(10) == scene.mailbox().fetch(10) != []
    assert scene.dovecot.flags(scene.user) == [set(), set()]
    assert scene.dovecot.raws(scene.user) == [A, B]


def test_delivered_mail_comes_as_the_server_has_it(scene: Scene) -> None:
    """What came by LMTP to an address with a plus part has that address in its headers."""
    scene.dovecot.deliver(f"{scene.user}+ember-7.token@example.org", b"Subject: now\n\nnow\n")
    [got] = scene.mailbox().fetch(10)
    assert f"Delivered-To: {scene.user}+ember-7.token@example.org\r\n".encode() in got.raw
    assert got.raw.endswith(b"Subject: now\r\n\r\nnow\r\n\r\n") or got.raw.endswith(b"Subject: now\r\n\r\nnow\r\n")


@pytest.mark.parametrize("name", ["Processed", "Arena/Done with", "Erledigte Züge & mehr"])
def test_marked_mail_is_moved_to_a_folder_that_is_made_if_need_be(scene: Scene, name: str) -> None:
    """What is marked lies in that folder with its bytes and stamp, is subscribed to, and comes no more."""
    scene.put(A, B, C)
    box = scene.mailbox(processed=name)
    first, _, third = box.fetch(10)
    box.mark([first])
    box.mark([third])
    assert [got.raw for got in box.fetch(10)] == [B]
    assert scene.dovecot.raws(scene.user, name) == [A, C]
    assert scene.dovecot.flags(scene.user, name) == [set(), set()]
    moved = scene.mailbox(folder=name).fetch(10)
    assert [got.arrived for got in moved] == [first.arrived, third.arrived]
    with scene.dovecot.session(scene.user) as client:
        assert name in [found for _, _, found in client.list_sub_folders()]


def test_where_mail_may_not_be_moved_the_sentence_names_the_setting(scene: Scene) -> None:
    """A folder that cannot be made gives the server's reason; nothing is lost, and nothing is marked."""
    scene.put(A)
    box = scene.mailbox(processed="Inbox/../up")
    mails = box.fetch(10)
    with pytest.raises(MailboxError, match=r"127\.0\.0\.1 does not move mail to Inbox/\.\./up: .*as processed in sett"):
        box.mark(mails)
    assert box.fetch(10) == mails


def test_a_line_that_breaks_while_mail_is_moved_blames_no_folder(scene: Scene) -> None:
    """Nobody knows then whether the server did it; marking again is right in both cases."""
    scene.put(A, B)
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    mails = box.fetch(10)
    wire.change = once(b"COPYUID", wire.hang_up)
    with pytest.raises(MailboxError, match=r"^127\.0\.0\.1 broke off"):
        box.mark(mails)
    assert set(box.fetch(10)) <= set(mails)
    box.mark(mails)
    assert box.fetch(10) == []
    assert scene.dovecot.raws(scene.user, "Processed") == [A, B]


@pytest.fixture(scope="module")
def without_move() -> Iterator[Dovecot]:
    """A server that cannot move mail."""
    with running(Dovecot(capability="IMAP4rev1 UIDPLUS LITERAL+ MULTIAPPEND")) as server:
        yield server


@pytest.fixture(scope="module")
def without_keywords() -> Iterator[Dovecot]:
    """A server that keeps only whether mail was read."""
    with running(Dovecot(capability="IMAP4rev1 MULTIAPPEND", rights="lrsi")) as server:
        yield server


def test_a_folder_in_which_nothing_may_be_marked_is_told(dovecot: Dovecot) -> None:
    """A folder that we may only read would hand over the same mail for ever."""
    said = r"^INBOX at 127\.0\.0\.1 cannot be opened: it may only be read\. Correct folder in settings\.toml\.$"
    with (
        running(Dovecot(rights="lr")) as server,
        closing(Scene(server)) as scene,
        pytest.raises(MailboxError, match=said),
    ):
        scene.mailbox().fetch(10)


def test_without_move_mail_is_marked_with_a_keyword(dovecot: Dovecot, without_move: Dovecot) -> None:
    """The mail stays where it is, unread as it was; taking the keyword off makes it come again."""
    scene = Scene(without_move)
    scene.put(A, B)
    box = scene.mailbox()
    mails = box.fetch(10)
    box.mark(mails)
    box.mark(mails)
    assert scene.dovecot.flags(scene.user) == [{DONE}, {DONE}]
    assert box.fetch(10) == scene.mailbox().fetch(10) == []
    scene.put(C, minute=2)
    assert [got.raw for got in box.fetch(10)] == [C]
    with scene.dovecot.session(scene.user) as client:
        client.remove_flags([1], [DONE])
    assert [got.raw for got in box.fetch(10)] == [A, C]
    scene.close()


def test_who_wants_no_folder_gets_the_keyword(scene: Scene) -> None:
    """With an empty `processed` nothing is moved, though the server could."""
    scene.put(A)
    box = scene.mailbox(processed="")
    box.mark(box.fetch(10))
    assert scene.dovecot.flags(scene.user) == [{DONE}]
    assert box.fetch(10) == []


def test_without_keywords_mail_is_marked_as_read(dovecot: Dovecot, without_keywords: Dovecot) -> None:
    r"""Where nothing else lasts, \Seen is our mark, so there, and only there, reading a mail with a client hides it."""
    scene = Scene(without_keywords)
    scene.put(A, B, C)
    box = scene.mailbox()
    mails = box.fetch(10)
    assert scene.dovecot.flags(scene.user) == [set(), set(), set()]
    box.mark(mails[:1])
    assert scene.dovecot.flags(scene.user) == [{b"\\Seen"}, set(), set()]
    with scene.dovecot.session(scene.user) as client:
        client.fetch([2], ["BODY[]"])
    assert [got.raw for got in box.fetch(10)] == [C]
    scene.close()


@pytest.mark.parametrize("processed", ["Processed", ""])
@pytest.mark.parametrize("dedicated", [True, False])
def test_marks_can_be_taken_off_all_mail_since_a_moment(scene: Scene, processed: str, dedicated: bool) -> None:
    """What arrived then or later comes again with its stamp, what is older does not, and nor does what is not ours."""
    box = scene.mailbox(lambda headers: b"arena@" in headers, processed=processed, dedicated=dedicated)
    assert box.unmark(NOON) == 0
    scene.put(A, B, C)
    mails = box.fetch(10)
    box.mark(mails)
    theirs = mail("theirs", to="mum@example.org")
    scene.put(theirs, minute=5)
    if processed:
        scene.put(theirs, minute=6, folder=processed)
    else:
        with scene.dovecot.session(scene.user) as client:
            client.add_flags([4], [DONE])
    assert box.unmark(NOON + timedelta(minutes=1)) == (3 if dedicated else 2)
    assert [got.raw for got in box.fetch(10)][:2] == [B, C]
    assert [got.arrived for got in box.fetch(10)][:2] == [found.arrived for found in mails[1:]]
    box.mark(box.fetch(10))
    assert box.unmark(NOON + timedelta(days=1)) == 0


@pytest.mark.parametrize("processed", ["Processed", ""])
def test_reading_or_flagging_mail_with_a_client_hides_nothing(scene: Scene, processed: str) -> None:
    """Read, flagged, answered, even marked as deleted: until it has gone, or we are done with it, mail counts."""
    scene.put(A, B, C)
    with scene.dovecot.session(scene.user) as client:
        client.add_flags([1], [b"\\Seen", b"\\Flagged"])
        client.add_flags([2], [b"\\Answered", b"\\Deleted"])
    assert [got.raw for got in scene.mailbox(processed=processed).fetch(10)] == [A, B, C]
    assert b"\\Seen" in scene.dovecot.flags(scene.user)[0]


@pytest.mark.parametrize("processed", ["Processed", ""])
def test_marking_again_or_what_has_gone_is_no_error(scene: Scene, processed: str) -> None:
    """A repeat, also by a mailbox opened anew, and a mail that somebody deleted in between change nothing."""
    scene.put(A, B)
    box = scene.mailbox(processed=processed)
    mails = box.fetch(10)
    scene.expunge(1)
    box.mark(mails)
    box.mark(mails)
    again = scene.mailbox(processed=processed)
    again.fetch(10)
    again.mark(mails)
    assert box.fetch(10) == []
    assert scene.dovecot.raws(scene.user, processed or "INBOX") == [B]


def test_nothing_to_mark_asks_nothing_of_the_server(scene: Scene) -> None:
    """An empty list is no reason to connect."""
    wire = scene.wire()
    scene.mailbox(port=wire.port).mark([])
    assert wire.met == 0


def test_mail_that_a_person_moves_back_comes_again(scene: Scene) -> None:
    """Moving a mail from the folder of processed mail to the inbox asks for it to be read once more."""
    scene.put(A, B)
    box = scene.mailbox()
    box.mark(box.fetch(10))
    assert box.fetch(10) == []
    with scene.dovecot.session(scene.user, "Processed") as client:
        client.move([1], "INBOX")
    [got] = box.fetch(10)
    assert (got.raw, got.arrived) == (A, NOON)
    box.mark([got])
    assert box.fetch(10) == []


@pytest.mark.parametrize(
    "word",
    some(4, [b"* SEARCH", b"OK Search completed", b"INTERNALDATE", b"OK Fetch completed", b"* 1 FETCH (UID 1 BODY"]),
)
@pytest.mark.parametrize("gone", [1, 2])
def test_mail_that_goes_while_we_look_spoils_nothing(scene: Scene, word: bytes, gone: int) -> None:
    """Deleted between search, look and fetch, a mail may come or not; the next fetch has exactly those that are left."""
    scene.put(A, B, C)
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    wire.change = once(word, lambda: scene.expunge(gone))
    left = [B, C] if gone == 1 else [A, C]
    try:
        got = [found.raw for found in box.fetch(2)]
    except MailboxError:
        got = left
    assert got in (left, [A, B])
    assert [found.raw for found in box.fetch(10)] == left


def test_a_mail_that_went_leaves_its_place_to_another(scene: Scene) -> None:
    """Nobody takes a mailbox for drained because the first mails of a batch have just gone."""
    scene.put(A, B, C)
    box = scene.mailbox()
    real = box._bodies
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(box, "_bodies", lambda client, some: (got for got in real(client, some) if got.raw != A))
        assert [got.raw for got in box.fetch(1)] == [B]
        assert [got.raw for got in box.fetch(2)] == [B, C]


def test_new_numbers_for_all_mail_between_fetch_and_mark(scene: Scene) -> None:
    """With another UIDVALIDITY nothing is marked, since it could be another mail; all comes again under a new name."""
    scene.put(A, B)
    box = scene.mailbox()
    mails = box.fetch(10)
    scene.dovecot.doveadm("mailbox", "update", "-u", scene.user, "--uid-validity", "4000000000", "INBOX")
    box.mark(mails)
    again = box.fetch(10)
    assert [got.raw for got in again] == [A, B]
    assert {got.name for got in again}.isdisjoint(got.name for got in mails)
    box.mark(again)
    assert box.fetch(10) == []
    assert scene.dovecot.raws(scene.user, "Processed") == [A, B]


@pytest.mark.parametrize("processed", ["Processed", ""])
def test_a_folder_that_is_made_anew_is_looked_at_anew(scene: Scene, processed: str) -> None:
    """Restored under the same name with the same mail, or other, it hands over all that it holds."""
    with scene.dovecot.session(scene.user) as client:
        client.create_folder("Games")
    scene.put(A, B, folder="Games")
    box = scene.mailbox(folder="Games", processed=processed)
    mails = box.fetch(10)
    box.mark(mails)
    scene.dovecot.doveadm("mailbox", "delete", "-u", scene.user, "Games")
    with pytest.raises(MailboxError, match=r"Games at 127\.0\.0\.1 cannot be opened: .*Correct folder in settings"):
        box.fetch(10)
    scene.dovecot.doveadm("mailbox", "create", "-u", scene.user, "Games")
    scene.put(C, B, folder="Games")
    box.mark(mails)
    assert [got.raw for got in box.fetch(10)] == [C, B]


def test_a_mail_whose_stamp_was_spoilt_is_asked_about_again(scene: Scene) -> None:
    """A mail of which the server told too little is neither handed over nor passed over."""
    scene.put(A, B)
    wire = scene.wire()
    spoilt = [b"32-Nov"]
    wire.change = lambda data: data.replace(b"23-Nov", spoilt.pop(), 1) if spoilt and b"INTERNALDATE" in data else data
    box = scene.mailbox(port=wire.port)
    assert [got.raw for got in box.fetch(10)] == [B]
    assert [got.raw for got in box.fetch(10)] == [A, B]


def test_a_huge_mail_comes_one_byte_too_long(scene: Scene) -> None:
    """A mail up to the limit comes whole; of a larger one just so much that its being larger can be seen."""
    line = b"x" * 70 + b"\r\n"
    whole = (b"Subject: x\r\n\r\n" + line * (LARGEST // 72 + 1))[: LARGEST - 2] + b"\r\n"
    scene.put(whole, whole + line * 500, A)
    got = scene.mailbox().fetch(10)
    assert [len(found.raw) for found in got] == [LARGEST, LARGEST + 1, len(A)]
    assert got[0].raw == whole
    assert got[1].digest == hashlib.sha256(got[1].raw).hexdigest()


def test_a_huge_mail_whose_size_the_server_does_not_know_is_cut_too(scene: Scene) -> None:
    """Some servers tell sizes only roughly; what is handed over is never more than one byte too long."""
    scene.put(b"Subject: x\r\n\r\n" + b"x" * LARGEST * 2)
    wire = scene.wire()
    wire.change = lambda data: re.sub(rb"RFC822.SIZE \d+", b"RFC822.SIZE 99", data)
    [got] = scene.mailbox(port=wire.port).fetch(10)
    assert len(got.raw) == LARGEST + 1


def test_bytes_beyond_ascii_stay_as_they_are(scene: Scene) -> None:
    """Whatever the server keeps, control characters and broken UTF-8 included, is handed over byte for byte."""
    all_bytes = bytes(byte for byte in range(1, 256) if byte not in b"\r\n")
    raw = b"Subject: \xff\xfe\r\n\r\n" + all_bytes + b"\r\n)\r\n* 1 FETCH (BODY[] {3}\r\nabc)\r\nA1 OK\r\n"
    scene.put(raw)
    [got] = scene.mailbox().fetch(1)
    assert got.raw == raw
    assert got.raw == scene.dovecot.raws(scene.user)[0]


def test_an_empty_mail_is_a_mail(scene: Scene) -> None:
    """A mail without body or headers comes with whatever bytes it has."""
    scene.put(b"\r\n", b"Subject: only\r\n")
    assert [got.raw for got in scene.mailbox().fetch(10)] == scene.dovecot.raws(scene.user)


def test_two_thousand_mails_come_in_batches_and_go(scene: Scene) -> None:
    """All come once, in order, whatever the size of the batch; looking is done once, not once a batch."""
    raws = [mail(str(number)) for number in range(2000)]
    scene.dovecot.save(scene.user, [(raw, NOON) for raw in raws])
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    got: list[bytes] = []
    while mails := box.fetch(300):
        got += [found.raw for found in mails]
        box.mark(mails)
    assert got == raws
    assert wire.said.count(b"RFC822.SIZE") == 2000 / room.MANY
    assert len(scene.dovecot.raws(scene.user, "Processed")) == 2000


@pytest.mark.sweep
@pytest.mark.timeout(300)
def test_twenty_thousand_mails_are_begun_with_at_once(scene: Scene) -> None:
    """A queue of weeks is looked at once, its bodies come batch by batch, and it fills no memory."""
    for first in range(0, 20_000, 2_000):
        scene.dovecot.save(scene.user, [(mail(str(number)), NOON) for number in range(first, first + 2_000)])
    wire = scene.wire()
    box = scene.mailbox(lambda headers: True, dedicated=False, port=wire.port)
    tracemalloc.start()
    got = [box.fetch(100)]
    box.mark(got[0])
    got.append(box.fetch(100))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [found.raw for some in got for found in some] == [mail(str(number)) for number in range(200)]
    assert wire.said.count(b"RFC822.SIZE") == 20_000 / room.MANY and wire.said.count(b"SEARCH") == 2
    assert wire.heard.count(b" BODY[] ") == 200
    assert most < 20 << 20, most


@pytest.mark.parametrize("window", [1, 2, 3, 7])
def test_a_long_folder_is_searched_part_by_part(scene: Scene, window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one answer could be too long for the library, several searches find each mail once."""
    monkeypatch.setattr(room, "WINDOW", window)
    scene.put(*(mail(str(number)) for number in range(7)))
    box = scene.mailbox()
    mails = box.fetch(10)
    assert len(mails) == 7
    box.mark(mails[1:6])
    assert box.fetch(10) == [mails[0], mails[6]]
    assert scene.mailbox().fetch(10) == [mails[0], mails[6]]


def test_numbers_with_wide_gaps_take_one_search(scene: Scene) -> None:
    """A server that numbers its mail in the thousands of millions is asked no more than another."""
    scene.put(A)
    scene.dovecot.doveadm("mailbox", "update", "-u", scene.user, "--min-next-uid", "4000000000", "INBOX")
    scene.put(B, minute=1)
    wire = scene.wire()
    assert [got.raw for got in scene.mailbox(port=wire.port).fetch(10)] == [A, B]
    assert wire.said.count(b"SEARCH") == 1
