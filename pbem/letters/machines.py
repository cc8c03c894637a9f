"""
Which mail is a person's: tells people, bounces, automatic mail and lists apart by headers; knows no game.

How it works. Signs that no person's mail can bear decide alone. All others are hints, which a company's server, a
relay or a person may put on a mail: one of them leaves it a person's in doubt, two make it a machine's in doubt, and
with the name of the client that it was written with it stays a person's. What a mail in doubt becomes is for the
caller, who knows whether it orders anything: no machine does, and no order of a person may be lost.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from email.message import Message
from itertools import islice
from typing import Literal, TypeAlias

import msgspec

from pbem.letters import bodies, bounces, robots

Kind: TypeAlias = Literal["human", "bounce", "auto", "list"]
Headers: TypeAlias = Mapping[str, Sequence[str]]
"""The headers of a mail: the name in lower case to its values, unfolded and not yet decoded."""

OURS = "x-pbem-letter"
"""The header that marks a letter of ours: what it is, and a mark that only we can make."""
NULL = "null sender"
MOST_PARTS = 100


class Judged(msgspec.Struct, frozen=True):
    """
    What kind of mail it is, and how we know; "" for a person's.

    Shape: `doubt` are the hints of a machine on a mail that may be either's; "" where nothing is in doubt.
    """

    kind: Kind
    why: str = ""
    doubt: str = ""


HUMAN = Judged("human")


def judge(headers: Headers, subject: str, senders: Sequence[str], message: Message | None = None) -> Judged:
    """
    Say what kind of mail it is.

    Shape: `subject` is decoded, `senders` are the addresses of From in lower case, `message` the mail taken apart.
    Rule: RFC 3834 2 and 5, RFC 3464, RFC 5965, RFC 8098, RFC 2919, RFC 2369, RFC 5546.
    """
    has_client = any(robots.CLIENT.search(_value(headers, name)) for name in robots.CLIENT_NAMED)
    sure = _report(headers, message) or _bounce(headers, senders) or _declared(headers, message)
    if sure:
        return sure
    likely = _bounce_in_words(headers, subject, senders, message, has_client=has_client) or _address(senders)
    if likely:
        return msgspec.structs.replace(likely, doubt=likely.why)
    if not any("@" in value or "=?" in value for value in headers.get("from", ())):
        return Judged("auto", "no address in From")
    if by_list := _list(headers):
        return by_list
    answers = bool({"in-reply-to", "references"} & headers.keys())
    hints = dict(_hints(headers, subject, senders))
    if words := robots.subject(subject, answers=answers):
        hints["words"] = f"Subject: {words}"
    why = ", ".join(hints.values())
    is_reply = answers and bool(robots.REPLY.match(subject))
    found = hints.keys() - {"other subject"}
    is_likely = "words" in found or ("sender" in found and not is_reply) or len(found) >= 2
    if has_client or not is_likely or (is_reply and "sender" not in found):  # a server or a relay put its hints on it
        return Judged("human", doubt=why)
    return Judged("auto", why, why)


def is_machine(address: str) -> bool:
    """Say whether an address is one that machines alone write from."""
    return any(one.match(address) for one in (robots.SENDER, robots.DAEMON, robots.POSTMASTER))


def is_machines_subject(subject: str, *, answers: bool) -> bool:
    """Say whether a subject is a machine's, whatever tags a list has put before it."""
    bare = re.sub(r"^(?:\s*\[[^\]]{0,80}\])+\s*", "", subject[:500])
    is_likely = any(words.match(bare) for words in (robots.AWAY, robots.FAILED, robots.CHALLENGE))
    return is_likely or bool(robots.subject(bare, answers=answers))


def _value(headers: Headers, name: str) -> str:
    value = next(iter(headers.get(name, ())), "")
    return " ".join(bodies.printable(value[:500]).split())


def _report(headers: Headers, message: Message | None) -> Judged | None:
    """A report about a mail says so in its type, and of which kind it is. Rule: RFC 6522."""
    kind = _value(headers, "content-type").lower()
    if not kind.startswith("multipart/report"):
        return None
    parts = _kinds(message)
    if "disposition-notification" in kind or "message/disposition-notification" in parts:
        return Judged("auto", "a receipt that a mail was read")
    if "feedback-report" in kind or "message/feedback-report" in parts:
        return Judged("auto", "a report of abuse")
    if "delivery-status" in kind or not parts or any("delivery-status" in part for part in parts):
        return Judged("bounce", "multipart/report")
    return Judged("auto", "multipart/report")


