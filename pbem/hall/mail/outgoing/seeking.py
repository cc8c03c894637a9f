"""What a letter says and the journal does not have: facts of the arena, by the names under which views seek them."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pbem.ground.terms import Facts
from pbem.hall.mail.outgoing import last_heard, resent, topics, wording
from pbem.hall.store.arena import Arena
from pbem.hall.store.game_folder import folders
from pbem.hall.store.ledger import Step
from pbem.table.model.calendar import show_instant
from pbem.table.outgoing.letter import Owed
from pbem.table.requests.manuals import Help


class Seeking(NamedTuple):
    """A letter that is about to be rendered; `facts` are those that every letter gets, `zone` is its reader's."""

    arena: Arena
    step: Step
    letter: Owed
    facts: Facts
    zone: str
    when: Callable[[datetime], list[str]]
    shared: wording.Shared


def found(seeking: Seeking) -> Facts:
    """Return what the view of a letter seeks."""
    return {name: _FACTS[name](seeking, seeking.letter.view) for name in seeking.letter.view.sought}


def _heard(at: Seeking, _: Any) -> Mapping[str, str]:
    said = last_heard.last_heard(at.arena, at.step)
    return {seat: show_instant(when, at.zone) for seat, when in said.items()}


def _past_reports(at: Seeking, view: Any) -> list[str]:
    """Return the public reports whose title has the wanted words; all of them if there are none."""
    place, shelf = ("games", at.step.after.charter.game), at.arena.shelf
    names = [name for name in folders(shelf, place) if shelf.exists(*place, name, "report.txt")]
    texts = [shelf.read(*place, name, "report.txt").decode() for name in names]
    return [text for text in texts if view.wanted.lower() in text.split("\n", 1)[0].lower()]


def _reports(at: Seeking, view: Any) -> list[Facts]:
    return resent.reports(at.arena, at.step.after, at.letter.seat, view.report_of)


def _topic(at: Seeking, view: Any) -> topics.Topic:
    """Return what the handbook that this reader would get says of a topic."""
    table = at.step.after
    about = Help().answer(table, at.letter.seat)
    facts = view.facts() | at.facts | about.view.facts()
    handbook = wording.letter(at.arena.words, table, about.template, facts, about.parts, at.when, at.shared)
    return topics.find(handbook, view.about)


def _code(at: Seeking, view: Any) -> str:
    return at.arena.thread_code(at.step.after.charter.game, view.role, view.nth)


_FACTS: Mapping[str, Callable[[Seeking, Any], Any]] = {
    "heard": _heard,
    "past_reports": _past_reports,
    "reports": _reports,
    "topic": _topic,
    "code": _code,
}
