"""Letters that are owed, rendered once and put on file, for one reader each, before anything is sent."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial

import jinja2
import msgspec

from pbem.ground.identity import GameLetter
from pbem.ground.terms import Facts, LetterError, Person, Picture, TemplateError, WorldError
from pbem.hall.mail.outgoing import seeking, sending, troubles, wording
from pbem.hall.mail.outgoing.seeking import Seeking
from pbem.hall.mail.outgoing.views import Instead
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger, Step, folder, start_file
from pbem.hall.store.pausing import Pausing
from pbem.hall.store.people import Contact
from pbem.letters import addressing, multipart, raster, writing
from pbem.letters.dresses import document, html
from pbem.letters.dresses.document import Block, Example
from pbem.letters.multipart import Attached
from pbem.ruleset import DrawnRuleset
from pbem.table.fold import journal
from pbem.table.model import threads
from pbem.table.model.table import DEPUTY, Table
from pbem.table.outgoing import reports as phase_reports
from pbem.table.outgoing.letter import Owed, opened
from pbem.table.outgoing.posts import LIST, Post
from pbem.table.requests.mail_form import MailForm
from pbem.table.requests.public_name import PublicName
from pbem.table.requests.zone import Zone
from pbem.table.rulings.naming import PERSON
from pbem.world.index.outgoing import Unsent
from pbem.world.shelf import Batch

replace = msgspec.structs.replace

SPARED = (
    journal.OrdersReceived | journal.ReminderGiven | journal.ReviewOverdue | journal.RulesChanged
    | journal.RulingGiven | journal.SeatHandedOn | journal.OfferDeclined | journal.SeatTaken | journal.TokenLeaked
    | journal.DeputyAnswered | journal.OfferAccepted
)  # fmt: skip
"""What is worth less than the game: where we cannot write its letter, one that says so goes in its place."""

MOST_SHOWN = 500_000
"""Bytes of the pictures that a letter shows: a reply that brings them back has to be one that we read."""


def write_letters(arena: Arena, ledger: Ledger, batch: Batch) -> Pausing[list[Unsent]]:
    """
    Render and file what the fresh steps of a game call for; return the letters that were filed.

    A letter that is on file, or was settled, before a crash is never rendered again.
    """
    owing = [(step, step.letters(), step.posts()) for step in ledger.fresh]
    names = {str(letter.identity) for _, letters, _ in owing for letter in letters}
    names |= {str(post.identity) for _, _, posts in owing for post in posts}
    settled = sending.settled_letters(arena, (*ledger.place, "post"), names) if ledger.reopened else frozenset()
    filed: list[Unsent] = []
    for step, letters, posts in owing:
        shared, drawn = wording.Shared(), _Drawn(step)
        for letter in letters:
            place = (*ledger.place, "post", "out", f"{letter.identity}.eml")
            if ledger.reopened and (str(letter.identity) in settled or arena.shelf.exists(*place)):
                continue
            raw = yield from _bytes_or_apology(arena, step, letter, shared, drawn)
            yield
            batch.write(raw, *place, once=True)
            ledger.note_sent(letter.reader, str(letter.identity))
            filed.append(sending.as_unsent(letter.identity, place))
        for post in posts:
            place = (*ledger.place, "post", "out", f"{post.identity}.eml")
            if ledger.reopened and (str(post.identity) in settled or arena.shelf.exists(*place)):
                continue
            raw = _post(arena, step, post)
            yield
            batch.write(raw, *place, once=True)
            ledger.note_sent(post.identity.reader, str(post.identity))
            filed.append(sending.as_unsent(post.identity, place))
        if isinstance(step.entry, (journal.GameBegun, journal.PhasePublished)):
            yield
            yield from _keep_phase(arena, ledger, step, letters, batch, shared, drawn)
    return filed


class _Drawn:
    """What happened in a phase that is published, drawn once for its folder and all letters; no replay compares it."""

    def __init__(self, step: Step) -> None:
        self._step = step

    @cached_property
    def pictures(self) -> tuple[Picture, ...]:
        """Return the drawings, where its ruleset draws."""
        table = self._step.before
        is_published = isinstance(self._step.entry, journal.PhasePublished) and table.outcome is not None
        return phase_reports.pictures(table) if is_published else ()

    @cached_property
    def attached(self) -> tuple[Attached, ...]:
        """Return what goes with a report: its pictures, to keep and, if they can be made so, to look at."""
        found: list[Attached] = []
        for picture in self.pictures:
            pixels = raster.png(picture.svg)
            if pixels and sum(len(one.data) for one in found if one.shown) + len(pixels) <= MOST_SHOWN:
                found.append(Attached(name=f"{picture.name}.png", kind="image/png", data=pixels, shown=picture.says))
            found.append(Attached(name=f"{picture.name}.svg", kind="image/svg+xml", data=picture.svg.encode()))
        return tuple(found)


def _keep_phase(
    arena: Arena,
    ledger: Ledger,
    step: Step,
    letters: Sequence[Owed],
    batch: Batch,
    shared: wording.Shared,
    drawn: _Drawn,
) -> Pausing[None]:
    """Write the derived files of a phase that has ended: outcome, reports, and the next one's start."""
    if isinstance(step.entry, journal.PhasePublished):
        ended = (*ledger.place, folder(step.before))
        for name, text in wording.reports(arena.words, step, letters, shared).items():
            batch.write(text.encode(), *ended, *name.split("/"))
        for picture in drawn.pictures:
            batch.write(picture.svg.encode(), *ended, f"{picture.name}.svg")
        yield
        batch.write(wording.outcome_file(step.before), *ended, "outcome.toml")
        yield
    batch.write(start_file(step.after, step.sum), *ledger.place, folder(step.after), "state.toml")


