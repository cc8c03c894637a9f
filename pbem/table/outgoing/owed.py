"""The letters that an entry calls for; computed, never queued."""

from collections.abc import Iterator, Sequence

import msgspec

from pbem.ground.terms import Seat
from pbem.table.clock import late
from pbem.table.clock.game_terms import house_rules, terms, unusual_rules
from pbem.table.clock.views import moment, refusals
from pbem.table.fold import closing, journal, talking
from pbem.table.fold.journal import Entry, OrdersReceived, Press
from pbem.table.model import charter
from pbem.table.model.table import DEPUTY, MODERATOR, Said, Table
from pbem.table.outgoing.deputies import deputy_answered, deputy_asked, holders
from pbem.table.outgoing.echo import echoes
from pbem.table.outgoing.letter import (
    MOST_ANSWERS,
    Owed,
    asked,
    hand,
    invitation,
    letter,
    numbered,
    opened,
    opening_part,
    question,
    requested,
    with_words,
)
from pbem.table.outgoing.plain import (
    Founded,
    KeptBack,
    LateSets,
    Leaked,
    Opening,
    Overdue,
    Posted,
    PressItem,
    PressPassedOn,
    Reminder,
    RulesRenewed,
    Told,
    Welcome,
    Words,
)
from pbem.table.outgoing.receipt import receipt
from pbem.table.outgoing.replacing import accepted, declined, handed_on, offers_changed
from pbem.table.outgoing.reports import proofs, reports
from pbem.table.outgoing.resent import resent
from pbem.table.outgoing.threads import thread_letter
from pbem.table.requests.manuals import Handbook, Manual, WrittenRule


