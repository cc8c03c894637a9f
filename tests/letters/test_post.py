"""Frozen mails of real shape in tests/post, each beside the lines that its writer newly wrote."""

from pathlib import Path

import pytest

from pbem.letters.reading import newly, read

POST = Path(__file__).parent.parent / "post"
MAILS = sorted(POST.glob("*.eml"))


def told(path: Path) -> str:
    """Tell what was read of a mail, in the form of the file beside it."""
    letter = read(path.read_bytes())
    facts = [f"{name}: {value}" for name in ("automatic", "note") if (value := getattr(letter, name))]
    ours = (POST / "letter.txt").read_text(encoding="utf-8")
    lines = [f"{line.number} {line.text}".rstrip() for line in newly(letter, [ours])]
    return "\n".join([*facts, *lines]) + "\n"


@pytest.mark.parametrize("path", MAILS, ids=[path.stem for path in MAILS])
def test_a_mail_is_read_as_written_beside_it(path: Path) -> None:
    """Reading the mail tells what the text file of the same name tells."""
    assert told(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_there_are_mails() -> None:
    """The corpus is where the test looks for it."""
    assert len(MAILS) >= 12