def _bytes_or_apology(arena: Arena, step: Step, letter: Owed, shared: wording.Shared, drawn: _Drawn) -> Pausing[bytes]:
    """
    Render a letter; where a fault of ours prevents that, write one that says so, and tell the moderator.

    A letter is made of the journal alone, so trying again gives the same. Without its report or its proof no game
    can go on, so there the fault stops the game.
    """
    contact = arena.people.contact
    try:
        text = body(arena, step, letter, contact, shared=shared)
        blocks: tuple[Block, ...] = ()
        form = contact(letter.person).form or ("html" if step.after.charter.html else "text")
        if letter.view.draws and form == "html":
            blocks = document.read(body(arena, step, letter, contact, arena.marked, shared=shared))
        attached = drawn.attached if letter.view.draws else ()
        yield
        return envelope(arena, step, letter, contact(letter.person), text, attached, blocks)
    except Exception as error:
        is_ours = isinstance(error, TemplateError) or not isinstance(error, WorldError)
        if not is_ours or not isinstance(step.entry, SPARED) or letter.view.is_vital:
            if isinstance(error, WorldError):
                raise
            raise LetterError(f"{letter.identity} could not be written: {troubles.describe(error)}") from error
        game = step.after.charter.game
        troubles.report_unwritten(arena, game, str(letter.identity), error, step.entry.noted)
        text = Instead(title=step.after.title).render(arena.words, game=game)
        return envelope(arena, step, letter, contact(letter.person), text)


def body(
    arena: Arena,
    step: Step,
    letter: Owed,
    contact: Callable[[Person], Contact],
    words: jinja2.Environment | None = None,
    shared: wording.Shared | None = None,
) -> str:
    """Render the text of a letter; `contact` says how to reach a person, `words` are templates in another dress."""
    table, shared = step.after, shared or wording.Shared()
    zone = contact(letter.person).clock
    when = partial(wording.in_zone, zone=zone, now=step.entry.noted)
    is_deputys = letter.seat is None and letter.person == table.deputy
    is_seatless = letter.seat is None and letter.view.answered_as != "invited" and letter.is_insiders
    extra: Facts = {
        "address": lambda person: contact(person).address,
        "arena": arena.settings.arena.name,
        "forum_at": arena.settings.forum.url if arena.settings.forum else "",
        "in_thread": _is_in_thread(table, letter),
        "wrote": "post" if getattr(step.entry, "version_of", "") else "mail",
        "to_deputy": is_deputys,
        "to_moderator": is_seatless and not is_deputys,
    }
    found = seeking.found(Seeking(arena, step, letter, extra, zone, when, shared))
    facts = letter.view.with_people(partial(_with_addresses, arena)).facts() | extra | found
    return wording.letter(words or arena.words, table, letter.template, facts, letter.parts, when, shared)


