"""What a seat can order, as frozen values; neither writes orders nor carries them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from pbem.ruleset import Placed, phrases
from pbem.rulesets.rumble.model.state import IfWon, PowerKind

BlockHow = Literal["first", "points", "largest", "smallest", "evenly"]
Wish = Literal["", "yes", "maybe", "no"]
Sign = Literal["<", "<=", "=", ">=", ">"]


class Invent(Placed, frozen=True, eq=False):
    """A power sent to the pool (R17)."""

    name: str
    text: str
    kind: PowerKind = "power"


class Unsigned(Placed, frozen=True, eq=False):
    """Nobody is to be told what its seat has invented, not when the game is over either (R17)."""


class Amend(Placed, frozen=True, eq=False):
    """A new text for a power of the pool, by whoever invented it (B18)."""

    power: str
    text: str


class Bid(Placed, frozen=True, eq=False):
    """A bid on a power of the pool, with sealed replacements (B2), and what is wished if it is won (R22, B17)."""

    power: str
    amount: int
    then: tuple[int, ...] = ()
    discard: Wish = ""
    won: IfWon = IfWon()


class Name(Placed, frozen=True, eq=False):
    """The hero's name (B10)."""

    name: str


class Attack(Placed, frozen=True, eq=False):
    """Energy allocated against one opponent (R6); `also` says that it is meant besides another such line (A4)."""

    on: str
    amount: int
    also: bool = False


class Defend(Placed, frozen=True, eq=False):
    """Energy allocated to Defence (R6); `also` as with an Attack (A4)."""

    amount: int
    also: bool = False


class Use(Placed, frozen=True, eq=False):
    """
    A power used; what it spends, burns and drains is for one use (R12-R14, N12).

    Shape: `on` is what it names, a seat or a pool number, "" for nothing; `then` is what it names besides: whom
    else, or what next where the first cannot be.
    """

    power: str
    on: str = ""
    spend: int = 0
    burn: int = 0
    x: int = -1
    times: int = 1
    then: tuple[str, ...] = ()
    drain: int = 0


class Never(Placed, frozen=True, eq=False):
    """A power that its owner might use, and does not (C25)."""

    power: str


class Move(Placed, frozen=True, eq=False):
    """Energy moved from Attacks to Defence at the reveal (C26): -1 is all; `on` is the target of that Attack."""

    amount: int
    on: str = ""


class Packets(Placed, frozen=True, eq=False):
    """In which order damage of one moment counts as the first, the second, ...: by whom it is from, or to (C17)."""

    first: tuple[str, ...]


class Captions(Placed, frozen=True, eq=False):
    """Words to shout, one for each source of damage: that one deals, or that is dealt to `on` (C31)."""

    words: tuple[str, ...]
    on: str = ""


class Hold(Placed, frozen=True, eq=False):
    """Energy kept back for a power that allocates later (R16); `also` as with an Attack (A4)."""

    amount: int
    power: str
    also: bool = False


class Ask(Placed, frozen=True, eq=False):
    """To be asked once all orders lie open, for whichever power, or for one (C2)."""

    power: str = ""


class Plan(Placed, frozen=True, eq=False):
    """
    What becomes of Energy held back (R16).

    Shape: `steps` are what a power that runs by itself does; of any other the `text` is for the moderator.
    """

    power: str
    text: str
    steps: tuple[Step, ...] = ()


class Block(Placed, frozen=True, eq=False):
    """How Defence is divided among attackers (R9): by order of heroes, by points, or by size."""

    how: BlockHow
    first: tuple[str, ...] = ()
    points: tuple[int, ...] = ()


class Discard(Placed, frozen=True, eq=False):
    """A power given up at the reveal (B6)."""

    power: str


class Confirm(Placed, frozen=True, eq=False):
    """Yes, burn me to nothing (A9)."""


class Pass(Placed, frozen=True, eq=False):
    """Nothing to say, where one was asked (C2, N8)."""


class Resign(Placed, frozen=True, eq=False):
    """Leave the game (A25)."""


class Idle(Placed, frozen=True, eq=False):
    """Energy that is to be left unallocated, at most so much of it: -1 is all that the other lines leave (A1)."""

    amount: int = -1


class Test(msgspec.Struct, frozen=True):
    """
    One test of a condition.

    Shape: `kind` is one of "always", "my energy", "energy", "heroes left", "out", "in" (known when the round
    begins), "attacked by", "attack from", "incoming", "damage", "would die", "targeted by", "uses" (known at the
    reveal); `seat`, `power` and the comparison where the kind needs them.
    """

    kind: str
    seat: str = ""
    sign: Sign = "="
    number: int = 0
    power: str = ""

    def holds(self, value: int) -> bool:
        """Compare a value with the test's number."""
        return phrases.holds(self.sign, value, self.number)


class If(Placed, frozen=True, eq=False):
    """Orders that stand only where every test holds, and others that stand where not."""

    tests: tuple[Test, ...]
    then: tuple[RoundOrder, ...]
    otherwise: tuple[RoundOrder, ...] = ()


Step: TypeAlias = Attack | Defend | If
"""What can stand in a plan that runs by itself."""


class Command(Placed, frozen=True, eq=False):
    """Orders for a Sidekick (N11): what stands behind the colon of its line."""

    seat: str
    orders: tuple[RoundOrder | If, ...]


RoundOrder: TypeAlias = (
    Name
    | Attack
    | Defend
    | Use
    | Never
    | Move
    | Packets
    | Captions
    | Ask
    | Hold
    | Plan
    | Block
    | Discard
    | Confirm
    | Pass
    | Resign
    | Idle
)
Order: TypeAlias = Invent | Unsigned | Amend | Bid | RoundOrder | If | Command
Orders: TypeAlias = Mapping[str, Sequence[Order]]
"""The sets of a phase by the seats or heroes that they are of."""
