"""Founding: a new game's charter, seed and invitations."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from pbem.ground import chance, records
from pbem.ground.terms import CharterError, GameName, Person, TemplateError
from pbem.hall.commands import presets
from pbem.hall.mail.outgoing import filing
from pbem.hall.store.arena import OWN_LIST, Arena
from pbem.hall.store.catalogue import templates_needed
from pbem.hall.store.ledger import Ledger, Step, plans
from pbem.hall.store.pausing import at_once
from pbem.hall.store.people import OWN, Contact
from pbem.hall.sweep import finish, waves
from pbem.language import phrases
from pbem.letters import addressing, rendering
from pbem.ruleset import Ruleset
from pbem.table.fold import replay
from pbem.table.fold.journal import FIRST_SUM, Entry, GameFounded, PersonInvited
from pbem.table.model import charter
from pbem.table.model.charter import Charter
from pbem.world.index.outgoing import Unsent
from pbem.world.shelf import Batch

NO_OTHERS: Mapping[GameName, Sequence[str]] = {}


def found_game(
    arena: Arena,
    game: GameName,
    ruleset: str,
    *,
    moderator: str,
    invited: Sequence[str],
    seats: int,
    now: datetime,
    seed: bytes | None = None,
    house: Mapping[str, str | int | bool] | None = None,
    calendar: Mapping[str, Any] | None = None,
    told: Callable[[int], object] = lambda _: None,
    others: Mapping[GameName, Sequence[str]] = NO_OTHERS,
    **terms: Any,
) -> Charter:
    """
    Make a game: its seed is drawn and sealed, its charter written, and the invitations journaled.

    Shape: `moderator` and `invited` are mail addresses; `terms` are other fields of the charter, such as `preset`,
    whose house rules and terms hold where nothing else is said; `others` are more games to be made on the same terms,
    with whom to invite to each, and with seeds of their own; how many have been made is `told` as it goes on.
    Errors: CharterError with the option that holds the mistake and what was expected; TemplateError with what the
    words of the ruleset lack, of which the arena's moderator has a letter too. Nothing is written of any game then.
    ShelfError where some could not be written; those before them are founded.
    """
    for one in (game, *others):
        game_name(arena, one)
    known = arena.rulesets.get(ruleset)
    if known is None:
        unknown = f'There is no ruleset "{ruleset}". {records.meant(ruleset, arena.rulesets)}'
        raise CharterError(" ".join([unknown, *arena.not_loaded]))
    address(moderator)
    for asked in (invited, *others.values()):
        addresses(asked)
    everybody = [*dict.fromkeys((moderator, *invited, *(one for asked in others.values() for one in asked)))]
    chosen = presets.preset(known, terms.get("preset", ""))
    seed = seed or secrets.token_bytes(32)
    wanted = Charter(
        game=game,
        ruleset=ruleset,
        version=known.version,
        moderator=Person("p-0"),
        seats=seats,
        created=now,
        seal=chance.seal(seed),
        house={**chosen.house, **(house or {})},
        calendar=presets.calendar(chosen, calendar or {}),
        **{"review": known.reviewed, **chosen.terms, **terms},
    )
    wanted = charter.with_shortest_phase(wanted)
    if addressing.is_ours(wanted.mailing_list, arena.settings.arena.address):
        raise CharterError(f"On the command line, --list: {OWN_LIST}")
    if wanted.forum and arena.settings.forum is None:
        raise CharterError("On the command line, --forum: settings.toml has no [forum]")
    box = addressing.normal(moderator)
    for person in everybody:
        if person.casefold() != moderator.casefold() and addressing.normal(person) == box:
            raise CharterError(
                f"{person} is the moderator's mailbox in another form. Invite {moderator} to let the moderator play"
            )
        if addressing.is_ours(person, arena.settings.arena.address):
            raise CharterError(OWN.format(person))
    people = [addressing.normal(one) for one in everybody]
    if addressing.normal(wanted.mailing_list) in people or arena.people.find(wanted.mailing_list):
        raise CharterError(
            "On the command line, --list: that is a person's address. Name a list that has the arena on it"
        )
    if any(arena.index.games.known_list([one.lower()]) for one in everybody):
        raise CharterError("A mailing list cannot be invited, nor moderate: all on it would read those letters.")
    wrong = charter.fault(wanted, arena.rulesets) or charter.clash(wanted, known)
    if wrong:
        raise CharterError(f"On the command line, {_option(wrong.keys)}: {wrong.message}")
    charter.read(charter.as_text(wanted), arena.rulesets, "the command line")
    wanted = msgspec.structs.replace(wanted, moderator=arena.people.person(moderator))
    first = replay.first(wanted, known, seed)
    contacts = {arena.people.person(one): Contact(address=one) for one in (moderator, *invited)}
    try:
        _check_words(arena, known, plans(first, _entries(arena, invited, now)), contacts)
    except TemplateError as error:
        because = f"{game} was not founded: {error}"
        arena.index.counters.note_odd([because], now)
        raise TemplateError(because) from error
    arena.people.admit_all(everybody)
    new = [New(wanted, seed, invited), *(_another(wanted, one, asked) for one, asked in others.items())]
    for done in range(0, len(new), waves.MOST):
        _found(arena, known, new[done : done + waves.MOST], now)
        told(min(done + waves.MOST, len(new)))
    return wanted


def advice(arena: Arena, wanted: Charter) -> tuple[str, ...]:
    """Return what somebody who has founded a game should know of its terms."""
    return tuple(filter(None, [charter.advice(wanted, arena.rulesets[wanted.ruleset])]))


class New(NamedTuple):
    """A game that is to be founded: its charter, the seed that it seals, and whom to invite."""

    terms: Charter
    seed: bytes
    invited: Sequence[str]


def _another(wanted: Charter, game: GameName, invited: Sequence[str]) -> New:
    """Return another game on the same terms."""
    seed = secrets.token_bytes(32)
    return New(msgspec.structs.replace(wanted, game=game, seal=chance.seal(seed)), seed, invited)


def _entries(arena: Arena, invited: Sequence[str], now: datetime) -> list[Entry]:
    """Return the first entries of a game."""
    people = enumerate(map(arena.people.person, invited), 2)
    asked = [PersonInvited(number=place, noted=now, person=person) for place, person in people]
    return [GameFounded(number=1, noted=now), *asked]


def _found(arena: Arena, ruleset: Ruleset[Any, Any], new: Sequence[New], now: datetime) -> None:
    """Write games, a wave of them. Errors: ShelfError with why the first of those that failed did."""
    with arena.index.together(soon=True):  # whoever is killed now leaves none behind that no sweep looks at
        arena.index.games.mark_busy(one.terms.game for one in new)
    begun: list[tuple[Ledger, Batch, list[Unsent]]] = []
    with arena.shelf.wave() as wave:
        for terms, seed, invited in new:
            batch = wave.batch()
            ledger = Ledger(arena.shelf, ("games", terms.game), terms, replay.first(terms, ruleset, seed), FIRST_SUM)
            ledger.reopened = False
            batch.write(seed, "secrets", f"{terms.game}.seed", instead_of=b"")
            ledger.put(batch, *_entries(arena, invited, now))
            letters = at_once(finish.put(arena, ledger, (), batch))
            batch.then()  # a game is one once it has its charter, and then all of it is there
            batch.write(charter.as_text(terms).encode(), "games", terms.game, "charter.toml", stamped=True)
            begun.append((ledger, batch, letters))
        failed = wave.finish()
    with arena.index.together():
        for ledger, batch, letters in begun:
            if batch not in failed:
                ledger.stand(batch)
                finish.note(arena, ledger, letters, now)
    for error in failed.values():
        raise error


def _check_words(
    arena: Arena, ruleset: Ruleset[Any, Any], steps: Sequence[Step], contacts: Mapping[Person, Contact]
) -> None:
    """Look for all templates that a game's letters need, and render its first ones. Errors: TemplateError."""
    missing = rendering.mistakes(arena.words, templates_needed(ruleset))
    if missing:
        raise TemplateError(f"{'; '.join(missing)}.")
    for step in steps:
        for letter in step.letters():
            filing.body(arena, step, letter, contacts.__getitem__)


