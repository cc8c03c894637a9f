"""Letters of ours: what goes into their headers comes out of them again, whatever it was made of."""

import email
import email.policy
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

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
