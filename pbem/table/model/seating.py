"""Taking a seat: which names are allowed, and what seat a name makes; knows no mail."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Person, Seat
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.speech import amounts, for_moderator, naming
from pbem.table.model import calendar, coming
from pbem.table.model.table import Table

RESERVED = frozenset(
    ("all", "all-players", "any", "everyone", "everybody", "nobody", "me", "public", "team", "my-team", "teammates")
    + (
        "private",
        "cancel-my-words",
        "keep-it-back",
        "don-t-send-it",
        "do-not-send-it",
        "status",
        "form",
        "cancel",
        "back",
        "go-back",
        "ready",
        "wait",
        "preview",
        "forecast",
        "confirm",
        "end",
        "begin",
        "pause",
        "resume",
        "hold",
    )
    + ("arena", "the-arena")
    + ("undo", "rulings", "yes", "ok", "okay", "yep", "no")
    + ("draft", "just-a-draft", "not-yet", "not-final", "not-done-yet", "hold-on", "hang-on")
)
"""Names that would be mistaken for somebody else, or for what people write to us."""
_REQUESTS = frozenset(
    ("join", "help", "rules", "history", "resend", "archive", "zone", "mail", "publish", "forum", "standing")
    + ("address", "for", "press", "note", "send", "what")
)
"""Words that begin lines to us, so no name may begin with one."""

_JOIN = re.compile(
    r"^join\b\s*(?P<game>[a-z0-9][a-z0-9-]{0,31}(?![a-z0-9-]))?(?:\s*\bas\s+(?P<name>.+?))?\s*$", re.IGNORECASE
)
UNNAMED = Unread("unreadable", "Your mail did not say by which name you want to be known.")
LONGEST_SHOWN = 100
_ZONE = re.compile(r"zone\b\s*:?\s*(.+)$", re.IGNORECASE)
_CONFIRM = re.compile(r"confirm\b", re.IGNORECASE)
_PRESS = re.compile(r"^press\s+", re.IGNORECASE)


def wish(new_lines: Sequence[OrderLine]) -> tuple[str, str] | None:
    """
    Find `join GAME as NAME` in what a person wrote; game and name may be "" where they were left out.

    Shape: the name is without kind words behind it, and in quotation marks where some that are meant end it. A line
    that asks, or that another one corrects, says none.
    """
    for place, line in enumerate(new_lines):
        text = phrases.clean(phrases.without_comment(line.text)).rstrip(".!")
        match = _JOIN.match(text)
        if match:
            if text.endswith("?") or coming.is_corrected(new_lines[place:]):
                return "", ""
            game, said = (match["game"] or "").lower(), naming.without_kind_words((match["name"] or "").strip())
            name = f'"{spelled(said)}"' if naming.is_meant(said) else spelled(said)
            return ("", name) if game == "as" else (game, name)
    return None


def called(new_lines: Sequence[OrderLine], own: str) -> str:
    """Find the name by which somebody who was invited, and is called `own`, wants to be known; "" if not clear."""
    return spelled(coming.called(new_lines, own))


def seat_for(table: Table, person: Person, name: str) -> Seat | Unread:
    """
    Return the seat that a name makes: small ASCII letters, figures and dashes.

    Errors: `Unread` saying what would work, where the game is full or under way, the person is seated
    already, or the name is missing, too long, taken or none that all clients can show.
    """
    because = shut(table, person)
    return Unread("illegal", because) if because else _named(table, name)


def why_anothers(name: str, others: Mapping[str, str]) -> str:
    """Say why nobody may take a name, or "": at a glance it is one of the others, each with whose that is."""
    seen = _at_a_glance(name)
    whose = next((whose for other, whose in others.items() if other and _at_a_glance(other) == seen), "")
    return f"{name} is the name of {whose}. Choose another name." if whose else ""


def _at_a_glance(name: str) -> str:
    return phrases.glance(spelled(name)).removeprefix("the")


def seat_of(table: Table, person: Person) -> Seat | None:
    """Return the seat of a person, None where they have none."""
    return next((seat for seat, seated in table.seats.items() if seated.person == person), None)


def renamed(table: Table, seat: Seat, name: str) -> Seat | Unread:
    """Return the seat of somebody who wants another name before the game begins. Errors: as for `seat_for`."""
    mine = table.seats[seat]
    if spelled(name) == mine.name:
        return Unread("illegal", "That is your name already.")
    others = {other: seated for other, seated in table.seats.items() if other != seat}
    found = _named(msgspec.structs.replace(table, seats=others), name)
    return found if isinstance(found, Unread) else seat


def shut(table: Table, person: Person) -> str:
    """
    Say why a person can take no seat, under whatever name, or "".

    A seat for each who was invited is kept free for them; only what is left over is open to others.
    """
    game, seats = table.charter.game, table.charter.seats
    if table.status != "sign-up":
        return f"{game} began with {len(table.seats)} of {seats} seats taken; nobody can join it any more."
    mine = next((seated for seated in table.seats.values() if seated.person == person), None)
    if mine:
        return f"You have a seat already, as {mine.name}."
    if person and person == table.deputy:
        return f"You stand in for the moderator of {game}, so you cannot play in it too."
    if was_unseated(table, person):
        return f"The moderator of {game} has taken your seat away. Ask them to invite you again."
    if person in table.uninvited:
        return f"The moderator of {game} has taken your invitation back."
    if len(table.seats) >= seats:
        return f"All {seats} seats of {game} are taken."
    if person in table.invited or open_seats(table):
        return ""
    return f"{game} is for invited players. If you know who moderates it, ask them to invite you to their next game."


def example(table: Table) -> str:
    """Return a name that somebody could have, of those that the ruleset suggests; `NAME` where none of them is free."""
    return next((name for name in table.ruleset.called if not isinstance(_named(table, name), Unread)), "NAME")


def open_seats(table: Table) -> int:
    """Return how many seats are free for people who were not invited."""
    if table.status != "sign-up":
        return 0
    others = sum(seated.person not in table.invited for seated in table.seats.values())
    return max(0, table.charter.seats - len(set(table.invited)) - others)


def absent(table: Table) -> tuple[Person, ...]:
    """Return who was invited and has no seat."""
    seated = {one.person for one in table.seats.values()}
    return tuple(person for person in dict.fromkeys(table.invited) if person not in seated)


def was_unseated(table: Table, person: Person) -> bool:
    """Say whether a seat of somebody's was taken away, and they were not invited again."""
    return person not in table.invited and any(person in past for past in table.past.values())