def _option(keys: tuple[str, ...]) -> str:
    """Name the option of `pbem new` that fills a key of the charter."""
    table, key = keys[0], keys[-1]
    if table == "house":
        return f"--house {key}"
    if table == "calendar" and key not in ("reminders", "grace", "second_thought"):
        return f"--calendar {key}"
    return {"seats": "--invite or --seats", "mailing_list": "--list"}.get(key, f"--{key.replace('_', '-')}")


def game_name(arena: Arena, name: str) -> GameName:
    """Check the name of a new game. Errors: CharterError with what a name may hold, or that it is taken."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", name) or name == "desk":
        raise CharterError(f'"{name}" cannot name a game. Use small letters, figures and dashes, such as ember-7')
    if arena.has_game(name):
        raise CharterError(f"There is a game called {name} already. Choose another name.")
    if arena.shelf.exists("games", name):
        raise CharterError(
            f"There is a folder games/{name} without a charter: somebody took that away, or the founding was stopped. "
            "Put the charter back, move the folder away, or choose another name."
        )
    if arena.shelf.exists("secrets", f"{name}.seed"):
        raise CharterError(
            f"There is a secrets/{name}.seed, of an earlier game of that name, or of one whose founding was stopped. "
            "Move it to where that game's folder is now, or choose another name."
        )
    return GameName(name)


def address(text: str) -> str:
    """Check a mail address that somebody typed. Errors: CharterError with one that would have worked."""
    if not phrases.is_address(text):
        printable = "".join(letter if letter.isprintable() else "?" for letter in text)
        raise CharterError(f'"{printable}" is no mail address. Write one such as ada@example.org')
    return text


def addresses(texts: Sequence[str]) -> list[str]:
    """
    Check mail addresses, each of another person.

    Errors: CharterError naming the one that is there twice, or in two forms of one mailbox.
    """
    seen: dict[str, str] = {}
    for one in map(address, texts):
        other = seen.get(addressing.normal(one), "")
        if other.casefold() == one.casefold():
            raise CharterError(f"{one} is invited twice. Name each person once")
        if other:
            raise CharterError(
                f"{one} and {other} are one mailbox, so one person would have two seats. If they are two people, give "
                "one of them another address"
            )
        seen[addressing.normal(one)] = one
    return list(texts)