def _is_in_thread(table: Table, letter: Owed) -> bool:
    """Say whether a letter goes to a thread of its reader's, where nothing is answered by a reply."""
    thread = threads.of(table, letter.seat or (DEPUTY if letter.person == table.deputy else ""))
    return thread is not None and thread.is_bound and thread.person == letter.person


_PERSON = re.compile(rf"(?<![\w-]){PERSON}(?![\w-])")


def _with_addresses(arena: Arena, text: str) -> str:
    """Put addresses in place of people, whom the journal names by what they are here."""
    return _PERSON.sub(lambda match: arena.people.address(Person(match[0])) or "that address", text)


def echo(arena: Arena, step: Step) -> str:
    """Render the letter that a ruling is answered with, for the terminal."""
    return body(arena, step, step.letters()[0], arena.people.contact)


def envelope(
    arena: Arena,
    step: Step,
    letter: Owed,
    contact: Contact,
    text: str,
    attached: tuple[Attached, ...] = (),
    blocks: tuple[Block, ...] = (),
) -> bytes:
    """
    Put a letter's text into its envelope: who may answer it, in which thread it stands.

    Shape: with `blocks` its HTML is made from these; else, where its ruleset draws, it is the text line for line.
    """
    here = arena.settings.arena
    game = step.after.charter.game
    domain = here.address.rpartition("@")[2]
    token = _token(arena, step.after, letter)
    name = _name(arena, letter.identity, letter.origin)
    return writing.compose(
        writing.Outgoing(
            name=name,
            domain=domain,
            sender_name=f"{here.name}: {game}",
            sender=here.address,
            reply_to=addressing.reply_address(here.address, game, token, plus=here.plus),
            recipient=contact.address,
            subject=addressing.subject(game, letter.title, token, plus=here.plus, remark=letter.remark),
            body=text,
            date=step.entry.noted,
            list_id=f"{game}.{domain}",
            mark=addressing.mark(arena.secret, name),
            with_html=bool(blocks) or (isinstance(step.after.ruleset, DrawnRuleset) and contact.form != "text"),
            page=_page(arena, step, letter, blocks, name, attached) if blocks else "",
            attached=attached,
            references=_thread(arena, letter.identity, step.after, domain),
            answers=letter.answers,
        )
    )


def _page(
    arena: Arena,
    step: Step,
    letter: Owed,
    blocks: Sequence[Block],
    name: str,
    attached: Sequence[Attached],
) -> str:
    """Dress a letter as HTML, with its pictures and with buttons for what can be sent now."""
    here, game = arena.settings.arena, step.after.charter.game
    domain = here.address.rpartition("@")[2]
    pictures = [{"cid": multipart.content_id(one, name, domain), "says": one.shown} for one in attached if one.shown]
    return html.page(
        arena.templates, blocks, f"{game}, {letter.title}", pictures, _buttons(arena, step, letter, blocks)
    )


WRITE, ASK = "Write my orders", "Ask the moderator"
"""What buttons say."""