def invite(table: Table, person: Person) -> Table:
    """Keep a seat for a person."""
    uninvited = tuple(one for one in table.uninvited if one != person)
    return msgspec.structs.replace(table, invited=(*table.invited, person), uninvited=uninvited)


def unseat(table: Table, seat: Seat) -> Table:
    """Take a seat away from whoever has it, before the game begins, and keep none for them any more."""
    person = table.seats[seat].person
    return msgspec.structs.replace(
        table,
        seats={other: seated for other, seated in table.seats.items() if other != seat},
        invited=tuple(one for one in table.invited if one != person),
        past={**table.past, seat: (*table.past.get(seat, ()), person)},
        sets=table.sets.of(seat, later=None),
        unheard=tuple(said for said in table.unheard if said.seat != seat),
        unsent={other: said for other, said in table.unsent.items() if other != seat},
        heard={other: when for other, when in table.heard.items() if other != seat},
        leaks={role: times for role, times in table.leaks.items() if role[0] != seat},
    )


def zone(new_lines: Sequence[OrderLine]) -> tuple[str, tuple[Complaint, ...]]:
    """Find a `zone PLACE` line, or a place, beside a `join`: the zone, "" for none, and what is wrong with it."""
    for line in new_lines:
        text = phrases.clean(phrases.without_comment(line.text))
        match = _ZONE.match(text)
        if match:
            known = calendar.known_zone(match[1])
            if isinstance(known, Unread):
                return "", (Complaint(line.number, text, known.fault, known.because),)
            return known, ()
    return coming.place(new_lines), ()


MOST_WORDS = 5
"""The most lines beside a `join` that go to the moderator and are not plainly for them."""


def asides(new_lines: Sequence[OrderLine]) -> tuple[str, ...]:
    """Return what of the lines beside a `join` the moderator reads: what is plainly for them, and a few lines more."""
    plain = _plain(new_lines)
    if any(for_moderator.is_all_private(text) for _, text in _unread(new_lines)):
        return ()
    heard = {line for text in plain for line in text.split("\n")}
    others = [
        text
        for _, text in _unread(new_lines)
        if not _PRESS.match(text) and not for_moderator.is_private(text) and _without_head(text) not in heard
    ]
    words = [text for text in others if slug(text.split()[0]) not in _REQUESTS]
    return (*plain, *(["\n".join(words[:MOST_WORDS])] if words else []))