def owed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Yield the letters that an entry calls for, given the table before and after it."""
    unheard = talking.heard(before, entry, after)
    for one in _owed(before, entry, after):
        is_heard = one.seat is None and one.person == after.listener()
        yield with_words(one, before, unheard if is_heard else ())
        unheard = () if is_heard else unheard  # told once


def _owed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    match entry:
        case journal.GameFounded():
            yield letter(after, entry, Founded(terms=terms(after), advice=charter.advice(after.charter, after.ruleset)))
        case journal.PersonInvited():
            yield invitation(after, entry, entry.person)
        case journal.SeatTaken():
            yield _welcome(after, entry)
        case journal.GameBegun():
            yield from _opening(after, entry)
            yield from _announcement(entry, after, [one.text for one in before.announced])
        case OrdersReceived():
            yield from _answers(before, entry, after)
        case journal.RulingGiven():
            yield from echoes(before, entry, after)
        case journal.TokenLeaked():
            yield _leaked(after, entry)
        case journal.PostArchived():
            yield from _warning(after, entry)
        case journal.SeatHandedOn():
            yield from handed_on(before, entry, after)
        case journal.OfferAccepted():
            yield from accepted(entry, after)
        case journal.OfferDeclined():
            yield from declined(entry, after)
        case journal.DeputyAnswered():
            yield from deputy_answered(before, entry, after)
        case journal.ThreadChanged():
            if about := thread_letter(before, entry, after):
                yield about
        case journal.ReminderGiven():
            yield from _reminders(after, entry)
        case journal.AnnouncementMade():
            texts = [one.text for one in before.announced if one.number in entry.rulings]
            yield from _announcement(entry, after, texts)
        case journal.WordsPassedOn():
            yield letter(after, entry, _words(after, is_answered=False), person=after.listener())
        case journal.ReviewOverdue():
            yield from _overdue(after, entry)
        case journal.RulesChanged():
            yield from _renewed(before, entry, after)
        case journal.PhaseClosed():
            if closing.is_reviewed(after):
                yield from proofs(after, entry)
        case journal.QuestionAsked():
            for seat in after.owing:
                yield question(after, entry, seat)
        case journal.PhasePublished():
            yield from reports(before, entry, after)
            yield from offers_changed(before, entry, after)
            yield from deputy_asked(before, entry, after)
            yield from _announcement(entry, after, [one.text for one in before.announced])


def _welcome(table: Table, entry: journal.SeatTaken) -> Owed:
    """Welcome whoever has taken a seat, before the game begins."""
    is_heard = table.listener() is not None
    view = Welcome(
        name=entry.name,
        requests=requested(table, entry.requests),
        complaints=refusals(entry.complaints),
        asides=entry.asides if is_heard else (),
        unsent=() if is_heard else entry.asides,
        terms=terms(table),
    )
    return letter(table, entry, view, entry.seat)


def _reminders(table: Table, entry: journal.ReminderGiven) -> Iterator[Owed]:
    """Remind those who have not moved of what is asked of them."""
    for seat in entry.seats:
        view = Reminder(
            lacks=table.lacks(seat),
            nmr=_if_nothing_comes(table),
            holds=seat in table.sets.hand,
            moment=moment(table, seat),
        )
        yield letter(table, entry, view, seat, asked(table, seat) | hand(table, seat))


def _leaked(table: Table, entry: journal.TokenLeaked) -> Owed:
    """Tell whoever has a role that its token was seen in other hands."""
    seat = Seat(entry.seat) if entry.seat and entry.seat != DEPUTY else None
    is_current = entry.phase == table.number
    view = Leaked(is_current=is_current, posted=entry.posted, moment=moment(table, seat))
    return letter(table, entry, view, seat, person=table.deputy if entry.seat == DEPUTY else None)


def _warning(table: Table, entry: journal.PostArchived) -> Iterator[Owed]:
    """Tell somebody, at their own address, that what they posted for all to read counts for nothing."""
    if entry.warned in (MODERATOR, DEPUTY):
        person = table.deputy if entry.warned == DEPUTY else table.charter.moderator
        view = Posted(holds=False, in_topic=bool(entry.version_of), moment=moment(table, None))
        yield letter(table, entry, view, person=person)
    elif entry.warned:
        seat = entry.warned
        known = table.known_to(seat)
        parts = asked(known, seat) | hand(known, seat)
        view = Posted(holds=seat in known.sets.hand, in_topic=bool(entry.version_of), moment=moment(known, seat))
        yield letter(known, entry, view, seat, parts)


def _words(table: Table, *, is_answered: bool) -> Words:
    """Make the view of a letter that has players' words alone."""
    mine = table.moderators_seat()
    return Words(is_answered=is_answered, plays=table.label(mine) if mine else "", moment=moment(table, None))


def _overdue(table: Table, entry: Entry) -> Iterator[Owed]:
    """Remind those who hold a report, and tell the players once why none comes."""
    for person in holders(table):
        yield letter(table, entry, Overdue(proof=table.proof), person=person)
    for seat in table.seats if table.overdue == 1 else ():
        yield letter(table, entry, Overdue(), seat)


def _announcement(entry: Entry, table: Table, texts: Sequence[str]) -> Iterator[Owed]:
    """Send the moderator's words to all players."""
    for seat in table.seats if texts else ():
        known = table.known_to(seat)
        view = Told(texts=tuple(texts), to_all=True, by_deputy=False, moment=moment(known, seat))
        yield letter(known, entry, view, seat)


def _renewed(before: Table, entry: journal.RulesChanged, table: Table) -> Iterator[Owed]:
    """Tell all what has changed, where it can matter in what is being played; before that nobody knows the rules."""
    changes = table.ruleset.changed(table.state, before.rules) if table.status == "open" else ()
    rows = tuple(WrittenRule(rule=one.rule, says=table.worded(one.says)) for one in changes)
    is_late = table.deadline is not None and table.paused is None and entry.noted >= table.deadline
    for seat in (*table.seats, None) if changes else ():
        view = RulesRenewed(changes=rows, late=is_late, holds=seat in table.sets.hand, moment=moment(table, seat))
        yield letter(table, entry, view, seat)


