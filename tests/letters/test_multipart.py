"""Letters in parts: the text first and whole, the same bytes for the same letter, and replies to either rendering."""

import email
import email.policy
import re
from datetime import UTC, datetime
from email.message import EmailMessage

from hypothesis import example, given
from hypothesis import strategies as st

from pbem.letters import multipart, reading, writing
from pbem.letters.dresses.text import tidy
from pbem.letters.multipart import Attached
from pbem.letters.writing import Outgoing

PICTURE = Attached(name="half-1.png", kind="image/png", data=bytes(range(256)) * 9, shown="Ada & Bo, <both> up")
KEPT = Attached(name="half-1.svg", kind="image/svg+xml", data=b"<svg/>")
ROW = "|12 |            aaaaaa                              |"
texts = st.lists(st.one_of(st.text(max_size=60), st.just(ROW), st.just("~ throw at ____")), max_size=8).map(
    lambda lines: tidy("\n".join(lines))
)
files = st.lists(st.sampled_from([PICTURE, KEPT]), unique=True, max_size=2).map(tuple)


def letter(text: str, attached: tuple[Attached, ...], *, with_html: bool) -> bytes:
    """Compose a letter."""
    return writing.compose(
        Outgoing(
            name="report.17", domain="example.org", sender_name="The Arena: blades", sender="arena@example.org",
            reply_to="arena+blades@example.org", recipient="bo@example.org", subject="[blades] Turn 1",
            body=text, date=datetime(2026, 11, 23, 12, tzinfo=UTC), list_id="blades.example.org",
            with_html=with_html, attached=attached,
        )
    )  # fmt: skip


@given(texts, files, st.booleans())
@example("=_\n--=_ab\nContent-Type: text/plain\n", (PICTURE, KEPT), True)
def test_the_text_comes_back_as_it_was(text: str, attached: tuple[Attached, ...], with_html: bool) -> None:
    """Whatever goes with it; what stands in the parts is what any mail program finds there."""
    raw = letter(text, attached, with_html=with_html)
    assert raw == letter(text, attached, with_html=with_html)
    assert multipart.text_of(raw) == text
    message = email.message_from_bytes(raw, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    assert parts[0].get_content_type() == "text/plain"
    assert sum(part.get_content_type() == "text/html" for part in parts) == with_html
    found = {part.get_filename(): part.get_payload(decode=True) for part in parts if part.get_filename()}
    assert found == {one.name: one.data for one in attached}
    assert not [defect for part in message.walk() for defect in part.defects]
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))


def test_no_text_can_end_its_part() -> None:
    """Who has seen the lines between the parts of a letter, and sends them as press, is quoted whole in the next one."""
    lines = re.findall(rb'boundary="(.*?)"', letter("Hello.\n", (PICTURE, KEPT), with_html=True))
    assert len(lines) == 3
    text = "".join(f"--{line.decode()}\nContent-Type: text/plain\n--{line.decode()}--\n" for line in lines)
    assert multipart.text_of(letter(text, (PICTURE, KEPT), with_html=True)) == text


def test_a_text_alone_is_no_part_of_anything() -> None:
    """The letters of games without pictures are what they were."""
    raw = letter("Hello.\n", (), with_html=False)
    assert raw.endswith(
        b'Content-Type: text/plain; charset="utf-8"\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHello.\r\n'
    )


def test_html_shows_the_picture_and_wraps_no_map() -> None:
    """A row of the map stands in a block that keeps its lines; the picture is named by its Content-ID, with words."""
    page = multipart.page_of(f"Turn 1\n\n{ROW}\n{ROW}\n\nBo <b> & Ada\n", "report.17", "example.org", [PICTURE])
    assert page.index("cid:half-1.png.report.17@example.org") < page.index(ROW)
    assert 'alt="Ada &amp; Bo, &lt;both&gt; up"' in page
    assert f'white-space:pre;line-height:1.15">\n{ROW}\n{ROW}</pre>' in page
    assert "Bo &lt;b&gt; &amp; Ada" in page


@given(texts)
def test_a_reply_that_quotes_the_html_is_told_from_what_is_new(text: str) -> None:
    """The new line alone is read, where a mail program quotes the page and sends no text of its own."""
    said = f"Turn 1 of blades\n\n{ROW}\n{text}"
    page = multipart.page_of(said, "report.17", "example.org", [PICTURE])
    reply = EmailMessage()
    reply["From"], reply["Subject"] = "bo@example.org", "Re: [blades] Turn 1"
    reply.set_content(f"<div>throw at Ada</div><br><blockquote>{page}</blockquote>", subtype="html")
    newly = reading.newly(reading.read(reply.as_bytes()), [said])
    assert [line.text for line in newly if line.text.strip()] == ["throw at Ada"]