def _plain(new_lines: Sequence[OrderLine]) -> tuple[str, ...]:
    """Return what stands beside a `join` and names the moderator, asks, or tells of absence."""
    unread = [(number, text) for number, text in _unread(new_lines) if not _PRESS.match(_without_head(text))]
    if any(for_moderator.is_all_private(text) for _, text in unread):
        return ()
    runs = groupby(enumerate(unread), key=lambda one: one[1][0] - one[0])  # lines that follow each other
    said = for_moderator.passages([[text for _, (_, text) in lines] for _, lines in runs])
    return tuple(map(_without_head, said))


def besides(new_lines: Sequence[OrderLine], *, has_seat: bool = False) -> tuple[Complaint, ...]:
    """Name the first of the lines beside a `join` that nobody reads, and count the others."""
    heard = {line for text in _plain(new_lines) for line in text.split("\n")}
    unread = [(number, text) for number, text in _unread(new_lines) if _without_head(text) not in heard]
    if not unread:
        return ()
    (number, text), *others = unread
    more = f", nor {len(others)} more {'lines' if len(others) > 1 else 'line'}" if others else ""
    why = "beside a join I read zone alone" if has_seat else "until you have a seat I read join and zone alone"
    because = f"Not read{more}: {why}."
    return (Complaint(number, text[:LONGEST_SHOWN], "unreadable", because),)


def _without_head(text: str) -> str:
    match = for_moderator.HEADED.match(_PRESS.sub("", text))
    return match["text"] if match else text


def _unread(new_lines: Sequence[OrderLine]) -> list[tuple[int, str]]:
    """Return the lines beside a `join`, with their numbers, that say neither a name nor a zone."""
    cleaned = [(line.number, phrases.clean(phrases.without_comment(line.text))) for line in new_lines]
    read: set[int] = set()
    for pattern in (_JOIN, _ZONE, _CONFIRM):
        read.update([number for number, text in cleaned if pattern.match(text.rstrip(".!"))][:1])
    left = [(number, text) for number, text in cleaned if text and number not in read]
    return [one for place, one in enumerate(left) if place >= coming.MOST_LINES or not coming.is_understood(one[1])]


def _named(table: Table, said: str) -> Seat | Unread:
    name = spelled(said)
    if not name:
        return UNNAMED
    if kind := naming.doubt(said):
        short = said.removesuffix(kind).rstrip(" ,")
        both = f'If it is, put it all in quotation marks: join as "{name}". If it is not, write: join as {short}.'
        return Unread("ambiguous", f'I cannot tell whether "{kind}" is a part of the name. {both}')
    because = phrases.misleading(name) or _like_a_line(name, RESERVED | table.ruleset.reserved, table.ruleset.openings)
    if because:
        return Unread("illegal", because)
    words = slug(name).split("-")
    if "and" in words or words[:2] == ["all", "but"]:
        other = " ".join(word for word in re.split(r"[\s'.!-]+", name) if slug(word) not in ("", "and", "all", "but"))
        such = f", such as {other}" if other and not isinstance(_named(table, other), Unread) else ""
        said = f'"{name}" reads like a list of players, as in: press to all but Ada and Bo. Choose another name{such}.'
        return Unread("illegal", said)
    if name == "NAME":
        return Unread("unreadable", "NAME stands there for the name that you choose.")
    if "or" in words[1:-1]:
        return Unread("ambiguous", f'"{name}" reads like a choice of two names. Choose one.')
    seat = slug(name)
    for other, seated in table.seats.items():
        if seat in (other, slug(seated.name)):
            return Unread("illegal", f"{name} is taken. Choose another name.")
        if phrases.glance(name) == phrases.glance(seated.name):
            return Unread("illegal", f"{name} looks too much like {seated.name}, who is here. Choose another name.")
    return Seat(seat)


def _like_a_line(name: str, reserved: frozenset[str], openings: frozenset[str]) -> str:
    """Say why a name would read like a line that people write to us, or ""."""
    words = slug(name).split("-")
    if slug(name) in reserved or words[0] in _REQUESTS or (words[0] in openings and len(words) > 1):
        return f'"{name}" cannot be told from other words here. Choose another name.'
    if amounts.is_on_somebody(name):
        return f'"{name}" reads like an order. Choose another name.'
    if words[-1].isdecimal() or re.match(r"[0-9]+\s", name):
        return "A name cannot begin or end in a number, or nobody could tell it from an amount."
    return ""


def spelled(name: str) -> str:
    """Return a name as we write it: letters that are made of letters (full width, ligatures) taken apart, NFC."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).strip(" .\"'")


def slug(name: str) -> str:
    """Fold a name to small ASCII letters, figures and dashes; "" where nothing is left."""
    return re.sub(r"[^a-z0-9]+", "-", phrases.plain(name)).strip("-")
