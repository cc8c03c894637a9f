"""The letters that an entry calls for; computed, never queued."""

from collections.abc import Iterator, Sequence

import msgspec

from pbem.table import closing, journal, talking
from pbem.table.game_terms import charter_facts, house_rules, unusual_rules
from pbem.table.journal import Entry, OrdersReceived, Press
from pbem.table.outgoing.echo import echoes
from pbem.table.outgoing.letter import (
    Owed,
    asked,
    complaint,
    hand,
    invitation,
    letter,
    opened,
    opening_part,
    phase_facts,
    question,
    with_words,
)
from pbem.table.outgoing.receipt import receipt
from pbem.table.outgoing.replacing import handed_on, offers_changed
from pbem.table.outgoing.reports import proof, reports
from pbem.table.requests import Request
from pbem.table.table import Said, Table
from pbem.terms import Facts, Seat


def owed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Yield the letters that an entry calls for, given the table before and after it."""
    unheard = before.unheard if talking.brings(after, entry) else ()
    for one in _owed(before, entry, after):
        is_moderators = one.seat is None and one.person == after.charter.moderator
        yield with_words(one, before, unheard if is_moderators else ())
        unheard = () if is_moderators else unheard  # told once


def _owed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    match entry:
        case journal.GameFounded():
            yield letter(after, entry, "founded", None, charter_facts(after))
        case journal.PersonInvited():
            yield invitation(after, entry, entry.person)
        case journal.SeatTaken():
            wishes = {
                "requests": _requests(after, entry.requests),
                "complaints": [complaint(one) for one in entry.complaints],
            }
            yield letter(after, entry, "welcome", entry.seat, {"name": entry.name} | wishes | charter_facts(after))
        case journal.GameBegun():
            yield from _opening(after, entry)
            yield from _announcement(entry, after, [one.text for one in before.announced])
        case OrdersReceived():
            yield from _answers(before, entry, after)
        case journal.RulingGiven():
            yield from echoes(before, entry, after)
        case journal.TokenLeaked():
            seat = Seat(entry.seat) if entry.seat else None
            facts = {"is_current": entry.phase == after.number, **phase_facts(after, seat)}
            yield letter(after, entry, "leaked", seat, facts)
        case journal.SeatHandedOn():
            yield from handed_on(before, entry, after)
        case journal.ReminderGiven():
            for seat in entry.seats:
                facts = {"lacks": after.lacks(seat), "nmr": _if_nothing_comes(after), "holds": seat in after.hand}
                parts = asked(after, seat) | hand(after, seat)
                yield letter(after, entry, "reminder", seat, phase_facts(after, seat) | facts, parts)
        case journal.AnnouncementMade():
            texts = [one.text for one in before.announced if one.number in entry.rulings]
            yield from _announcement(entry, after, texts)
        case journal.WordsPassedOn():
            yield letter(after, entry, "words", None, {"is_answered": False} | phase_facts(after, None))
        case journal.ReviewOverdue():
            yield letter(after, entry, "overdue", None, {"proof": after.proof})
            if after.overdue == 1:
                for seat in after.seats:
                    yield letter(after, entry, "overdue", seat, {"proof": 0})
        case journal.RulesChanged():
            yield from _renewed(before, entry, after)
        case journal.PhaseClosed():
            if closing.is_reviewed(after):
                yield proof(after, entry)
        case journal.QuestionAsked():
            for seat in after.owing:
                yield question(after, entry, seat)
        case journal.PhasePublished():
            yield from reports(before, entry, after)
            yield from offers_changed(before, entry, after)
            yield from _announcement(entry, after, [one.text for one in before.announced])


def _announcement(entry: Entry, table: Table, texts: Sequence[str]) -> Iterator[Owed]:
    """Send the moderator's words to all players."""
    for seat in table.seats if texts else ():
        known = table.known_to(seat)
        yield letter(known, entry, "told", seat, {"texts": texts, "to_all": True} | phase_facts(known, seat))