def _kinds(message: Message | None) -> list[str]:
    """Return the types of the parts on top, where there are any."""
    if message is None or not message.is_multipart():
        return []
    return [part.get_content_type() for part in message.get_payload() if isinstance(part, Message)]


def _bounce(headers: Headers, senders: Sequence[str]) -> Judged | None:
    """A bounce in a form of its own comes from a mail server, which says so."""
    if "x-failed-recipients" in headers:
        return Judged("bounce", "X-Failed-Recipients")
    if any(robots.DAEMON.match(sender) for sender in senders):
        return Judged("bounce", f"from {senders[0]}")
    return None


def _bounce_in_words(
    headers: Headers, subject: str, senders: Sequence[str], message: Message | None, *, has_client: bool
) -> Judged | None:
    """Of other bounces the words and the failed address tell."""
    if has_client or not robots.FAILED.match(subject):
        return None
    is_null = _is_null(headers) or any(robots.POSTMASTER.match(sender) for sender in senders)
    if is_null or (message is not None and bounces.scan(message) != ((), ())):
        return Judged("bounce", f"Subject: {subject}")
    return None


def _declared(headers: Headers, message: Message | None) -> Judged | None:
    """A machine that keeps to the rules says what it is."""
    submitted = _value(headers, "auto-submitted").lower()
    token = re.match(r"[\w-]*", submitted)
    if submitted and token and token[0] not in ("no", "auto-forwarded"):
        return Judged("auto", f"Auto-Submitted: {submitted}")
    if any(_value(headers, name).lower() in ("auto_reply", "auto-reply") for name in ("precedence", "x-precedence")):
        return Judged("auto", "Precedence: auto_reply")
    for name in headers:
        if robots.HEADER.fullmatch(name) and _value(headers, name).lower() not in ("no", "none", "false", "0"):
            return Judged("auto", f"{name}: {_value(headers, name)}")
    if OURS in headers:
        return Judged("auto", "a letter of an arena")
    if _is_calendar_reply(headers, message):
        return Judged("auto", "a calendar's answer")
    return None


def _is_calendar_reply(headers: Headers, message: Message | None) -> bool:
    """Say whether a calendar answers to an invitation; what a person sends out is a request. Rule: RFC 5546 3.2.3."""
    parts = islice(message.walk(), MOST_PARTS) if message is not None else ()
    kinds = [_value(headers, "content-type"), *(str(part.get("Content-Type", ""))[:500] for part in parts)]
    return any(robots.CALENDAR.match(kind) for kind in kinds)


def _address(senders: Sequence[str]) -> Judged | None:
    for sender in senders:
        if robots.SENDER.match(sender):
            return Judged("auto", f"from {sender}")
    return None


def _list(headers: Headers) -> Judged | None:
    for name in ("list-id", "list-post", "x-beenthere", "x-mailing-list", "mailing-list", "x-mailman-version"):
        if name in headers:
            return Judged("list", f"{name}: {_value(headers, name)}")
    return Judged("list", "Precedence: list") if _value(headers, "precedence").lower() == "list" else None


def _hints(headers: Headers, subject: str, senders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield signs that machines' mail often has, and a person's may have: where each comes from, and its words."""
    if _is_null(headers):
        yield "sender", NULL
    for hints, whence in ((robots.SERVER, "server"), (robots.RELAY, "relay")):
        for name in hints:
            if name in headers:
                yield whence, f"{name}: {_value(headers, name)}"
    if _value(headers, "precedence").lower() in ("bulk", "junk"):
        yield "server", f"Precedence: {_value(headers, 'precedence')}"
    if any(words.match(subject) for words in (robots.AWAY, robots.FAILED, robots.CHALLENGE)):
        yield "subject", f"Subject: {subject[:80]}"
    elif not robots.is_plain_subject(subject):
        yield "other subject", f"Subject: {subject[:80]}"
    if any(robots.POSTMASTER.match(sender) for sender in senders):
        yield "from", f"from {senders[0]}"


def _is_null(headers: Headers) -> bool:
    return any(value.replace(" ", "") == "<>" for value in headers.get("return-path", ()))
