"""Which talk of a player's mail the moderator reads: what is plainly for them, what else is said, and from when on."""

import re
import textwrap
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pbem.ground.terms import Seat
from pbem.language import phrases
from pbem.speech import chatter, courtesies, for_moderator, small_talk
from pbem.speech.chatter import COMMON, EVERYDAY, HARMLESS, bases
from pbem.speech.small_talk import WEAK
from pbem.table.incoming import player_lines, secrecy, talk
from pbem.table.model.table import Table

MOST_LINES = 5
"""The most lines of a mail that the moderator reads of what is not plainly for them, as wide as letters are."""
WIDTH = 54
"""Characters of such a line."""
MOST_OF_A_SIGNATURE = 4
"""How many lines a signature has at most, where nothing marks it as one."""
MOST_LOOKED_AT = 60
"""Of how many lines of a paragraph is asked what they may tell; further ones may tell all."""
_KNOWN = HARMLESS | EVERYDAY | COMMON | WEAK
_MINE = frozenset(("i", "i'm", "i've", "i'll", "i'd", "me", "my", "mine", "myself"))
_CAPITAL = re.compile(r"(?<=\s)[A-Z][\w'\u2019-]*")
"""A name of a place or a person within a sentence."""


class ToModerator(NamedTuple):
    """
    Talk that the moderator reads.

    Shape: `plain` are paragraphs with a line that is for them by what it says; `others` what else was said that is no
    order, no request and no courtesy; `held` are lines of both that may tell what somebody orders.
    """

    plain: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


def find(
    table: Table,
    seat: Seat,
    mail: Sequence[str],
    paragraphs: Sequence[Sequence[str]],
    doubts: Collection[str] = (),
    *,
    is_answer: bool,
) -> ToModerator:
    """
    Find the talk of a mail that is for the moderator, in paragraphs of such.

    `doubts` are lines of it that may change their set on hand.

    Shape: of a paragraph with a line that is plainly for the moderator all goes, in an answer to their own words of
    each paragraph; of the others a few lines. No order goes that cannot be read, since the receipt complains of it, nor
    what the word private keeps back.
    """
    found: dict[str, list[str]] = {"plain": [], "others": [], "held": []}
    room = MOST_LINES
    kept = [lines for lines in paragraphs if not any(map(for_moderator.is_all_private, lines))]
    signed = _signature(mail)
    for lines in kept:
        said = [line for line in lines if not for_moderator.is_private(line)]
        orders = frozenset(line for line in said[:MOST_LOOKED_AT] if is_order(table, line))
        if is_answer or any(for_moderator.is_for_moderator(line) and line not in orders for line in said):
            parts = list(_addressed(table, said, orders, doubts, is_answer=is_answer))
            found["plain"] += filter(None, ["\n".join(text for text, is_held in parts if not is_held).strip()])
            found["held"] += [text for text, is_held in parts if is_held]
            continue
        for text, is_held in _unaddressed(table, seat, said, orders, doubts) if room else ():
            if room and text not in signed:
                shown, used = _cut(text, room)
                room -= used
                found["held" if is_held else "others"].append(shown)
    # One text of a mail: of those that wait for leave only some are kept.
    others, held = (("\n".join(found[name]),) if found[name] else () for name in ("others", "held"))
    return ToModerator(tuple(found["plain"]), others, held)


def is_order(table: Table, text: str) -> bool:
    """
    Say whether an unread line is meant as an order: it begins as one does, and more of it is of the game.

    Shape: where orders may begin with any word, so does all that is no sentence and does not speak of its writer.
    """
    if table.status in ("sign-up", "over"):
        return False
    if not table.verbs:
        is_said = small_talk.is_whole(text) or not _MINE.isdisjoint(chatter.words(text))
        return not is_said and not for_moderator.is_for_moderator(text)
    words = {*table.verbs, *table.ruleset.openings} - chatter.CHANGING - COMMON
    rest = phrases.clean(text).partition(" ")[2]
    return bool(rest) and talk.begins(text, words) and secrecy.may_tell(table, rest)


def may_tell(table: Table, text: str, doubts: Collection[str]) -> bool:
    """Say whether talk may tell what somebody orders, or speaks of their set and not of themselves."""
    unsure = [line for line in text.split("\n") if line in doubts and chatter.may_change(line)]
    changes = any(_MINE.isdisjoint(chatter.words(line)) for line in unsure)
    return changes or secrecy.may_tell(table, text)