def _if_nothing_comes(table: Table) -> tuple[str, ...]:
    kind = table.phase.kind if table.phase else ""
    sentences = {row.name: row.says for row in house_rules(table)}
    return tuple(sentences[option.name] for option in table.ruleset.options if kind in option.missing_in)


def _opening(table: Table, entry: journal.GameBegun) -> Iterator[Owed]:
    names, unusual = tuple(table.labels().values()), tuple(unusual_rules(table))
    opening = opening_part(table)
    for seat in (*table.seats, None):
        view = Opening(names=names, unusual=unusual, terms=terms(table), moment=moment(table, seat))
        yield letter(table, entry, view, seat, opening | (asked(table, seat) if seat else {}))


def _answers(before: Table, entry: OrdersReceived, after: Table) -> Iterator[Owed]:
    seat, told, told_before = entry.seat, after, before
    before, after = before.known_to(seat), after.known_to(seat)
    answers = [(place, found) for place, one in enumerate(entry.requests) if (found := one.answer(after, seat))]
    press = [one for one in entry.press if one.to != "moderator"]
    has_answer = bool((press and not entry.unsent) or answers)
    left_out = len(answers[MOST_ANSWERS:])
    others = entry.orders or entry.complaints or entry.not_read or left_out or len(answers) < len(entry.requests)
    said = talking.words(before, entry)
    if not has_answer or others or said:
        yield receipt(before, entry, after, left_out)
    for place, one in answers[:MOST_ANSWERS]:
        found = resent(after, seat, one)
        view = msgspec.structs.replace(found.view, moment=moment(after, seat))
        answer = letter(after, entry, view, seat, found.parts, answers=entry.message_id)
        yield answer if isinstance(view, Handbook | Manual) else numbered(answer, place)
    if press:
        yield from _press(entry, told)
    if entry.late and seat not in told_before.sets.late and told.status == "closed" and closing.is_reviewed(told):
        yield letter(told, entry, LateSets(late=late.rows(told), proof=told.proof))
    if entry.kept_back and entry.tried and (entry.phase < told.number or told.status == "over"):
        is_over = told.status == "over"
        view = KeptBack(name=told.label(seat), over=is_over, arrived=entry.arrived, moment=moment(told, None))
        yield letter(told, entry, view, remark="late orders")
    if said and talking.goes_at_once(told_before, entry):
        words = tuple(Said(seat, text, entry.noted) for text in said)
        view = _words(told, is_answered=True)
        yield with_words(letter(told, entry, view, person=told.listener()), told, words)


def _press(entry: OrdersReceived, table: Table) -> Iterator[Owed]:
    """Pass press on to those whom it is for; the moderator reads what all do in their next letter."""
    for seat in table.seats:
        known = table.known_to(seat)
        names = known.labels()
        mine = tuple(
            PressItem(text=one.text, to="all" if one.to == "all" else ", ".join(names[to] for to in one.to))
            for one in entry.press
            if one.to != "moderator" and (seat == entry.seat or _is_for(one, seat))
        )
        if mine:
            sender = known.label(entry.seat)
            own = seat == entry.seat
            answered = not own and known.charter.press == "private"
            view = PressPassedOn(sender=sender, press=mine, own=own, answered=answered, moment=moment(known, seat))
            yield _press_letter(letter(known, entry, view, seat), known, entry)


def _is_for(press: Press, seat: Seat) -> bool:
    return press.to == "all" or (press.to != "moderator" and seat in press.to)


def _press_letter(press: Owed, table: Table, entry: OrdersReceived) -> Owed:
    """Tell a letter of press by how many its reader had before: the mail that it came of may hold orders."""
    had = [one for one in table.log if isinstance(one, OrdersReceived) and one.number < entry.number and one.press]
    seat = press.seat
    assert seat
    before = sum(seat == one.seat or any(_is_for(message, seat) for message in one.press) for one in had)
    return msgspec.structs.replace(press, origin=f"press {before} of {opened(table)}")
