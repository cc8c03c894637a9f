"""Which text of a mail is read, in which charset, and what is said where there is none."""

import pytest

from pbem.letters.reading import newly, read
from tests.letters.clients import mail, part, parts


def body(content: bytes) -> list[str]:
    """Return the lines of a mail with this content."""
    return list(read(mail(content)).body)


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("utf-8", "défend ✓ 50"),
        ("UTF8", "défend ✓ 50"),
        ("iso-8859-1", "défend 50"),
        ("windows-1252", "“défend” – 50€"),
        ("iso-8859-15", "défend 50€"),
        ("iso-8859-2", "Łódź"),
        ("utf-16", "défend ✓ 50"),
        ("utf-16le", "défend ✓ 50"),
        ("utf-16be", "défend ✓ 50"),
        ("koi8-r", "защита 50"),
        ("windows-1251", "защита 50"),
        ("iso-2022-jp", "防御 50"),
        ("gb18030", "防御 50"),
        ("gb2312", "防御 50"),
        ("big5", "防禦 50"),
        ("shift_jis", "防御 50"),
        ("euc-kr", "방어 50"),
    ],
)
@pytest.mark.parametrize("how", ["base64", "quoted-printable"])
def test_a_charset_is_decoded(charset: str, how: str, text: str) -> None:
    """Each charset that ordinary clients use gives its text."""
    assert body(part(f"{text}\nattack 1\n", charset=charset, how=how)) == [text, "attack 1"]


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("iso-8859-1", b"\x93d\xe9fend\x94 \x80", "“défend” €"),
        ("us-ascii", "défend ✓".encode(), "défend ✓"),
        ("us-ascii", b"d\xe9fend", "défend"),
        ("x-unknown", "défend ✓".encode(), "défend ✓"),
        ("x-unknown", b"d\xe9fend \x81", "défend \ufffd"),
        ("utf-8", b"d\xc3\xa9fend \xc3", "défend \ufffd"),
        ("utf-7", b"+AGE-", "+AGE-"),
        ("unicode_escape", b"\\u0061", "\\u0061"),
        ("utf-16", "defend 50".encode("utf-16-be"), "defend 50"),
    ],
)
def test_a_wrong_label_is_seen_through(label: str, data: bytes, text: str) -> None:
    """Latin-1 means cp1252; an unknown name means UTF-8, else cp1252; no codec is looked up by a stranger's word."""
    content = f"Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: 8bit\n\n".encode()
    assert body(content + data) == [text]


def test_plain_text_goes_before_html() -> None:
    """Of two forms of one text the plain one is read, wherever it stands; an empty one is no text."""
    plain, html = part("defend 50"), part("<p>defend 60</p>", "text/html")
    assert body(parts("multipart/alternative", plain, html)) == ["defend 50"]
    assert body(parts("multipart/alternative", html, plain)) == ["defend 50"]
    assert body(parts("multipart/alternative", part(" \n\n"), html)) == ["defend 60"]


def test_all_texts_of_a_mixture_are_read() -> None:
    """Text before and after a picture is one text; an attached text is none of it."""
    picture = b"Content-Type: image/png\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo="
    attached = b"Content-Disposition: attachment; filename=a.txt\n" + part("attack 1")
    named = b"Content-Disposition: inline; filename=b.txt\n" + part("attack 2")
    forwarded = b"Content-Type: message/rfc822\n\n" + mail(part("attack 3"), crlf=False)
    content = parts("multipart/mixed", part("defend 50"), picture, part("wait\n"), attached, named, forwarded)
    assert body(content) == ["defend 50", "wait"]


def test_flowed_lines_are_joined() -> None:
    """
    Lines that end in a blank go on in the next one of the same depth; stuffing goes, signature dashes stay.

    Rule: RFC 3676 4
    """
    text = "if attacked: \ndefend 40\n >no quote\n From here\n> quoted \n> on\n>> deeper \n> back\n-- \nAda\n"
    flowed = ["if attacked: defend 40", ">no quote", "From here", "> quoted on", ">> deeper ", "> back", "-- ", "Ada"]
    assert body(part(text, more="; format=flowed")) == flowed
    assert body(part("def \nend 50\n", more='; FORMAT="Flowed"; DelSp=yes')) == ["defend 50"]
    assert body(part("if attacked: \ndefend 40\n")) == ["if attacked: ", "defend 40"]


def test_a_text_signed_within_itself_is_unwrapped() -> None:
    """The marks of a clear-signed text go, and its escaped dashes come back."""
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\ndefend 50\n- -- \nAda\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    )
    assert body(part(text)) == ["defend 50", "-- ", "Ada"]


