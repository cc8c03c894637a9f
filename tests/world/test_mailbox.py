"""What a Maildir promises as a mailbox: it is looked at in order of arrival, and changed by marking alone."""

import hashlib
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import MailboxError
from pbem.world.mailbox import LARGEST, MaildirMailbox

NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    """An empty Maildir."""
    for part in ("tmp", "new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    return tmp_path / "box"


def put(maildir: Path, file: str, raw: bytes = b"x", minute: int = 0) -> None:
    """Put a file into a Maildir that arrived so many minutes past noon."""
    path = maildir / file
    path.write_bytes(raw)
    stamp = (NOON + timedelta(minutes=minute) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    os.utime(path, ns=(0, stamp * 1000))


def listing(maildir: Path) -> list[str]:
    """List the files of a Maildir."""
    return sorted(str(path.relative_to(maildir)) for path in maildir.rglob("*") if not path.is_dir())


def test_a_mail_has_its_bytes_digest_name_and_arrival(maildir: Path) -> None:
    """The stamp is the file's time to the microsecond, in UTC; the bytes are as they lie there."""
    put(maildir, "new/1.M1.host", b"a\r\nb\0\xff")
    [mail] = MaildirMailbox(maildir).fetch(10)
    assert (mail.name, mail.raw, mail.arrived) == ("1.M1.host", b"a\r\nb\0\xff", NOON)
    assert mail.arrived.tzinfo is UTC
    assert mail.digest == hashlib.sha256(mail.raw).hexdigest()


def test_mails_come_in_order_of_arrival_then_name(maildir: Path) -> None:
    """Neither the name nor the folder decides who is first, unless the stamps are equal."""
    put(maildir, "new/a", minute=3)
    put(maildir, "new/d", minute=1)
    put(maildir, "cur/c:2,", minute=2)
    put(maildir, "new/b:2,S", minute=1)
    box = MaildirMailbox(maildir)
    assert [mail.name for mail in box.fetch(10)] == ["b", "d", "c", "a"]
    assert [mail.name for mail in box.fetch(2)] == ["b", "d"]


def test_fetching_changes_nothing(maildir: Path) -> None:
    """A mail that is looked at stays where it is, and comes again."""
    put(maildir, "new/a")
    box = MaildirMailbox(maildir)
    assert box.fetch(10) == box.fetch(10) != []
    assert listing(maildir) == ["new/a"]


def test_marking_moves_to_cur_with_the_flag_for_seen(maildir: Path) -> None:
    """What is marked comes no more, is not deleted, and keeps its bytes, time and other flags."""
    put(maildir, "new/a", b"one")
    put(maildir, "new/b:2,", b"two")
    put(maildir, "cur/c:2,RF", b"three")
    put(maildir, "new/d", b"four", minute=1)
    box = MaildirMailbox(maildir)
    mails = box.fetch(10)
    box.mark(mails[:3])
    assert listing(maildir) == ["cur/a:2,S", "cur/b:2,S", "cur/c:2,FRS", "new/d"]
    assert [mail.name for mail in box.fetch(10)] == ["d"]
    assert (maildir / "cur/a:2,S").read_bytes() == b"one"
    assert (maildir / "cur/a:2,S").stat().st_mtime_ns // 1000 % 1_000_000 == NOON.microsecond


def test_marking_again_or_what_has_gone_is_no_error(maildir: Path) -> None:
    """A repeat, a mail that somebody deleted, and one that a mail client moved meanwhile all end marked."""
    for name in ("a", "b", "c"):
        put(maildir, f"new/{name}")
    box = MaildirMailbox(maildir)
    mails = box.fetch(10)
    (maildir / "new/b").unlink()
    (maildir / "new/c").rename(maildir / "cur/c:2,")
    box.mark(mails)
    box.mark(mails)
    assert listing(maildir) == ["cur/a:2,S", "cur/c:2,S"]
    assert box.fetch(10) == []


def test_what_a_person_marks_as_unread_comes_again(maildir: Path) -> None:
    """Taking the flag S away in a mail client hands the mail over once more, under its old name and time."""
    put(maildir, "new/a")
    box = MaildirMailbox(maildir)
    mails = box.fetch(10)
    box.mark(mails)
    (maildir / "cur/a:2,S").rename(maildir / "cur/a:2,")
    assert box.fetch(10) == mails


def test_only_plain_visible_files_are_mails(maildir: Path, tmp_path: Path) -> None:
    """Unfinished deliveries, hidden files, folders, pipes and links are no mail."""
    put(maildir, "tmp/half")
    put(maildir, "new/.hidden")
    (maildir / "new/folder").mkdir()
    os.mkfifo(maildir / "new/pipe")
    (tmp_path / "secret").write_bytes(b"theirs")
    (maildir / "new/link").symlink_to(tmp_path / "secret")
    assert MaildirMailbox(maildir).fetch(10) == []


def test_a_huge_mail_is_handed_over_one_byte_too_long(maildir: Path) -> None:
    """A mail up to the limit comes whole; of a larger one just so much that its being larger can be seen."""
    put(maildir, "new/a", b"x" * LARGEST)
    put(maildir, "new/b", b"x" * (LARGEST + 5000))
    whole, cut = MaildirMailbox(maildir).fetch(10)
    assert (len(whole.raw), len(cut.raw)) == (LARGEST, LARGEST + 1)
    assert cut.digest == hashlib.sha256(cut.raw).hexdigest()


def test_a_mail_that_moves_while_we_look_is_found_where_it_went(maildir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that goes between listing and reading is no reason to say that the mailbox is empty."""
    put(maildir, "new/a")
    put(maildir, "new/b")
    real = sorted

    def sort_then_move(found: list[object]) -> list[object]:
        result = real(found)  # type: ignore[type-var]
        if (maildir / "new/a").exists():
            (maildir / "new/a").rename(maildir / "cur/a:2,")
        return result

    box = MaildirMailbox(maildir)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.world.mailbox.sorted", sort_then_move, raising=False)
        assert [mail.name for mail in box.fetch(10)] == ["a", "b"]
    assert [mail.name for mail in box.fetch(10)] == ["a", "b"]


def test_a_folder_that_is_no_maildir_is_told(tmp_path: Path) -> None:
    """A wrong path in the settings gives a sentence that names it."""
    with pytest.raises(MailboxError, match=r"nowhere is no Maildir: it lacks new or cur"):
        MaildirMailbox(tmp_path / "nowhere").fetch(1)
    (tmp_path / "new").write_bytes(b"")
    with pytest.raises(MailboxError, match="Put a plain folder there"):
        MaildirMailbox(tmp_path).fetch(1)


def test_unmarking_brings_mail_of_a_time_back_and_leaves_the_rest(maildir: Path) -> None:
    """After an older backup was put back, what came since is looked at again; other flags stay."""
    for minute, name in enumerate("abc"):
        put(maildir, f"new/{name}", minute=minute)
    box = MaildirMailbox(maildir)
    box.mark(box.fetch(10))
    (maildir / "cur/c:2,S").rename(maildir / "cur/c:2,FS")
    assert box.unmark(NOON + timedelta(minutes=1)) == 2
    assert listing(maildir) == ["cur/a:2,S", "cur/b:2,", "cur/c:2,F"]
    assert [mail.name for mail in box.fetch(10)] == ["b", "c"]
    assert box.unmark(NOON) == 1 and box.unmark(NOON) == 0
