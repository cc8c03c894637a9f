"""Which mail is a person's: no person is taken for a machine, and few machines for persons, which are listed."""

from pathlib import Path

import pytest
from flufl.bounce._detectors.dsn import DSN

from pbem.letters import bounces, reading
from pbem.world import log
from tests.depth import some
from tests.letters import machine_mail, people_mail

POST = Path(__file__).parent.parent / "post"
PEOPLE = list(people_mail.people())
BOUNCES = list(machine_mail.bounces())
OTHERS = list(machine_mail.others())

MISTAKEN = {f"{headers}" for headers in machine_mail.UNKNOWABLE}
"""Machines that are taken for persons: nothing but what they say tells them apart."""


def test_no_person_is_taken_for_a_machine() -> None:
    """Of the odd mail of people all is read as such, and they are many."""
    wrong = {name: reading.read(raw).automatic for name, raw in PEOPLE if reading.read(raw).kind != "human"}
    assert not wrong
    assert len({raw for _, raw in PEOPLE}) >= 150
    print(f"{len(PEOPLE)} persons, 0 taken for machines")


def test_few_machines_are_taken_for_persons() -> None:
    """Every machine is known as one but for those that are listed, and it is said how."""
    judged = {name: reading.read(raw) for name, raw in [*OTHERS, *((name, raw) for name, _, raw in BOUNCES)]}
    assert {name for name, letter in judged.items() if letter.kind == "human"} == MISTAKEN
    assert all(letter.automatic for name, letter in judged.items() if name not in MISTAKEN)
    assert len(judged) >= 100
    print(f"{len(judged)} machines, {len(MISTAKEN)} taken for persons: {', '.join(sorted(MISTAKEN))}")


@pytest.mark.parametrize(("name", "is_permanent", "raw"), BOUNCES, ids=[name for name, _, _ in BOUNCES])
def test_a_bounce_says_who_failed(name: str, is_permanent: bool, raw: bytes) -> None:
    """It is known as a bounce, and names the address that failed for good; a delay, or a success, names none."""
    assert reading.read(raw).kind == "bounce"
    assert bounces.read(raw).failed == ((machine_mail.WHO,) if is_permanent else ())


def test_mail_by_a_list_is_known_as_such() -> None:
    """A post of a list is neither a person's own mail nor a robot's; what list software says of itself is a robot's."""
    kinds = {name: reading.read(raw).kind for name, raw in OTHERS}
    assert {name for name, kind in kinds.items() if kind == "list"} == {
        "list post", "list post of mlmmj", "list by precedence", "old list", "newsletter of a list",
    }  # fmt: skip


@pytest.mark.parametrize("path", sorted(POST.glob("*.eml")), ids=lambda path: path.stem)
def test_mail_of_clients_is_a_persons(path: Path) -> None:
    """What common clients send is a person's, but for the vacation robot's among it."""
    assert reading.read(path.read_bytes()).kind == ("auto" if path.stem == "away" else "human")


def test_the_marks_of_letters_are_found_wherever_a_bounce_shows_them() -> None:
    """In a mail within the mail, in headers alone, in plain text; not in the headers of the bounce itself."""
    mark = "X-Pbem-Letter: tide-1.5.opening.ada.abcdefghijklmnop"
    found = (("tide-1.5.opening.ada", "abcdefghijklmnop"),)
    returned = f"{mark}\n{people_mail.RETURNED}"
    whole = machine_mail.report(sender="MAILER-DAEMON@mx.example.net", subject="?", text="gone", returned=returned)
    heads = machine_mail.report(
        sender="MAILER-DAEMON@mx.example.net", subject="?", text="gone", returned=returned, how="text/rfc822-headers"
    )
    text = people_mail.mail(machine_mail.QMAIL.replace(people_mail.RETURNED, returned), From="MAILER-DAEMON@x.example")
    assert bounces.read(whole).marks == bounces.read(heads).marks == bounces.read(text).marks == found
    own = people_mail.mail("gone", X_Pbem_Letter=mark.partition(": ")[2])
    assert not bounces.read(own).marks


def test_what_is_returned_fails_for_nobody() -> None:
    """A bounce inside the mail that comes back was about another mail."""
    inner = machine_mail.report(
        sender="MAILER-DAEMON@mx.example.com", subject="?", text="gone", recipient="ada@example.com"
    )
    outer = machine_mail.report(
        sender="MAILER-DAEMON@mx.example.net", subject="?", text="gone", returned=inner.decode().replace("xx", "yy")
    )
    assert bounces.read(outer).failed == (machine_mail.WHO,)


@pytest.mark.parametrize(
    "line", some(3, ["a" * 300_000, "<" * 300_000, " @" * 150_000, "x@" * 100_000, ",\t" * 100_000])
)
@pytest.mark.parametrize("words", ["Sorry, unable to deliver your message to", "This is the deliver program at"])
def test_no_bounce_costs_time(words: str, line: str) -> None:
    """What the library would search for minutes, so that this test would hang, is cut before it sees it."""
    raw = people_mail.mail(
        f"{words}\n{line}\n" + f"{words}\n" * 5000,
        From="MAILER-DAEMON@mx.example.net",
        Subject="failure notice",
    )
    assert bounces.read(raw).marks == ()
    assert reading.read(raw).kind == "bounce"


def test_a_bounce_that_breaks_the_library_names_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it raises, we go on, and nothing is printed."""

    def broken(self: object, message: object) -> None:
        raise TypeError

    assert log.SILENT
    monkeypatch.setattr(DSN, "process", broken)
    assert bounces.read(BOUNCES[0][2]) == bounces.Bounce()
    assert not caplog.records
