"""Mail of a mailing list on which we play: which list it is of, who wrote it, which of its games it is about."""

import re
from collections.abc import Iterable, Sequence

from pbem.hall.store.arena import Arena
from pbem.letters import addressing, machines, reading
from pbem.letters.reading import Letter
from pbem.table.model import seating

MOST_RECIPIENTS = 100
"""Of how many addresses that a mail names it is asked whether we play there."""


_MACHINE = re.compile(
    r"[-+](?:request|bounces?|owner|admin|confirm|conf(?:un)?sub|join|leave|(?:un)?subscribe|help|moderators?|faq|get|digest"
    r"|nomail|send|list)(?:[-+].*)?$"
)
"""How list servers go on behind the name of a list."""


def list_of(arena: Arena, letter: Letter) -> str:
    """Return the address of the list that a mail was posted to, where we play on it; "" for none."""
    named = dict.fromkeys(address.lower() for address in (*letter.lists, *letter.named))
    return arena.index.games.known_list([*named][:MOST_RECIPIENTS])


def is_lists_own(arena: Arena, sender: str) -> bool:
    """Say whether a sender is a list, or a machine of one: `ember-request@`, `ember+owner@`, `ember-confirm+TOKEN@`."""
    local, _, host = sender.lower().rpartition("@")
    machine = _MACHINE.search(local)
    names = [local, local[: machine.start()]] if machine else [local]
    return bool(arena.index.games.known_list([f"{name}@{host}" for name in names if name]))


def author(arena: Arena, letter: Letter) -> str:
    """
    Return the address of whoever posted a mail, "" where that is not clear.

    A list may put its own address in From, and the writer's in Reply-To or Cc. None of it proves anything.
    """
    here = arena.settings.arena.address
    for named in (letter.senders, letter.answer_to, letter.named):
        others = dict.fromkeys(address.lower() for address in named[:MOST_RECIPIENTS])
        found = [one for one in others if not addressing.is_ours(one, here) and not is_lists_own(arena, one)]
        if found:
            return found[0] if len(found) == 1 and not machines.is_machine(found[0]) else ""
    return ""


def game_of(arena: Arena, letter: Letter, mailing_list: str) -> str:
    """
    Return which of the games on a list a post is about, "" where that is not clear.

    What it says itself counts first: a wish to join, its subject, what it answers. Else it is the one that is played.
    """
    games = arena.index.games.on_list(mailing_list)
    names = [name for name, _ in games]
    wish = seating.wish(reading.newly(letter, ()))
    answered = (one.strip("<>").rpartition("@")[0] for one in letter.references)
    said = (
        *filter(None, (wish and wish[0],)),
        *reversed(re.findall(r"\[([a-z0-9][a-z0-9-]*)\]", letter.subject.lower())),
        *re.findall(r"[a-z0-9][a-z0-9-]*", letter.subject.lower()),
        *(one.partition(".")[0] for one in answered if addressing.is_name(arena.secret, one)),
    )
    return next((one for one in said if one in names), "") or _only([name for name, over in games if not over], names)


def _only(played: Sequence[str], known: Iterable[str]) -> str:
    names = played or [*known]
    return names[0] if len(names) == 1 else ""
