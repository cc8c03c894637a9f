"""The doctor of a mailing list: posts a letter to it, and says what the list makes of it before a game does."""

import secrets
from collections.abc import Iterator
from datetime import timedelta

from pbem.ground.terms import OutboxError
from pbem.hall.keeping.doctor import Finding, Pause
from pbem.hall.store.arena import Arena, Doors
from pbem.letters import addressing, reading, writing
from pbem.letters.dresses import text
from pbem.letters.reading import Letter

PATIENCE = timedelta(seconds=60)
"""How long a list may take."""
MANY = 1000
"""Among how many waiting mails the copy is looked for."""
ROOM = 60_000
"""Bytes that a list should take: a long report."""
BODY = """\
This is a test, and may be deleted. A game by mail is to
be read on this list; before it begins, the arena looks
whether the list leaves its letters as they are.

Some lists take a line of one word for a command to
them, and hold the letter. These are such words:

help
end

The test ends here.
"""


def look_over(arena: Arena, doors: Doors, mailing_list: str, pause: Pause) -> Iterator[Finding]:
    """
    Post a letter to a list, wait for its copy, and hold one against the other.

    Shape: `pause` waits so many seconds; whoever is on the list reads the letter. Errors: MailboxError.
    """
    mark = secrets.token_hex(8)
    raw = _letter(arena, mailing_list, mark, doors)
    try:
        doors.outbox.send(arena.settings.arena.address, mailing_list, raw)
    except OutboxError as error:
        yield Finding("list", f"{mailing_list} was refused our letter", str(error))
        return
    ours, answers = reading.read(raw), list[str]()
    copy = _wait(doors, ours, mailing_list, answers, pause)
    if copy is None:
        yield _without_copy(arena, mailing_list, answers)
        return
    yield Finding("list", f"{mailing_list} took a letter of {ROOM // 1000} kB and sent us a copy")
    yield from _differences(arena, ours, copy, mailing_list)


def _letter(arena: Arena, mailing_list: str, mark: str, doors: Doors) -> bytes:
    """Write the letter: as large as a long report, by a header that no reader sees."""
    here = arena.settings.arena
    name = addressing.name(arena.secret, "desk", "list", mark)
    raw = writing.compose(
        writing.Outgoing(
            name=name,
            domain=here.address.rpartition("@")[2],
            sender_name=here.name,
            sender=here.address,
            reply_to=here.address,
            recipient=mailing_list,
            subject=f"[doctor {mark}] A test of this list",
            body=BODY,
            date=doors.clock.now(),
            mark=addressing.mark(arena.secret, name),
        )
    )
    room = "\r\n ".join(["x" * 70] * (ROOM // 73))
    return f"X-Pbem-Room: {room}\r\n".encode() + raw


def _wait(doors: Doors, ours: Letter, mailing_list: str, answers: list[str], pause: Pause) -> Letter | None:
    """Return the copy of our letter once it comes; note in `answers` what the list's machines write meanwhile."""
    name, _, host = mailing_list.lower().rpartition("@")
    until = doors.clock.now() + PATIENCE
    seen: set[str] = set()
    while True:
        for mail in doors.mailbox.fetch(MANY):
            if mail.name in seen:
                continue
            seen.add(mail.name)
            letter = reading.read(mail.raw)
            if letter.message_id == ours.message_id:
                doors.mailbox.mark([mail])
                return letter
            if any(one.startswith(name) and one.endswith(f"@{host}") for one in letter.senders):
                answers.append(letter.subject)
        if doors.clock.now() >= until:
            return None
        pause(1)


def _without_copy(arena: Arena, mailing_list: str, answers: list[str]) -> Finding:
    seen = f"no copy of a letter to {mailing_list} came within {int(PATIENCE.total_seconds())} s"
    wrote = f"; the list wrote: {answers[0]}" if answers else ""
    return Finding(
        "list",
        f"{seen}{wrote}",
        f"make {arena.settings.arena.address} a member that may post without approval, letters of any length and with "
        "whatever words, and that gets copies of its own (Mailman: moderation_action accept for this member, "
        "administrivia off, max_message_size 0, receive_own_postings on). Until then its moderator may have the letter",
    )


def _differences(arena: Arena, ours: Letter, copy: Letter, mailing_list: str) -> Iterator[Finding]:
    here = arena.settings.arena.address
    if mailing_list.lower() not in (*copy.lists, *copy.named):
        yield Finding(
            "list name",
            "the copy does not say which list it is of",
            f"let the list put List-Post: <mailto:{mailing_list}> on its mails, or leave To as it is",
        )
    if copy.kind != "list" and not copy.lists:
        yield Finding(
            "list name",
            "the copy does not say that a list sent it, so a mail with the reply address of a letter in it could act",
            "let the list put List-Id or Precedence: list on its mails",
        )
    if here.lower() not in (one.lower() for one in copy.answer_to):
        yield Finding(
            "reply-to",
            f"a reply to a post goes to {', '.join(copy.answer_to) or 'whoever is in From'}, and not to the arena",
            "let the list leave Reply-To as it is (Mailman: reply_goes_to_list no_munging, first_strip_reply_to off)",
        )
    elif len(copy.answer_to) > 1:
        yield Finding(
            "reply-to",
            "a reply to a post goes to the list too, where everybody reads it",
            "let the list leave Reply-To as it is (Mailman: reply_goes_to_list no_munging)",
        )
    yield _text(ours, copy)
    if copy.subject != ours.subject:
        added = text.cut(copy.subject.partition(ours.subject)[0].strip() or copy.subject, 40)
        yield Finding("subject", f"the list adds {added}; that does no harm (Mailman: subject_prefix empty)")
    if here.lower() not in copy.senders:
        yield Finding("from", "the list puts its own address in From (DMARC); it does no harm, and hides who posts")


def _text(ours: Letter, copy: Letter) -> Finding:
    """Hold the text of the copy against that of the letter."""
    sent, came = (" ".join("\n".join(one.body).split()) for one in (ours, copy))
    if came == sent:
        return Finding("text", "it came as it was sent")
    if came.startswith(sent):
        return Finding(
            "text",
            f"the list adds below it: {text.cut(came[len(sent) :].strip(' _-'), 40)}",
            "let the list add no footer (Mailman: an empty template list:member:regular:footer)",
        )
    return Finding("text", "the list changes the words of a letter", "let the list pass text on as it is")
