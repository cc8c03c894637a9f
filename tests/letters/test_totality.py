"""Any bytes whatever make a Letter, the same one each time."""

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.letters.reading import newly, read
from tests.depth import some
from tests.letters.clients import CLIENTS, LETTER, composed

HEADERS = ("From", "To", "Subject", "Date", "Message-ID", "References", "Content-Type", "Content-Transfer-Encoding")
SCRAPS = st.sampled_from(
    [
        "multipart/mixed; boundary=x", "multipart/alternative; boundary=x", "message/rfc822", "text/html; charset=utf-16",
        "text/plain; charset=utf-8; format=flowed", "base64", "quoted-printable", "x-uuencode", "=?utf-8?b?4?=",
        "=?x?q?=41?=", "a@b", "((((", "<", ">", '"', "\n--x\n", "\n--x--\n", "\n\n", "> ", "~ ", "| ", "--\n",
        "On 1 Wrote:\n", "From: a\nSent: 10:00\nTo: b\nSubject: c\n", "<div style=display:none>", "<blockquote>", "\u2028",
    ]
)  # fmt: skip


def check(raw: bytes) -> None:
    """Hold a mail to the law."""
    letter = read(raw)
    assert letter == read(raw)
    assert msgspec.json.decode(msgspec.json.encode(letter), type=type(letter)) == letter
    assert all("\n" not in line for line in letter.body)
    assert not letter.body or letter.body[-1].strip()
    assert letter.note or letter.body
    lines = newly(letter, [LETTER])
    assert lines == newly(letter, [LETTER])
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert not lines or (lines[0].text and lines[-1].text)


@given(st.binary(max_size=400))
@example(b"")
@example(b"\n")
@example(b"\r")
@example(b"From: " + b"(" * 3000 + b"\n\n")
@example(b"Subject: =?utf-8?b?\xff?=\n\n\xff")
@example(b"Content-Type: text/html\n\n" + b"<div>" * 3000)
@example(b"Content-Type: multipart/mixed; boundary=x\n\n--x\n" * 90)
@example(b"Content-Type: message/rfc822\n\n" * 2000)
def test_any_bytes_make_a_letter(raw: bytes) -> None:
    """Bytes that are no mail at all make a Letter."""
    check(raw)


@given(st.lists(st.tuples(st.sampled_from(HEADERS), SCRAPS | st.text(max_size=20)), max_size=6), st.lists(SCRAPS))
def test_any_scraps_of_mail_make_a_letter(headers: list[tuple[str, str]], scraps: list[str]) -> None:
    """Headers and scraps in any order make a Letter."""
    head = "".join(f"{name}: {value}\n" for name, value in headers)
    check(f"{head}\n{''.join(scraps)}".encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("client", some(3, ["gmail", "outlook", "iphone", "flowed", "utf-16", "outlook html"]))
@given(data=st.data())
def test_a_damaged_mail_makes_a_letter(client: str, data: st.DataObject) -> None:
    """An ordinary mail with some bytes changed, cut out or doubled makes a Letter."""
    raw = bytearray(CLIENTS[client](composed("top", ["defend 50"])))
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(raw) - 1))
        end = min(len(raw), start + data.draw(st.integers(0, 60)))
        raw[start:end] = data.draw(st.sampled_from([b"", bytes(raw[start:end]) * 2, b"\0", b"\n", b"\xff", b"="]))
        raw = raw or bytearray(b"x")
    check(bytes(raw))