def test_a_carriage_return_alone_ends_no_line() -> None:
    """A quoted line stays one line whatever stands in it, encoded or not."""
    assert body(b"Content-Type: text/plain\n\n> a\rattack 1") == ["> a attack 1"]
    assert body(part("> a\rattack 1", how="base64")) == ["> a attack 1"]
    assert body(part("> a\u2028attack 1\x0cb\x1b[0m")) == ["> a attack 1 b[0m"]
    assert body(part("a\r\nb")) == ["a ", "b"]  # which becomes CR CR LF on the way


@pytest.mark.parametrize(
    ("kinds", "note"),
    [
        (["image/jpeg"], "Your mail held only a picture."),
        (["image/jpeg", "image/png"], "Your mail held only a picture."),
        (["application/pdf", "image/png"], "Your mail held only an attachment."),
        (["application/ms-tnef"], "Your mail held only a winmail.dat, which Outlook alone can read."),
        (
            ["application/pgp-encrypted", "application/octet-stream"],
            "Your mail was encrypted, and we have no key to read it.",
        ),
        (["application/pkcs7-mime"], "Your mail was encrypted, and we have no key to read it."),
        (["text/rtf"], "Your mail held only rich text (RTF), which we cannot read. Send it as plain text."),
        (["text/calendar"], "Your mail held only a calendar entry."),
        (["text/plain"], "Your mail held no text."),
    ],
)
def test_a_mail_without_text_says_why(kinds: list[str], note: str) -> None:
    """Where nothing can be read, the note is a sentence for the answer."""
    children = [f"Content-Type: {kind}\n\n".encode() for kind in kinds]
    read_letter = read(mail(parts("multipart/mixed", *children)))
    assert (read_letter.body, read_letter.note) == ((), note)
    if len(children) == 1:
        assert read(mail(children[0])).note == note


def test_a_mail_with_text_has_no_note() -> None:
    """A picture beside the text is nothing to speak of."""
    assert read(mail(parts("multipart/mixed", part("wait"), b"Content-Type: image/png\n\n"))).note == ""


def test_a_text_wrapped_up_by_its_signature_says_so() -> None:
    """S/MIME can sign in a way that nobody reads without taking the signature apart."""
    content = b"Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\n\nAA=="
    assert "signed in a way that wraps up its text" in read(mail(content)).note


def test_what_is_encrypted_within_a_text_is_no_order() -> None:
    """It is taken out; where nothing else is left, the note says why."""
    armour = "-----BEGIN PGP MESSAGE-----\n\nattack Bo 20\n-----END PGP MESSAGE-----\n"
    assert read(mail(part(armour))).note == "Your mail was encrypted, and we have no key to read it."
    assert body(part(f"wait\n{armour}defend 50\n")) == ["wait", "", "defend 50"]


def test_a_stroke_is_seen_beside_plain_text() -> None:
    """Plain text does not show it, so that the HTML beside it is read."""
    plain, html = (
        part("attack Bo 20\ndefend 30\n"),
        part("<div><s>attack Bo 20</s></div><div>defend 30</div>", "text/html"),
    )
    letter = read(mail(parts("multipart/alternative", plain, html)))
    assert [line.text for line in newly(letter, ())] == ["defend 30"] and not letter.note
    empty = part("<s></s>", "text/html")
    assert body(parts("multipart/alternative", plain, empty)) == ["attack Bo 20", "defend 30"]


NAMED = b"Content-Type: text/plain\nContent-Disposition: inline; filename=orders.txt\n\ndefend 30\n"


def test_text_that_is_shown_with_a_name_is_read_where_there_is_no_other() -> None:
    """By itself, and in a mixture; beside other text it is a file."""
    assert body(NAMED) == ["defend 30"] == body(parts("multipart/mixed", NAMED))
    assert body(parts("multipart/mixed", part("wait\n"), NAMED)) == ["wait"]


@pytest.mark.parametrize(
    ("content", "lines", "note"),
    [
        (b"Content-Type: multipart/mixed; boundary=x\n\ndefend 30\n", ["defend 30"], ""),
        (b"Content-Type: multipart/mixed\n\ndefend 30\n", ["defend 30"], ""),
        (b"Content-Type: multipart/mixed\n\n--x\nContent-Type: text/plain\n\ndefend 30\n--x--\n", [], "parts"),
        (b"Content-Type: multipart/mixed; boundary=y\n\n--x\n\ndefend 30\n--x--\n", [], "parts"),
        (b"Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nwait\n", [], "an attachment"),
        (b"Content-Type: text/plain\nContent-Disposition: inline; filename=a.txt\n\n\n", [], "no text"),
        (b"Content-Type: multipart/mixed; boundary=x\n\n\n", [], "no text"),
    ],
)
def test_the_note_says_truly_why_there_is_no_text(content: bytes, lines: list[str], note: str) -> None:
    """Parts that cannot be told apart are no attachment, and a file with text is no lack of text."""
    letter = read(mail(content))
    assert [*letter.body] == lines and note in letter.note and bool(note) == bool(letter.note)
