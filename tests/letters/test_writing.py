"""Letters of ours: what goes into their headers comes out of them again, whatever it was made of."""

import email
import email.policy
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pbem.letters import writing
from pbem.letters.writing import Outgoing, compose

LETTER = Outgoing(
    name="ember-7.receipt.abcdefghijklmnopabcdefgh",
    domain="example.org",
    sender_name="The Arena: ember-7",
    sender="arena@example.org",
    reply_to="arena+ember-7.abcdefghijklmnop@example.org",
    recipient="ada@example.org",
    subject="[ember-7] Round 3",
    body="One line.\n~ defend ____\n",
    date=datetime(2026, 11, 24, 20, 0, tzinfo=UTC),
    list_id="ember-7.example.org",
    mark="abcdefghijklmnop",
    answers="<1@example.net>",
    references=("<ember-7.9.report.ada@example.org>",),
)
NAMES = {"From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "List-Id",
         "Auto-Submitted", "Precedence", "X-Auto-Response-Suppress", "X-Pbem-Letter", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}  # fmt: skip


def test_a_letter_has_the_headers_that_threads_and_robots_look_for() -> None:
    """Message-ID from its identity, the thread, List-Id, Auto-Submitted, and its bytes are the same every time."""
    raw = compose(LETTER)
    assert raw == compose(LETTER)
    read = email.message_from_bytes(raw, policy=email.policy.default)
    assert set(read.keys()) == NAMES
    assert read["Message-ID"] == "<ember-7.receipt.abcdefghijklmnopabcdefgh@example.org>"
    assert read["Auto-Submitted"] == "auto-replied"
    assert read["X-Pbem-Letter"] == "ember-7.receipt.abcdefghijklmnopabcdefgh.abcdefghijklmnop"
    assert read["References"] == "<ember-7.9.report.ada@example.org>"
    assert read.get_content().replace("\r\n", "\n") == LETTER.body


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_makes_a_header_of_its_own(name: str, subject: str) -> None:
    """Line ends and controls in a name or a subject never become headers or body."""
    from msgspec.structs import replace

    name = name.encode("utf-8", "ignore").decode()
    subject = subject.encode("utf-8", "ignore").decode()
    raw = compose(replace(LETTER, sender_name=name, subject=f"[ember-7] {subject}"))
    read = email.message_from_bytes(raw)
    assert set(read.keys()) == NAMES
    assert raw.endswith(b"\r\n\r\nOne line.\r\n~ defend ____\r\n")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_quoted_text_has_its_mark_on_every_line(text: str) -> None:
    """People's free text never begins a line of ours."""
    assert all(line.startswith(":") for line in writing.quoted(text).split("\n"))


@given(st.lists(st.text(alphabet="abcABC.,'-", min_size=1, max_size=12), min_size=1, max_size=40), st.booleans())
def test_a_line_of_somebodys_is_quoted_whole_or_as_far_as_two_lines_go(words: list[str], has_label: bool) -> None:
    """Up to 60 characters nothing is left out; what stands on the second line cannot pass for a line of ours."""
    text = " ".join(words)
    shown = writing.excerpt(text, "line 12" if has_label else "").split("\n")
    assert len(shown) <= 2 and all(len(line) <= writing.WIDTH for line in shown)
    assert all(line.lstrip().startswith(":") for line in (shown[1:] if has_label else shown))
    said = " ".join(line.strip().removeprefix("line 12").lstrip().removeprefix(": ") for line in shown)
    assert said == text or (len(text) > 60 and said.endswith("...") and text.startswith(said[:60]))


def test_figures_are_set_flush_and_rules_at_the_edge() -> None:
    """Bars, padding and citations keep their columns."""
    assert writing.bar(80, 100) == "################...."
    assert writing.bar(1, 100).count("#") == 1
    assert writing.bar(0, 100).count("#") == 0
    assert len(writing.cite("  short", "R8")) == writing.WIDTH
    assert writing.cite("x" * 56, "R8").split("\n")[1] == "[R8]".rjust(56)
    assert writing.cut("attack doctor octopus", 12) == "attack do..."
