"""Lets a mail of the corpus arrive, looks at what came of it from outside, and holds that against what is fair."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pbem.ground.terms import OrderLine, Seat
from pbem.language import phrases
from pbem.letters.reading import read
from tests.conftest import Room
from tests.listening.filling import filled
from tests.listening.said import Outcome, Said
from tests.listening.scenes import GAME, WRITER, Stage

ADA = Seat("mantisman")
Verdict: TypeAlias = Literal["right", "asked", "refused", "lost", "invented"]
"""
What became of a mail, from good to bad.

right: one of the outcomes that a fair reader accepts. asked: every order is on hand, and it is asked about something
that was clear. refused: an order is not taken, or a change not made, and the answer says so. lost: an order or a change is gone, or a line that
had to be named is not, and nothing says so. invented: what nobody ordered is on hand, an order that hangs on something
counts as if it did not, or a machine was taken for a person.
"""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
REFUSALS = ("Not taken", "Taken in part")
"""How an answer begins that refuses something; "Taken, but" asks, and refuses nothing."""

NOTHING = ("Not taken", "You have no orders on hand", "Your orders on hand are unchanged", "You have no seat yet")
"""How an answer says that nothing of a mail was taken."""


class Seen(NamedTuple):
    """
    What came of a mail.

    Shape: `before` and `hand` are the canonical orders on hand, before and after; `told` what the writer was answered,
    on one line, without our examples and forms; `moved` whether nothing more is awaited of the seat; `marks` is what a
    machine's mail must not change: tokens that count no more, letters that came back, seats, orders ahead.
    """

    before: tuple[str, ...]
    hand: tuple[str, ...]
    told: str
    answers: int
    moved: bool
    marks: tuple[Any, ...]
    marks_before: tuple[Any, ...]

    @property
    def refuses(self) -> bool:
        """Whether an answer says that something was not taken."""
        return any(words in self.told for words in REFUSALS)

    @property
    def asks(self) -> bool:
        """Whether an answer says that something was taken with a question."""
        return "Taken, but" in self.told or self.refuses

    def names(self, line: str) -> bool:
        """Say whether an answer names a line, or how it begins."""
        return bare(line)[:24] in bare(self.told)


def bare(text: str) -> str:
    """Return the letters and digits of a text, in one case."""
    return re.sub(r"[\W_]+", "", phrases.clean(text).casefold())


def seen(room: Room, raw: bytes) -> Seen:
    """Let a mail arrive in a room that stands open, and look at what came of it."""
    before, marks, sent = _hand(room), _marks(room), len(room.outbox.sent)
    room.mailbox.deliver(raw, room.clock.now())
    swept = room.sweep()
    answers = [raw for to, raw in room.outbox.sent[sent:] if to == WRITER]
    told = " ".join(line for raw in answers for line in read(raw).body if not line.startswith(("|", "~")))
    if swept.troubles:
        told += f" TROUBLE {swept.troubles}"
    table = room.table(GAME)
    moved = table.status == "open" and table.moved(ADA)
    return Seen(before, _hand(room), " ".join(told.split()), len(answers), moved, _marks(room), marks)


def _hand(room: Room) -> tuple[str, ...]:
    """Return what the writer has on hand; during sign-up, the seat that they took."""
    table = room.table(GAME)
    if table.status == "sign-up":
        return tuple(f"join as {one.name}" for seat, one in table.seats.items() if _is_writer(room, one.person))
    held = table.sets.hand.get(ADA)
    return held.orders if held else ()


def _is_writer(room: Room, person: Any) -> bool:
    return bool(room.arena.people.contact(person).address == WRITER)


def _marks(room: Room) -> tuple[Any, ...]:
    table = room.table(GAME)
    returned = {name: room.arena.people.contact(one.person).returned for name, one in table.seats.items()}
    return (dict(table.leaks), returned, dict(table.sets.later), table.waits, [*table.seats])


def verdict(said: Said, stage: Stage) -> Verdict:
    """Let a mail arrive in its scene, and judge what came of it."""
    with stage.lend(said.scene) as room:
        came = seen(room, filled(said, room))
        if said.machine:
            return of_machine(came)
        return judged(said, came, lambda lines: canonical(room, lines))


def of_machine(came: Seen) -> Verdict:
    """Judge what came of a machine's mail: nothing, but perhaps that somebody is asked to confirm it."""
    is_still = came.hand == came.before and came.marks == came.marks_before
    return "right" if is_still and (not came.answers or "confirm" in came.told) else "invented"


def judged(said: Said, came: Seen, written: Any) -> Verdict:
    """Hold what came of a person's mail against each outcome that is fair; the best of these verdicts counts."""
    return min((_held(one, came, written(one.taken)) for one in said.right), key=VERDICTS.index)


def _held(fair: Outcome, came: Seen, wanted: Sequence[str]) -> Verdict:
    missing, extra = _difference(wanted, came.hand), _difference(came.hand, wanted)
    if extra - _summed(came.before):
        return "invented"
    if extra or missing:
        is_told = all(_is_told(order, came) for order in missing) and (came.asks or not extra)
        return "refused" if is_told else "lost"
    if not all(came.names(line) for line in fair.named):
        return "lost"
    if fair.ready == "no" and came.moved:
        return "invented"
    if fair.ready == "yes" and not came.moved:
        return "asked"
    is_true = all(words in came.told for words in fair.says) and not any(words in came.told for words in fair.unsaid)
    return "right" if is_true else "asked"


def _is_told(order: str, came: Seen) -> bool:
    """Say whether an answer tells of an order that is missing: nothing was taken, or a line with its numbers was not."""
    if any(words in came.told for words in NOTHING):
        return True
    use = re.fullmatch(r"(use .+?) (?:spend|burn) \d+", order)  # of a fixed price, which few people write
    if use and came.names(use[1]):
        return came.asks
    numbers = re.findall(r"\d+", order)
    is_cut = "..." in came.told  # the line that is quoted goes on
    return came.asks and (is_cut or all(re.search(rf"(?<!\d){number}(?!\d)", came.told) for number in numbers))


def _difference(one: Iterable[str], other: Iterable[str]) -> Counter[str]:
    return _summed(one) - _summed(other)


def _summed(lines: Iterable[str]) -> Counter[str]:
    """Count lines; those of Rumble that add up are one."""
    sums: dict[str, int] = {}
    rest: list[str] = []
    for line in lines:
        match = re.fullmatch(r"(attack .+?|defend) (\d+)", line)
        if match:
            sums[match[1]] = sums.get(match[1], 0) + int(match[2])
        else:
            rest.append(line)
    return Counter([*rest, *(f"{what} {number}" for what, number in sums.items())])


def canonical(room: Room, lines: Sequence[str]) -> tuple[str, ...]:
    """Return orders in the words in which a hand holds them. Errors: AssertionError where they are none."""
    table = room.table(GAME)
    if table.status == "sign-up" or not lines:
        return tuple(lines)
    parsed = table.ruleset.parse(table.state, ADA, [OrderLine(number, text) for number, text in enumerate(lines, 1)])
    assert not parsed.complaints, parsed.complaints
    return tuple(table.ruleset.format(table.state, parsed.orders))
