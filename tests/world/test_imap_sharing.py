"""What an account that others use too is promised: of mail that is not ours a few header lines are read, nothing else."""

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.world.imap.mailbox import IsOurs
from tests.imap_scene import NOON, Scene, mail
from tests.servers import Dovecot, running

ARENA = b"arena@example.org"
OURS = [mail("one", to="arena@example.org"), mail("two", to="arena@example.org")]
THEIRS = [mail("secret", to="mum@example.org"), mail("private", to="bank@example.org")]


def ours(headers: bytes) -> bool:
    """Say whether a mail is for the arena."""
    return ARENA in headers


def asking(words: Sequence[bytes]) -> tuple[list[bytes], IsOurs]:
    """Return what finds mail with one of these words to be ours, and the header lines that it is asked about."""
    asked: list[bytes] = []

    def is_ours(headers: bytes) -> bool:
        asked.append(headers)
        return any(word in headers for word in words)

    return asked, is_ours


@pytest.mark.parametrize("processed", ["Processed", ""])
def test_only_our_mail_is_fetched_and_marked(scene: Scene, processed: str) -> None:
    """Mail of others keeps its place and flags, and its body never leaves the server."""
    scene.put(THEIRS[0], OURS[0], THEIRS[1], OURS[1])
    wire = scene.wire()
    box = scene.mailbox(ours, dedicated=False, port=wire.port, processed=processed)
    mails = box.fetch(10)
    assert [got.raw for got in mails] == OURS
    box.mark(mails)
    assert box.fetch(10) == []
    assert all(word + b" it is." not in wire.heard for word in (b"secret", b"private"))
    assert b"one it is." in wire.heard
    left = THEIRS if processed else [THEIRS[0], OURS[0], THEIRS[1], OURS[1]]
    assert scene.dovecot.raws(scene.user) == left
    flags = dict(zip(left, scene.dovecot.flags(scene.user), strict=True))
    assert [flags[raw] for raw in THEIRS] == [set(), set()]


def test_five_header_lines_are_looked_at(scene: Scene) -> None:
    """Whether a mail is ours is decided from where it went and its subject; nothing else of it is asked for."""
    scene.put(
        b"Return-Path: <ada@example.com>\r\nDelivered-To: a@example.org\r\nX-Original-To: b@example.org\r\n"
        b"From: ada@example.com\r\nTo: c@example.org,\r\n d@example.org\r\nCc: e@example.org\r\nX-Secret: yes\r\n"
        b"Subject: hi\r\n\r\nTo: f@example.org\r\n"
    )
    asked, none = asking(())
    assert scene.mailbox(none, dedicated=False).fetch(10) == []
    [headers] = asked
    assert sorted(headers.split(b"\r\n")) == [
        b"",
        b"",
        b" d@example.org",
        b"Cc: e@example.org",
        b"Delivered-To: a@example.org",
        b"Subject: hi",
        b"To: c@example.org,",
        b"X-Original-To: b@example.org",
    ]


def test_a_mail_without_such_lines_is_looked_at_too(scene: Scene) -> None:
    """Without any of them there is nothing to see, and the mail is asked about all the same."""
    scene.put(b"From: ada@example.com\r\n\r\nhi\r\n")
    asked, none = asking(())
    scene.mailbox(none, dedicated=False).fetch(10)
    assert [headers.strip() for headers in asked] == [b""]


@pytest.mark.parametrize("processed", ["Processed", ""])
def test_each_mail_is_looked_at_once(scene: Scene, processed: str) -> None:
    """However often we fetch, and whatever we mark, mail that is known not to be ours is not asked about again."""
    scene.put(*THEIRS, OURS[0], THEIRS[0])
    wire = scene.wire()
    asked, one = asking([ARENA])
    box = scene.mailbox(one, dedicated=False, port=wire.port, processed=processed)
    for _ in range(3):
        box.mark(box.fetch(10))
    for _ in range(3):
        assert box.fetch(10) == []
    assert len(asked) == 4
    scene.put(OURS[1], THEIRS[1], minute=9)
    for _ in range(3):
        box.mark(box.fetch(10))
    scene.expunge(len(scene.dovecot.raws(scene.user)))
    assert box.fetch(10) == []
    assert len(asked) == 6
    assert wire.said.count(b"HEADER.FIELDS") == 2


def test_where_mail_is_moved_a_search_begins_behind_what_is_not_ours(scene: Scene) -> None:
    """An account with years of other mail is not listed at every poll."""
    scene.put(*THEIRS, OURS[0], *THEIRS)
    wire = scene.wire()
    box = scene.mailbox(ours, dedicated=False, port=wire.port)
    for said in (b"UID 1:*", b"UID 3:*"):
        mails = box.fetch(10)
        assert [got.raw for got in mails] == [OURS[0]]
        assert wire.said.split(b"SEARCH")[-1].startswith(b" 1:5 " + said)
    box.mark(mails)
    for said in (b"UID 3:*", b"UID 6:*", b"UID 6:*"):
        assert box.fetch(10) == []
        assert wire.said.split(b"SEARCH")[-1].startswith(b" 1:4 " + said)


def test_a_folder_that_is_made_anew_is_searched_from_its_beginning(scene: Scene) -> None:
    """What was passed over were numbers of the folder before."""
    box = scene.mailbox(ours, dedicated=False, folder="Games")
    for raws, wanted in ((THEIRS, []), ([OURS[0]], [OURS[0]])):
        scene.dovecot.doveadm("mailbox", "create", "-u", scene.user, "Games")
        scene.put(*raws, folder="Games")
        assert [got.raw for got in box.fetch(10)] == wanted
        scene.dovecot.doveadm("mailbox", "delete", "-u", scene.user, "Games")


def test_where_mail_keeps_its_place_taking_the_keyword_off_counts(scene: Scene) -> None:
    """Nothing is passed over there, so a mail comes again, however old it is among the others."""
    scene.put(OURS[0], *THEIRS, OURS[1])
    box = scene.mailbox(ours, dedicated=False, processed="")
    box.mark(box.fetch(10))
    assert box.fetch(10) == []
    with scene.dovecot.session(scene.user) as client:
        client.remove_flags([1], [b"PbemDone"])
    assert [got.raw for got in box.fetch(10)] == [OURS[0]]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Niue"])
def test_nothing_from_before_a_day_is_ours(dovecot: Dovecot, zone: str) -> None:
    """The day is one of UTC, whatever the zone of the server, in which it tells stamps and takes days to begin."""
    with running(Dovecot(zone=zone)) as server, closing(Scene(server)) as scene:
        _see_what_is_ours_of_a_day(scene)


def _see_what_is_ours_of_a_day(scene: Scene) -> None:
    midnight = datetime(2024, 11, 23, tzinfo=UTC)
    seconds = {mail("old"): -777_777, mail("eve"): -1, OURS[0]: 0, OURS[1]: 86_400}
    scene.dovecot.save(scene.user, [(raw, midnight + timedelta(seconds=late)) for raw, late in seconds.items()])
    for dedicated in (True, False):
        box = scene.mailbox(ours, dedicated=dedicated, since=date(2024, 11, 23))
        assert [got.raw for got in box.fetch(10)] == OURS
    assert [got.raw for got in scene.mailbox(since=NOON.date() + timedelta(days=3)).fetch(10)] == []
