"""Law: whatever a mail says of its charset, and whatever is broken in it, a line of plain ASCII stays a line."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.letters import charsets
from tests.depth import some

NAMES = sorted(charsets._CODECS)
STRANGE = ["utf-7", "hz", "iso-2022-cn", "utf-32", "johab", "x-user-defined", "unknown-8bit", "rot13", "base64", "idna", "",
           "utf-16", "utf-16le", "ucs-2", "unicode", "ebcdic-cp-us"]  # fmt: skip
ORDERS = ["attack Bo 20", "~ defend 30", "wait"]


@pytest.mark.parametrize("name", NAMES)
def test_every_charset_that_we_allow_has_its_codec(name: str) -> None:
    """Each name leads to a codec of Python's, and ASCII comes through it."""
    text = "\n".join(ORDERS)
    assert charsets.decoded(text.encode(), name) == text
    assert charsets.decoded(text.encode(), name.upper().replace("-", "_")) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("windows-874", "โจมตี 20"), ("iso-8859-8-i", "התקפה 20"), ("windows-1255", "התקפה 20"), ("cp866", "атака 20"),
        ("koi8-u", "захист 20"), ("iso-8859-9", "saldırı 20"), ("windows-1253", "επίθεση 20"), ("iso-2022-kr", "공격 20"),
        ("iso-2022-jp", "攻撃 20"), ("big5-hkscs", "攻擊 20"), ("x-mac-roman", "défense 20"), ("windows-1257", "rünnak 20"),
        ("cp852", "útok 20"), ("iso-8859-16", "atacă 20"), ("ks_c_5601-1987", "공격 20"), ("gb_2312-80", "攻击 20"),
    ],
)  # fmt: skip
def test_a_line_is_what_it_was(name: str, text: str) -> None:
    """Each line, whatever stands above it."""
    codec = charsets._CODECS[name.replace("_", "-")]
    body = f"{text}\n{ORDERS[0]}\n{text}"
    assert charsets.decoded(body.encode(codec), name) == body


@given(st.sampled_from([*NAMES, *STRANGE]), st.lists(st.binary(max_size=6), min_size=4, max_size=4))
@example("iso-2022-jp", [b"\x1b$B$3$s", b"\x1b$B", b"", b""])
@example("iso-2022-kr", [b"\x0e", b"\x1b$)C\x0e", b"", b""])
@example("gb18030", [b"\x81", b"\x81\x30\x81", b"\xff", b""])
@example("utf-16", [b"a", b"b", b"", b""])
def test_no_broken_byte_swallows_the_line_below(name: str, junk: list[bytes]) -> None:
    """Between lines of any bytes whatever, lines of ASCII stay whole."""
    broken = [piece.replace(b"\n", b"").replace(b"\0", b"") for piece in junk]
    if broken[0][:2] in (b"\xff\xfe", b"\xfe\xff"):
        broken[0] = b""  # that is a mark which says how to read all
    lines = [broken[0], ORDERS[0].encode(), broken[1], ORDERS[1].encode(), broken[2] + b"\x1b$B", ORDERS[2].encode()]
    read = charsets.decoded(b"\n".join(lines), name).split("\n")
    assert [line for line in read if line in ORDERS] == ORDERS


@pytest.mark.parametrize("name", some(4, [name for name in NAMES if charsets._CODECS[name] != "utf-8"]))
@pytest.mark.parametrize(
    "text", ["好的，这是我的命令：", "“Voilà” — here they are…", "Να οι εντολές μου:", "よろしくお願いします。"]
)
def test_utf8_is_read_whatever_its_label_says(name: str, text: str) -> None:
    """And the lines of orders below it stay whole."""
    body = f"{text}\n\n{ORDERS[0]}\n{text}"
    assert charsets.decoded(body.encode(), name) == body


def test_few_odd_signs_are_read_as_the_label_says() -> None:
    """A word or two of Chinese or Russian can be UTF-8 by chance; in Western text each character would be two signs."""
    for name, text in (("gb2312", "隆垄"), ("cp866", "раб 20"), ("windows-874", "เขต")):
        data = text.encode(charsets._CODECS[name])
        assert data.decode() and charsets.decoded(data, name) == text
    assert charsets.decoded("défend 20".encode(), "iso-8859-1") == "défend 20"
    assert charsets.decoded("défend 20".encode("cp1252"), "utf-8") == "défend 20"
