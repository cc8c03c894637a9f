"""The tokens of those who play in a game: computed from their role, and found again in what answers a letter."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Self

from pbem.ground.terms import GameName, Seat
from pbem.letters import addressing
from pbem.table.model.table import DEPUTY, Table


class Bearer(NamedTuple):
    """
    Whose letters of a phase bear a token: a seat, the deputy, or the moderator, whose key is None.

    Shape: `leaks` counts how many tokens of theirs were seen in other hands in this phase.
    """

    game: GameName
    phase: int
    key: Seat | None
    role: str
    leaks: int

    @classmethod
    def of(cls, table: Table, key: Seat | None, phase: int) -> Self:
        """Return a role of a game in a phase; people who had a seat before have other tokens than who has it now."""
        past = len(table.past.get(key, ())) if key else 0
        role = (f"seat {key}" + f" in other hands {past}" * bool(past)) if key else "moderator"
        role = f"deputy {table.deputy}" if key == DEPUTY else role
        leaks = table.leaks.get((key or "", phase), 0) if phase == table.number else 0
        return cls(table.charter.game, phase, key, role, leaks)

    def token(self, secret: bytes, question: int = 0) -> str:
        """Return the token of a letter; where it asks something in the middle of the phase, of that question."""
        asked = f" question {question}" * bool(question)
        again = f" after {self.leaks}" * bool(self.leaks)
        return addressing.token(secret, self.game, self.phase, f"{self.role}{asked}{again}")

    def button(self, secret: bytes, own: str) -> str:
        """Return the token of the buttons in a letter: it changes with the letter's own, and does less."""
        return addressing.token(secret, self.game, self.phase, f"button beside {own}")


class Found(NamedTuple):
    """The key of the role whose letter bears a token, its phase, and which question of that it asked, 0 for none."""

    key: Seat | None
    phase: int
    question: int


def find(
    secret: bytes, table: Table, token: str, phase: int, questions: int, among: Iterable[Seat | None] | None = None
) -> Found | None:
    """
    Return whose letter of a phase bears a token, among so many questions; None where nobody's does.

    Shape: all roles are looked at, or those `among` which it is likely to be.
    """
    keys = (*table.seats, None, *([DEPUTY] if table.deputy else [])) if among is None else among
    return _of_phase(secret, tuple(Bearer.of(table, key, phase) for key in keys), questions).get(token)


@lru_cache(maxsize=256)  # a token that nobody bears is looked for in all phases, also those ahead
def _of_phase(secret: bytes, bearers: tuple[Bearer, ...], questions: int) -> Mapping[str, Found]:
    found: dict[str, Found] = {}
    for bearer in bearers:
        for question in range(questions + 1 if bearer.key else 1):
            own = bearer.token(secret, question)
            found[own] = Found(bearer.key, bearer.phase, question)
            if bearer.key not in (None, DEPUTY):
                found[bearer.button(secret, own)] = found[own]
    return found
