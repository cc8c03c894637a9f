"""Decodes bytes, with a list of the charsets that we allow, so that no stranger picks a codec; knows no mail."""

import re

_CODECS = {
    "ascii": "utf-8", "us-ascii": "utf-8", "utf-8": "utf-8", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
    "latin-1": "cp1252", "latin1": "cp1252", "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "cp1252": "cp1252",
    "gb2312": "gb18030", "gbk": "gb18030", "gb18030": "gb18030", "cp936": "gb18030", "x-gbk": "gb18030",
    "big5": "big5hkscs", "big5-hkscs": "big5hkscs", "cp950": "big5hkscs",
    "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "cp932": "cp932", "windows-31j": "cp932",
    "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp_ext", "iso-2022-kr": "iso2022_kr",
    "euc-kr": "cp949", "ks-c-5601-1987": "cp949", "cp949": "cp949",
    "koi8-r": "koi8_r", "koi8-u": "koi8_u", "macintosh": "mac_roman", "x-mac-roman": "mac_roman",
    "tis-620": "cp874", "windows-874": "cp874", "cp874": "cp874",
    "iso-8859-8-i": "iso8859_8", "iso-8859-6-i": "iso8859_6", "windows-31j-ms": "cp932", "ms-kanji": "cp932",
    "ks-c-5601": "cp949", "ksc5601": "cp949", "uhc": "cp949", "gb-2312-80": "gb18030", "big5-eten": "big5hkscs",
    "ibm850": "cp850", "cp850": "cp850", "ibm852": "cp852", "cp852": "cp852", "ibm866": "cp866", "cp866": "cp866",
    "ibm437": "cp437", "cp437": "cp437", "ibm1252": "cp1252", "x-windows-949": "cp949", "x-euc-jp": "euc_jp",
    **{f"iso-8859-{n}": f"iso8859_{n}" for n in (*range(2, 12), *range(13, 17))},
    **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
    **{f"cp{n}": f"cp{n}" for n in range(1250, 1259)},
}  # fmt: skip
_STATEFUL = {"iso2022_jp_ext": b"", "iso2022_kr": b"\x1b$)C"}
"""Codecs with shifts, and what opens a text; each line is read by itself, so that no broken shift swallows others."""

_KANJI = (b"\x1b$B", b"\x1b$@")
"""The shifts of ISO-2022-JP to signs of two bytes, of JIS X 0208 and of the standard before it."""

FEW = {"cp1252": 1, "iso2022_jp_ext": 1, "iso2022_kr": 1}
MANY = 4
"""
How many characters beyond ASCII, all of them whole in UTF-8, tell that a label of another charset is wrong.

In Western text one is enough, since there each would be two or three odd signs; a word or two of Chinese or Thai can
be UTF-8 by chance.
"""


def decoded(data: bytes, charset: str) -> str:
    """
    Decode bytes; a charset that we do not know is taken for UTF-8, else cp1252.

    Latin-1 is read as cp1252, as every browser does, because that is what senders mean.
    """
    name = charset.lower().replace("_", "-")
    codec = _CODECS.get(name)
    if codec not in (None, "utf-8") and _is_utf8(data, FEW.get(codec or "", MANY)):
        return data.decode()
    if name.startswith(("utf-16", "ucs-2", "utf16")):
        codec = _utf16(data, name)
    elif codec in _STATEFUL:
        return "\n".join(_shifted(_STATEFUL[codec] + line, codec) for line in data.split(b"\n"))
    try:
        return data.decode(codec or "utf-8")
    except UnicodeError:
        if codec == "utf-8" and data.decode("utf-8", "ignore").isascii():
            return data.decode("cp1252", "replace")  # nothing in it is UTF-8
        # Known multi-byte text with one broken byte stays readable; anything else is some Western code page.
        multibyte = codec is not None and name not in ("ascii", "us-ascii")
        return data.decode(codec if codec and multibyte else "cp1252", "replace")


def _shifted(line: bytes, codec: str) -> str:
    """Decode a line with shifts; what vendors put where JIS leaves room, such as circled digits, as they have it."""
    try:
        return line.decode(codec)
    except UnicodeError:
        if codec != "iso2022_jp_ext":
            return line.decode(codec, "replace")
    return "".join(map(_run, re.split(rb"(?=\x1b)", line)))


def _run(run: bytes) -> str:
    """Decode what stands behind one shift of ISO-2022-JP."""
    if not run.startswith(_KANJI):
        return run.decode("iso2022_jp_ext", "replace")
    return "".join(_sign(run[at : at + 2]) for at in range(len(_KANJI[0]), len(run), 2))


def _sign(pair: bytes) -> str:
    """Decode two bytes by JIS X 0208, else by the table of cp932, which puts the same rows elsewhere."""
    try:
        return (_KANJI[0] + pair).decode("iso2022_jp_ext")
    except UnicodeError:
        row, cell = pair if len(pair) == 2 else (0, 0)
    if not (0x21 <= row <= 0x7E and 0x21 <= cell <= 0x7E):
        return "\ufffd"
    high = (row - 0x21) // 2 + (0x81 if row < 0x5F else 0xC1)
    low = cell + ((0x1F if cell < 0x60 else 0x20) if row % 2 else 0x7E)
    try:
        return bytes((high, low)).decode("cp932")
    except UnicodeError:
        return "\ufffd"


def _is_utf8(data: bytes, least: int) -> bool:
    """Say whether bytes are UTF-8, with so many characters in it that text of another charset is not, by chance."""
    if data.isascii():
        return False
    try:
        text = data.decode()
    except UnicodeError:
        return False
    return sum(not letter.isascii() for letter in text) >= least


def _utf16(data: bytes, name: str) -> str | None:
    if b"\0" not in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff") and b"\n" in data:
        return None  # it is no such thing, whatever it says
    if name in ("utf-16le", "utf-16be"):
        return name
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    even_zeros, odd_zeros = data[0::2].count(0), data[1::2].count(0)
    return "utf-16be" if even_zeros > odd_zeros else "utf-16le"