def _renewed(before: Table, entry: journal.RulesChanged, table: Table) -> Iterator[Owed]:
    """Tell all what has changed, where it can matter in what is being played; before that nobody knows the rules."""
    changes = table.ruleset.changed(table.state, before.rules) if table.status == "open" else ()
    facts: Facts = {"changes": [{"says": table.worded(one.says), "rule": one.rule} for one in changes]}
    facts["late"] = table.deadline is not None and table.paused is None and entry.noted >= table.deadline
    for seat in (*table.seats, None) if changes else ():
        holds = seat in table.hand
        yield letter(table, entry, "rules", seat, facts | {"holds": holds} | phase_facts(table, seat))


def _if_nothing_comes(table: Table) -> list[str]:
    kind = table.phase.kind if table.phase else ""
    sentences = {row["name"]: row["says"] for row in house_rules(table)}
    return [sentences[option.name] for option in table.ruleset.options if kind in option.missing_in]


def _opening(table: Table, entry: journal.GameBegun) -> Iterator[Owed]:
    names = list(table.labels().values())
    facts = charter_facts(table) | {"names": names, "unusual": unusual_rules(table)}
    opening = opening_part(table)
    for seat in table.seats:
        parts = opening | asked(table, seat)
        yield letter(table, entry, "opening", seat, facts | phase_facts(table, seat), parts)
    yield letter(table, entry, "opening", None, facts | phase_facts(table, None), opening)


def _answers(before: Table, entry: OrdersReceived, after: Table) -> Iterator[Owed]:
    seat, told, told_before = entry.seat, after, before
    before, after = before.known_to(seat), after.known_to(seat)
    answers = [(place, found) for place, one in enumerate(entry.requests) if (found := one.answer(after))]
    press = [one for one in entry.press if one.to != "moderator"]
    has_answer = bool((press and not entry.unsent) or answers)
    others = entry.orders or entry.complaints or entry.not_read or len(answers) < len(entry.requests)
    said = talking.words(before, entry)
    if not has_answer or others or said:
        yield receipt(before, entry, after)
    for place, found in answers:
        facts = found.facts | phase_facts(after, seat)
        answer = letter(after, entry, found.template, seat, facts, found.parts, answers=entry.message_id)
        yield answer if found.template in ("help", "manual") else _numbered(answer, place)
    if press:
        yield from _press(entry, told)
    if said and talking.goes_at_once(told_before, entry):
        words = tuple(Said(seat, text, entry.noted) for text in said)
        facts = {"is_answered": True} | phase_facts(told, None)
        yield with_words(letter(told, entry, "words", None, facts), told, words)


def _numbered(one: Owed, place: int) -> Owed:
    """Tell a letter by its place from others of its kind that answer the same mail."""
    return msgspec.structs.replace(one, identity=msgspec.structs.replace(one.identity, place=place))


def _press(entry: OrdersReceived, table: Table) -> Iterator[Owed]:
    """Pass press on to those whom it is for; the moderator reads what all do, and nothing that is private."""
    public = any(one.to == "all" for one in entry.press) and not table.moderator_plays()
    for seat in (*([None] if public else []), *table.seats):
        known = table.known_to(seat) if seat else table
        names = known.labels()
        mine = [
            {"text": one.text, "to": "all" if one.to == "all" else ", ".join(names[to] for to in one.to)}
            for one in entry.press
            if one.to != "moderator" and (seat == entry.seat or _is_for(one, seat))
        ]
        if mine:
            facts = {"sender": known.label(entry.seat), "press": mine, "own": seat == entry.seat}
            yield _press_letter(letter(known, entry, "press", seat, facts | phase_facts(known, seat)), known, entry)


def _is_for(press: Press, seat: Seat | None) -> bool:
    return press.to == "all" or (press.to != "moderator" and seat in press.to)


def _press_letter(press: Owed, table: Table, entry: OrdersReceived) -> Owed:
    """Tell a letter of press by how many its reader had before: the mail that it came of may hold orders."""
    had = [one for one in table.log if isinstance(one, OrdersReceived) and one.number < entry.number and one.press]
    before = sum(press.seat == one.seat or any(_is_for(message, press.seat) for message in one.press) for one in had)
    return msgspec.structs.replace(press, origin=f"press {before} of {opened(table)}")


def _requests(table: Table, requests: Sequence[Request]) -> list[Facts]:
    """Return requests as letters show them."""
    return [{"word": one.word(), "says": one.show(table)} for one in requests]
