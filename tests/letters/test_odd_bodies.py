"""Bodies that mail programs, lists and makers of fonts have in ways of their own, and what a person sees in them."""

import pytest

from pbem.letters import bodies
from pbem.letters.charsets import decoded
from pbem.letters.reading import read
from tests.letters.clients import mail, part

MANY = "<p>x</p>" * (bodies.MOST_TAGS // 2 + 1)


def _as_vendors_do(text: str) -> bytes:
    """Encode a text as ISO-2022-JP, signs that it lacks at the place where vendors have them."""
    return b"".join(map(_encoded, text))


def _encoded(sign: str) -> bytes:
    try:
        return sign.encode("iso2022_jp")
    except UnicodeError:
        high, low = sign.encode("cp932")
    row = (high - (0x81 if high < 0xA0 else 0xC1)) * 2 + 0x21
    cell = low - 0x7E if low > 0x9E else low - (0x1F if low < 0x80 else 0x20)
    return b"\x1b$B" + bytes((row + (low > 0x9E), cell)) + b"\x1b(B"


@pytest.mark.parametrize("text", ["①㈱高 end", "絵①ⅠⅩ㍉㌔㈱№℡", "〜ー", "abc ①x 高い"])
def test_the_signs_of_vendors_are_read_where_jis_leaves_room(text: str) -> None:
    """Each pair of bytes is of JIS, or of cp932 moved to the place that ISO-2022-JP has for it."""
    assert decoded(_as_vendors_do(text), "iso-2022-jp") == text


def test_bytes_that_are_no_sign_at_all_lose_nothing_else() -> None:
    """A sign that nobody has, and half a pair, are marked as such."""
    assert decoded(b"a \x1b$B\x29\x21\x39\x62\x39\x1b(B end", "iso-2022-jp") == "a \ufffd高\ufffd end"


@pytest.mark.parametrize("tag", ['<meta charset="windows-1250">', "<meta content='text/html; charset=windows-1250'>"])
def test_html_that_names_its_charset_is_read_by_it(tag: str) -> None:
    """Where the header names none; a header that does is right."""
    html = f"<html><head>{tag}</head><body>kůň</body></html>".encode("cp1250")
    assert read(b"Content-Type: text/html\n\n" + html).body == ("kůň",)
    other = html.replace(b"1250", b"1251")
    assert read(b"Content-Type: text/html; charset=windows-1250\n\n" + other).body == ("kůň",)


def test_html_that_says_it_is_plain_text_is_read_as_html() -> None:
    """If it begins as a page does, and within the same limit of tags; a tag in a line is a person's."""
    assert read(mail(part("<!DOCTYPE html>\n<html><body><div>bid 3</div><p>x</p></body></html>"))).body == (
        "bid 3",
        "x",
    )
    assert read(mail(part("<html> is what I write\n"))).body == ("is what I write",)
    assert read(mail(part("<b>bid 3</b>\n"))).body == ("<b>bid 3</b>",)
    assert read(mail(part(f"<html>{MANY}</html>"))).note == bodies.TOO_MARKED


RULE = "-------------- next part --------------"


@pytest.mark.parametrize(
    "below",
    [
        "",
        "An HTML attachment was scrubbed...\nURL: <https://lists.example.org/x.htm>\n",
        "A non-text attachment was scrubbed...\nName: a.png\nType: image/png\nDesc: not available\nURL: <https://x.y>\n",
    ],
)
def test_what_a_list_program_writes_for_a_part_is_nobodys_word(below: str) -> None:
    """What stands above and below it stays."""
    assert read(mail(part(f"bid 3\n{RULE}\n{below}bid 4\n"))).body == ("bid 3", "bid 4")
    assert read(mail(part(f"bid 3\n{RULE} \nName: x\n"))).body[-1] == "Name: x"


@pytest.mark.parametrize("header", ["Envelope-To", "X-Envelope-To", "Delivered-To"])
def test_where_a_mail_server_noted_that_it_went_is_read(header: str) -> None:
    """It tells the game, and is not what the writer named."""
    letter = read(f"{header}: arena+x@example.org\nTo: undisclosed-recipients:;\n\nbid 3\n".encode())
    assert letter.to == ("arena+x@example.org",) and letter.named == ()
