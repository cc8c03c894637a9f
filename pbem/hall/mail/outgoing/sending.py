"""Sends the letters on file: the same bytes at every try, no failure delays another letter, within the day's budget."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from pbem.ground.identity import Identity, game_letter
from pbem.ground.terms import GameName, OutboxError, ShelfError
from pbem.hall.mail.outgoing import caps
from pbem.hall.mail.outgoing.ways import Ways
from pbem.hall.store import append_only, published
from pbem.hall.store.arena import Arena, Doors
from pbem.letters import multipart, writing
from pbem.table.outgoing.posts import LIST
from pbem.world.index.outgoing import Unsent
from pbem.world.shelf import Batch, UnsyncedError

BACK_OFF = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=6))
GIVE_UP = 24
"""Tries after which a letter is given up: five days of back-off."""
FULL = timedelta(hours=1)
"""How long letters wait when the day's budget is used up; it is counted by the hour."""

RANKS = {"report": 0, "opening": 0, "proof": 0, "reminder": 2, "overdue": 2, "rules": 2}
"""Which letters go first, by their kind; all others answer somebody's mail, and stand between."""
SHARES = (100, 90, 75)
"""Percent of the day's budget that letters of each rank may use up, so that something is left for those before."""

DELIVERED = "delivered"
UNASKED = ("reminder", "overdue", "press", "notice", "withdrawn", "rules")
"""Letters that stay on file while their reader cannot be reached."""
TO_A_LIST = "not sent, since it is for one person, and its address is a mailing list"
KEPT = "kept on file, since letters to this address come back"
AGED = timedelta(hours=6)
"""How long a letter may have waited for its first try before it gets a new Date: mail programs sort by it."""
FOR_COPY = timedelta(hours=1)
"""How long a post to a list, that the mail server may have, waits for its copy before it goes again."""
TOGETHER = 100
"""How many results of sending are made durable together, at most."""
AT_LEAST_EVERY = 1
"""Seconds of sending after which results are made durable, however few they are."""


class Sent(msgspec.Struct, frozen=True):
    """
    What became of a letter at one try.

    Shape: `settled` for good, else to be tried again; `pause` where no letter is to blame, with the time that all
    had better wait; `is_lost` where the server may have taken it; `counts` as what it counts towards its reader's day,
    and to whom it went, where it does; `name` is the one under which a post went.
    """

    letter: Unsent
    result: str
    counts: tuple[caps.Kind | None, str] = (None, "")
    settled: bool = False
    pause: timedelta | None = None
    is_lost: bool = False
    name: str = ""


def is_post(letter: str) -> bool:
    """Say whether a letter goes to a mailing list, where a repeat would be read by all."""
    return letter.endswith(f".{LIST}")


def as_unsent(identity: Identity | str, place: tuple[str, ...]) -> Unsent:
    """Return a letter that was put on file just now, to be sent."""
    known = game_letter(str(identity))
    return Unsent(str(identity), place, rank=RANKS.get(known.kind, 1) if known else 1)


def settled_letters(
    arena: Arena, place: tuple[str, ...], among: Collection[str] | None = None, *, with_kept: bool = True
) -> frozenset[str]:
    """Return the letters of a place that were delivered, given up or kept, all or `among` some."""
    lines = append_only.glimpses("sent", arena.shelf, *place, "sent.toml")
    settled = (
        line.field("letter")
        for line in lines
        if line.is_true("settled") and (with_kept or line.field("result") != KEPT)
    )
    return frozenset(letter for letter in settled if among is None or letter in among)


def kept_letters(arena: Arena, place: tuple[str, ...], reader: str) -> list[Unsent]:
    """Return the letters of a place that wait until their reader can be reached again; not the reminders."""
    results = {line["letter"]: line["result"] for line in append_only.read("sent", arena.shelf, *place, "sent.toml")}
    mine = [found for name, result in results.items() if result == KEPT and (found := game_letter(name))]
    wanted = [one for one in mine if one.reader == reader and one.template != "reminder"]
    return [as_unsent(one, (*place, "out", f"{one}.eml")) for one in wanted]


