"""Which letters of ours a mail may be quoting, and which one it answers."""

from collections.abc import Iterable, Sequence

from pbem.ground.identity import GameLetter, game_letter
from pbem.ground.terms import Person, Seat
from pbem.hall.store.arena import Arena
from pbem.hall.store.game_folder import entries_from
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.letters import Words
from pbem.letters import addressing
from pbem.table.model.table import BaseEntry
from pbem.table.outgoing.letter import reader_of
from pbem.table.outgoing.posts import places

LATEST = 12
"""How many of our latest letters to a reader are taken away from what they write."""
WITH_WORDS = ("words", "press")
"""The letters with a player's own words in them, which are answered in later phases too."""


def words_sent(arena: Arena, ledger: Ledger, seat: Seat | None, person: Person, references: Iterable[str]) -> list[str]:
    """
    Return the texts that a person may be quoting: the letter that they answer, and our latest to this reader.

    Shape: `references` are Message-IDs with brackets, the one that is answered first.
    """
    return _texts(arena, ledger, reader_of(ledger.table, seat, person), references)


def posts_sent(arena: Arena, ledger: Ledger, references: Iterable[str]) -> list[str]:
    """Return the texts that somebody at the public places of a game may be quoting, in the same way."""
    return [text for place in places(ledger.table) for text in _texts(arena, ledger, place, references)]


def answered(
    arena: Arena, ledger: Ledger, seat: Seat | None, person: Person, references: Sequence[str]
) -> GameLetter | None:
    """
    Return which letter of this game's a mail answers, if it is one of those that its writer may be quoting.

    Shape: `references` are Message-IDs with brackets, the one that is answered first.
    """
    theirs = _quotable(arena, ledger, reader_of(ledger.table, seat, person), references)
    name = _name(references[0]) if references else ""
    return game_letter(next((identity for identity, said in theirs.items() if said.name == name), ""))


def entries_since(arena: Arena, ledger: Ledger, letter: GameLetter | None) -> tuple[BaseEntry, ...]:
    """
    Return the entries of earlier phases from the one that called for a letter with a player's words on.

    Shape: nothing for other letters, which are answered in their own phase, nor for those of this one.
    """
    log = ledger.table.log
    if letter is None or letter.template not in WITH_WORDS or (log and log[0].number <= letter.entry):
        return ()
    return entries_from(arena.shelf, ledger.place, letter.entry, ledger.table.ruleset)


def _texts(arena: Arena, ledger: Ledger, reader: str, references: Iterable[str]) -> list[str]:
    found = _quotable(arena, ledger, reader, references).values()
    return [text for one in found for text in (one.text, one.rich) if text]


def _quotable(arena: Arena, ledger: Ledger, reader: str, references: Iterable[str]) -> dict[str, Words]:
    """Return a reader's latest letters and those that a mail answers, the newest first, by their identities."""
    sent = _sent(arena, ledger, reader)
    found = {identity: _read(arena, ledger, identity) for identity in sent[: -LATEST - 1 : -1]}
    answered = {_name(reference) for reference in references}
    missed = {name for name in answered if addressing.is_name(arena.secret, name)}
    missed -= {said.name for said in found.values()}
    named = _named(arena, ledger, reader) if missed else {}
    older = {named[name] for name in missed if name in named}
    older |= {identity for identity in answered if game_letter(identity) and identity in sent}
    older -= found.keys()
    return found | {one: _read(arena, ledger, one) for one in sorted(older, key=sent.index, reverse=True)}


def _named(arena: Arena, ledger: Ledger, reader: str) -> dict[str, str]:
    """Return all letters to a reader by the name under which each went out, for which each is read once."""
    sent, named = _sent(arena, ledger, reader), ledger.named.setdefault(reader, {})
    for identity in sent[len(named) :]:
        name = _read(arena, ledger, identity).name
        named[identity if name in named else name] = identity
    return named


def _sent(arena: Arena, ledger: Ledger, reader: str) -> list[str]:
    """Return the identities of all letters to a reader, the oldest first."""
    if reader not in ledger.sent:
        names = arena.shelf.names(*ledger.place, "post", "out")
        theirs = (game_letter(name.removesuffix(".eml")) for name in names if name.endswith(f".{reader}.eml"))
        ledger.sent[reader] = [str(one) for one in sorted(filter(None, theirs), key=lambda one: one.entry)]
    return ledger.sent[reader]


def _name(reference: str) -> str:
    return reference.strip("<>").rpartition("@")[0]


def _read(arena: Arena, ledger: Ledger, identity: str) -> Words:
    return arena.read_letter(*ledger.place, "post", "out", f"{identity}.eml")