def _buttons(arena: Arena, step: Step, letter: Owed, blocks: Sequence[Block]) -> tuple[html.Button, ...]:
    """Return the buttons of a seat's letter while a phase is open: one with the form where orders are asked for."""
    table, here = step.after, arena.settings.arena
    moment = letter.view.moment
    if letter.seat is None or moment is None or not moment.open:
        return ()
    game, token = table.charter.game, arena.button_token(table, letter.seat)
    to = addressing.reply_address(here.address, game, token, plus=here.plus)
    subject = f"Re: {addressing.subject(game, letter.title, token, plus=here.plus)}"
    ask = html.button(ASK, to, subject, ["gm: "])
    if not moment.owes:
        return (ask,)
    form = [line for one in blocks if isinstance(one, Example) and one.mark == "~" for line in one.lines]
    return html.button(WRITE, to, subject, form), ask


def _post(arena: Arena, step: Step, post: Post) -> bytes:
    """
    Render a post and put it into its envelope, which carries no token: replies go to the arena's plain address.

    A list puts its own List-Id on it, so it has none of ours. What is for the forum is on file in the same way.
    """
    here, table = arena.settings.arena, post.table
    is_list = post.identity.reader == LIST
    game, domain = table.charter.game, here.address.rpartition("@")[2]
    when = partial(wording.in_zone, zone=table.charter.zone, now=step.entry.noted)
    has_threads = table.charter.forum and table.charter.threads
    facts = post.view.facts() | {
        "arena": here.name,
        "write_to": here.address,
        "on_list": is_list,
        "has_threads": has_threads,
    }
    name = _name(arena, post.identity, post.origin)
    return writing.compose(
        writing.Outgoing(
            name=name,
            domain=domain,
            sender_name=f"{here.name}: {game}",
            sender=here.address,
            reply_to=here.address,
            recipient=table.charter.mailing_list if is_list else "the forum",
            subject=f"[{game}] {post.title}",
            body=wording.letter(arena.words, table, post.template, facts, post.parts, when, wording.Shared()),
            date=step.entry.noted,
            mark=addressing.mark(arena.secret, name),
            references=_thread(arena, post.identity, table, domain),
        )
    )


def _token(arena: Arena, table: Table, letter: Owed) -> str:
    """Return the token that a letter's answer shows: who has no part in a game gets none of its roles."""
    game = table.charter.game
    if seat := letter.view.for_seat:
        return arena.offer_token(table, seat, letter.person, len(table.past.get(seat, ())))
    match letter.view.answered_as:
        case "invited":
            return arena.invitation_token(table, letter.person)
        case "asked as deputy":
            return arena.deputy_token(table, letter.person)
    if not letter.is_insiders:
        return addressing.token(arena.secret, game, letter.phase, f"outside {letter.person}")
    key = DEPUTY if letter.seat is None and letter.person == table.deputy else letter.seat
    return arena.token(table, key, letter.phase)


def _thread(arena: Arena, letter: GameLetter, table: Table, domain: str) -> tuple[str, ...]:
    """Return the letter that opened this phase to this reader, which all others of the phase refer to."""
    if table.number == 0 or table.base is None:
        return ()
    kind = "opening" if table.number == 1 else "report"
    root = GameLetter(game=table.charter.game, entry=table.base.head, template=kind, reader=letter.reader)
    if root == letter:
        return ()
    return (writing.message_id(_name(arena, root, opened(table)), domain),)


def _name(arena: Arena, letter: GameLetter, origin: str) -> str:
    """Return the name under which a letter goes out; it leaves out the entry's number, which counts others' mail."""
    return addressing.name(arena.secret, letter.game, letter.kind, f"{origin} {letter.reader}")


def note_wishes(arena: Arena, ledger: Ledger) -> None:
    """Record in people.toml the time zones and the forms of mail that seats asked for."""
    for step in ledger.fresh:
        if isinstance(step.entry, journal.OrdersReceived):
            for request in step.entry.requests:
                person = step.after.seats[step.entry.seat].person
                if isinstance(request, Zone):
                    arena.people.amend(person, zone=request.zone)
                elif isinstance(request, MailForm):
                    arena.people.amend(person, form=request.form)
                elif isinstance(request, PublicName):
                    arena.people.amend(person, public=request.name)