def index_unsent(arena: Arena, *place: str) -> None:
    """Find the letters of a place that are on file and not settled, and note them in the index."""
    done = settled_letters(arena, place)
    files = arena.shelf.names(*place, "out")
    names = [name.removesuffix(".eml") for name in files if name.endswith(".eml") and name.isprintable()]
    waiting = [as_unsent(name, (*place, "out", f"{name}.eml")) for name in names if name not in done]
    arena.index.outgoing.add(waiting, None)


class Sending(msgspec.Struct):
    """
    What came of sending: how many letters went, all troubles, those of the mail server, the letters refused.

    Shape: `others_wait` says that letters wait that do not go by mail.
    """

    letters: int = 0
    troubles: list[str] = []
    away: list[str] = []
    refused: list[str] = []
    others_wait: bool = False


def send(arena: Arena, doors: Doors, now: datetime) -> Sending:
    """
    Send every letter whose time has come, one transaction each.

    One letter's failure delays no other. Where the server takes none, or the day's budget is used up, all wait
    and no try is counted. A repeat after an answer that never reached us has the same bytes; a crash in the middle
    repeats the letters of the last second, TOGETHER at most. A letter that waited long gets a new Date, on file before
    it leaves, as long as the mail server has seen nothing of it.
    """
    if not arena.caught_up:
        _catch_up(arena, now)
    before = _note_results(arena, arena.not_noted, now) if arena.not_noted else []
    _note_kept_results(arena)
    ways = Ways(arena, now)
    all_due = arena.index.outgoing.to_send(now)
    due = [one for one in all_due if ways.is_by_mail(one)]
    in_doubt = {letter.letter for letter in due if letter.in_doubt and is_post(letter.letter)}
    arena.index.outgoing.wait_for_copy(in_doubt, now + FOR_COPY)
    waiting, troubles = _within_budget(arena, [one for one in due if one.letter not in in_doubt], now)
    done = Sending(troubles=before + troubles, others_wait=len(due) < len(all_due))
    while waiting and not doors.stopping():
        some: list[Sent] = []
        tried: set[str] = set()
        batch, began = waiting[:TOGETHER], arena.steady()
        # A letter whose try is forgotten goes once more, with the same bytes. Only of a post, which all would read
        # twice, and of a letter whose Date may be renewed, it has to be known at once; of others at the next start.
        marked = [one.letter for one in batch if is_post(one.letter) or one.filed is None or now - one.filed >= AGED]
        arena.index.outgoing.mark_handed(marked, handed=True)
        try:
            for letter in batch:
                tried.add(letter.letter)
                # what went before a failure of ours stays in `some`, and is noted
                some.append(_try(arena, doors, letter, now))
                if some[-1].pause or doors.stopping() or arena.steady() - began > AT_LEAST_EVERY:
                    break
        finally:
            done.troubles += _note_results(arena, some, now)
            tried -= {one.letter.letter for one in some if one.pause}  # that was no letter's doing: none was shown
            left = [
                letter.letter
                for letter in batch
                if letter.letter in marked and letter.letter not in tried
                if letter.untouched or is_post(letter.letter)
            ]
            left += [one.letter.letter for one in some if is_post(one.letter.letter) and not one.is_lost]
            arena.index.outgoing.mark_handed(left, handed=False)
        waiting = waiting[len(some) :]
        done.letters += sum(one.result == DELIVERED for one in some)
        failed = [one for one in some if one.result not in (DELIVERED, KEPT)]
        done.troubles += [one.result if one.pause else f"{one.letter.letter}: {one.result}" for one in failed]
        done.refused += [one.letter.letter for one in failed if one.settled]
        if some[-1].pause:
            done.away.append(some[-1].result)
            arena.index.outgoing.postpone_all(now + some[-1].pause)
            break
    return done