def _addressed(
    table: Table, said: Sequence[str], orders: Collection[str], doubts: Collection[str], *, is_answer: bool
) -> Iterator[tuple[str, bool]]:
    """Yield what goes of a paragraph for the moderator, and whether it is held; a sentence that asks goes whole."""
    for place, run in enumerate(_sentences(said, orders)):
        if run[0] in orders:
            yield from _of_order(run)
        else:
            text = "\n".join(run)
            is_asked = is_answer or any(map(for_moderator.asks, run))
            is_plain = any(map(for_moderator.is_for_moderator, run))
            tells = secrecy.may_tell(table, text, is_trouble=True) if is_plain else may_tell(table, text, doubts)
            yield text, not is_asked and (place >= MOST_LOOKED_AT or tells)


def _unaddressed(
    table: Table, seat: Seat, said: Sequence[str], orders: Collection[str], doubts: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield what goes of a paragraph of other talk, and whether it is held."""
    for run in _sentences(said[:MOST_LOOKED_AT], orders):
        text = "\n".join(run)
        if run[0] in orders:
            yield from _of_order(run)
        elif not _is_request(text) and not _is_courtesy(table, seat, " ".join(run)):
            is_held = may_tell(table, text, doubts)
            if not (is_held and _is_fragment(text)):
                yield text, is_held


def _of_order(run: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield what goes of an order and what it goes on with: it tells, but for a line that asks."""
    first, *rest = run
    if for_moderator.is_for_moderator(first):
        yield first, True
    yield from ((line, not for_moderator.is_for_moderator(line)) for line in rest)


def _sentences(lines: Sequence[str], orders: Collection[str]) -> list[list[str]]:
    """Put together the lines over which a sentence goes on."""
    runs: list[list[str]] = []
    for line in lines:
        if runs and line not in orders and talk.goes_on(runs[-1][-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _cut(text: str, room: int) -> tuple[str, int]:
    """Cut a text to so many lines of a letter, and say how many it takes."""
    shown = [part for line in text.split("\n") for part in textwrap.wrap(line, WIDTH) or [""]]
    if len(shown) <= room:
        return text, len(shown)
    return f"{' '.join(shown[:room])} ...", room


def _signature(said: Sequence[str]) -> frozenset[str]:
    """Return the last lines of a mail where they are its writer's name, and below it names and numbers alone."""
    for first in range(len(said) - 1, max(0, len(said) - MOST_OF_A_SIGNATURE), -1):
        is_name = small_talk.is_signature(said[first]) and not courtesies.has_command(said[first])
        if is_name and not any(map(_says_something, said[first:])):
            return frozenset(said[first:])
    return frozenset()


def _says_something(text: str) -> bool:
    """Say whether a line is more than names and numbers: it has a word in small letters, says I, or shouts."""
    words = text.split()
    is_shouted = text.isupper() and len(words) > 1
    return is_shouted or any(word[0].islower() for word in words) or not _MINE.isdisjoint(chatter.words(text))


def _is_request(text: str) -> bool:
    """Say whether a line is the word for a request, with hardly more, that nothing came of."""
    match = player_lines.REQUEST.match(phrases.without_stop(phrases.clean(text)))
    return match is not None and (not match["rest"] or len(text.split()) <= 2)


def _is_fragment(text: str) -> bool:
    """Say whether words that tell of orders are no more than a part of one: `- then hold`, `unless he runs`, `Bo`."""
    said = chatter.words(text)
    is_part = len(said) == 1 or not text[:1].isupper()
    return is_part and not small_talk.is_whole(text) and _MINE.isdisjoint(said)


def _is_courtesy(table: Table, seat: Seat, text: str) -> bool:
    """
    Say whether talk only greets, wishes well, speaks of the weather, or says that orders stand beside it.

    Shape: what speaks of its writer, or has a word that nobody knows and no capital, says more.
    """
    said = bases(chatter.without_idioms(text))
    if not said or talk.is_idle(table, seat, text):
        return True
    names = {word.casefold() for word in _CAPITAL.findall(text)}
    return _MINE.isdisjoint(chatter.words(text)) and names.union(_KNOWN).issuperset(said) and talk.is_clear(table, text)