def _catch_up(arena: Arena, now: datetime) -> None:
    """
    Settle in the index the letters that a killed process had only noted on disk, so that they do not go again.

    Of the others nobody knows which it had handed to the mail server, so none of them gets a new Date.
    """
    noted: set[str] = set()
    places: dict[tuple[str, ...], set[str]] = {}
    for letter in arena.index.outgoing.to_send():
        places.setdefault(letter.place[:-2], set()).add(letter.letter)
    for post, names in places.items():
        with suppress(ShelfError):  # rather twice than never
            noted |= settled_letters(arena, post, names, with_kept=False)  # one that was kept may be released by now
    late = [letter.letter for letter in arena.index.outgoing.to_send() if letter.letter in noted]
    with arena.index.together():
        older = [one for one in arena.index.outgoing.to_send() if one.untouched and one.filed and one.filed < now]
        arena.index.outgoing.mark_handed(
            (one.letter for one in older if not one.letter.rpartition(".")[2].startswith("+")), handed=True
        )
        arena.index.outgoing.remove(late)
        arena.index.outgoing.count_sent(len(late), now)
    arena.caught_up = True


def _within_budget(arena: Arena, waiting: Sequence[Unsent], now: datetime) -> tuple[Sequence[Unsent], list[str]]:
    """Keep the letters for which the day's budget has room, those of the first rank before others."""
    daily = arena.settings.outbox.daily
    if not daily or not waiting:
        return waiting, []
    spent = arena.index.outgoing.sent_lately(now)
    chosen: set[str] = set()
    for letter in sorted(waiting, key=lambda letter: letter.rank):
        if spent + len(chosen) >= max(1, daily * SHARES[letter.rank] // 100):
            arena.index.outgoing.postpone_all(now + FULL, letter.rank)
            trouble = f"The budget of {daily} letters in 24 hours is used up: {len(waiting) - len(chosen)} wait."
            return [one for one in waiting if one.letter in chosen], [trouble]
        chosen.add(letter.letter)
    return waiting, []


def _try(arena: Arena, doors: Doors, letter: Unsent, now: datetime) -> Sent:
    """Try one letter; one whose file cannot be read is tried again, and again, until somebody puts it back."""
    try:
        raw = arena.shelf.read(*letter.place)
        to = recipient(raw)
        if not is_post(letter.letter) and arena.index.games.known_list([to.lower()]):
            return Sent(letter, TO_A_LIST, settled=True)
        if _is_kept(arena, letter.letter, to):
            return Sent(letter, KEPT, settled=True)
        raw = _fresh(arena, letter, raw, now)
        if is_post(letter.letter):
            raw = _without_redacted(arena, letter, raw)
        doors.outbox.send(arena.settings.arena.address, to, raw)
    except OutboxError as error:
        if error.pause:
            return Sent(letter, str(error), pause=error.pause)
        done = error.permanent or letter.tries + 1 >= GIVE_UP
        return Sent(letter, f"{'given up' if done else 'put off'}: {error}", settled=done, is_lost=error.is_lost)
    except ShelfError as error:
        return Sent(letter, f"not read: {error}")
    name = writing.name_of(raw) if is_post(letter.letter) else ""
    return Sent(letter, DELIVERED, counts=(caps.kind(letter.letter, raw), to), settled=True, name=name)


def _without_redacted(arena: Arena, letter: Unsent, raw: bytes) -> bytes:
    """Return a post as it goes: without what was taken off what everybody reads while it waited."""
    ruleset = arena.ledger(GameName(letter.letter.partition(".")[0])).table.ruleset
    said = multipart.text_of(raw)
    shown = published.without(said, published.redacted(arena.shelf, letter.place[:2], ruleset))
    return raw if shown == said else writing.retold(raw, shown)


def _fresh(arena: Arena, letter: Unsent, raw: bytes, now: datetime) -> bytes:
    """Return a letter as it goes: with a new Date, durably, where it waited long and nobody has seen the old one."""
    date = writing.dated(raw)
    if not letter.untouched or date is None or now - date < AGED:
        return raw
    renewed = writing.redated(raw, now)
    try:
        arena.shelf.write(renewed, *letter.place)
    except ShelfError:  # a full disk: it goes as it is on file
        return raw
    return renewed


def _is_kept(arena: Arena, letter: str, to: str) -> bool:
    known = game_letter(letter)
    if known is None or known.template not in UNASKED:
        return False
    person = arena.people.find(to)
    return person is not None and arena.people.is_gone(person)


def _note_results(arena: Arena, some: Sequence[Sent], now: datetime) -> list[str]:
    """
    Note results beside the letters, durably, and then in the index; return what could not be noted.

    A place where nothing can be noted must not make letters go twice, there or anywhere else: the index knows, and
    they are noted there once that can be done.
    """
    places: dict[tuple[str, ...], dict[str, str]] = {}
    for sent in (one for one in some if not one.pause):
        line = {"letter": sent.letter.letter, "at": now, "result": sent.result, "settled": sent.settled}
        places.setdefault(sent.letter.place[:-2], {})[sent.letter.letter] = append_only.encode("sent", line).decode()
    failed = _append(arena, {post: "".join(lines.values()) for post, lines in places.items()})
    troubles = [*dict.fromkeys(map(str, failed.values()))]
    late = [(letter, post, line) for post in failed for letter, line in places[post].items()]
    again = [sent.letter for sent in some if not sent.settled and not sent.pause]
    # What is noted beside the letters is known again at the next start. Only what could not be noted there, and of
    # which post a copy is to come, is known here alone.
    is_soon = not late and not any(sent.name for sent in some)
    # If the index fails now: what stands in sent.toml is read there before more letters go; the rest we remember.
    arena.caught_up, arena.not_noted = False, [sent for sent in some if sent.letter.place[:-2] in failed]
    with arena.index.together(soon=is_soon):
        arena.index.outgoing.keep_results(late)
        arena.index.outgoing.retry_at(
            (letter.letter, now + BACK_OFF[min(letter.tries, len(BACK_OFF) - 1)]) for letter in again
        )
        arena.index.outgoing.remove(sent.letter.letter for sent in some if sent.settled)
        arena.index.outgoing.note_posted(((sent.letter.letter, sent.name) for sent in some if sent.name), now)
        arena.index.outgoing.count_sent(sum(sent.result == DELIVERED for sent in some), now)
        for sent in some:
            kind, to = sent.counts
            if kind:
                caps.spend(arena, kind, to, now)
    arena.caught_up, arena.not_noted = True, ()
    return troubles


def _note_kept_results(arena: Arena) -> None:
    """Note what could not be noted when the letters went."""
    kept = arena.index.outgoing.kept_results()
    failed = _append(arena, kept)
    for post in kept:
        if post not in failed:
            arena.index.outgoing.forget_results(post)


def _append(arena: Arena, places: Mapping[tuple[str, ...], str]) -> dict[tuple[str, ...], ShelfError]:
    """Note lines at places that are still there, with one sync; return where that failed, and why."""
    if not places:
        return {}
    failed: dict[tuple[str, ...], ShelfError] = {}
    batches: dict[Batch, tuple[str, ...]] = {}
    try:
        with arena.shelf.wave() as wave:
            for post, lines in places.items():
                try:
                    if wave.exists(*post):
                        batch = wave.batch()
                        batch.append(lines.encode(), *post, "sent.toml")
                        batches[batch] = post
                except ShelfError as error:
                    failed[post] = error
            return failed | {batches[batch]: error for batch, error in wave.finish().items()}
    except UnsyncedError as error:
        return failed | dict.fromkeys(batches.values(), error)
    except ShelfError as error:  # the arena's folder itself
        return dict.fromkeys(places, error)


def recipient(raw: bytes) -> str:
    """Return the address that a letter of ours is for. Errors: ShelfError."""
    match = re.search(rb"^To: (.+?)\r?$", raw, re.MULTILINE)
    if not match:
        raise ShelfError("a letter of ours has no To line")
    return match[1].decode()
