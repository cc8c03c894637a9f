"""What a ruleset owes: its one contract, with what most games need not say of themselves; knows no game."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import (
    Change,
    Complaint,
    Fact,
    Facts,
    Given,
    Option,
    OrderLine,
    Outcome,
    Parsed,
    Phase,
    Seat,
)
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.language.reader import N, P, Reader

CONTRACT = 2
"""The number of the contract that stands here; it goes up where a ruleset that was written before could go wrong."""


class Ruleset(Protocol[N, P]):
    """
    A kind of game. All functions are pure: same arguments, same answer, for ever; arguments stay unchanged.

    A game's class inherits from this. It says at least `name`, `title`, `version`, `seats`, `event_kinds`,
    `phase_kinds` and `state_type`, and defines `setup`, `phase`, `reader` and `adjudicate`. All else that it does not
    define is as it stands here. A ruleset folder's `__init__.py` offers one as `RULESET`; another package does in the
    entry-point group `pbem.rulesets`.
    """

    name: str
    """The folder's name, as in `pbem new NAME`."""
    title: str
    """For people: "Harbour"."""
    package: str = ""
    """The package whose folder `templates` holds its words; "" where they are in pbem's own `templates/<name>/`."""
    contract: int = 1
    """The number of the contract that it was written for, which is `CONTRACT` at that time."""
    version: int
    """Goes up when the same orders would come out differently; `changed` says how."""
    grammar: int = 1
    """Goes up when a canonical line, of an order or an effect, would be read otherwise than it was written."""
    options: tuple[Option, ...] = ()
    """The house rules, in the order in which the first letter prints them."""
    seats: range
    """How many seats a game may have."""
    event_kinds: frozenset[str]
    """Every `Event.kind` that `adjudicate` can give; each has a wording."""
    phase_kinds: tuple[str, ...]
    """Every `Phase.kind` in which orders are taken, in the order of play; calendars and reviews name them."""
    questions: tuple[str, ...] = ()
    """Those of `phase_kinds` of which another phase is as it asks something in its middle: no report comes of them."""
    reviewed: tuple[str, ...] = ()
    """The kinds of phase whose proof waits for the moderator unless the charter says otherwise."""
    reserved: frozenset[str] = frozenset()
    """Names that nobody may take, as seats are written, since orders or rulings mean something else by them."""
    openings: frozenset[str] = frozenset()
    """Words with which no name may begin, since such a name on a line of its own is an order ("Throw Far")."""
    called: tuple[str, ...] = ("Zoe", "Max", "Kim")
    """Names such as players have in it: invitations suggest the first that nobody has."""
    says_left: bool = False
    """Whether `templates/<name>/leftover.j2` says, of the facts of a set, what it leaves over and where that goes."""
    figures: Mapping[str, int] = {}
    """The numbers of the rules that `opening.j2` and `handbook.j2` name."""
    state_type: type[N]
    """The class of its states: a frozen record that msgspec can write and read."""
    forms: Sequence[str] = ()
    """Examples of orders, as `forms.examples` makes them from the tables, for `handbook.j2`."""
    settable: tuple[str, ...] = ()
    """Fields of the state that rulings can set: "wind", or one that maps seats, "coins" of `set coins of Ada = 3`."""
    derived: tuple[str, ...] = ()
    """What rulings can overrule in an adjudication: "wind", or of each seat, "bid" of a verdict's key `bid of ada`."""
    values: Mapping[str, Sequence[str]] = {}
    """The values of those facts that are words, such as places or directions: {"wind": ("east", "west")}."""

    def changed(self, state: N, since: int) -> tuple[Change, ...]:
        """Return the changes since a version of the rules that can still matter in this game."""
        return ()

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> N:
        """Return the first state, for seats with the names that people chose, in seat order."""
        ...

    def phase(self, state: N) -> Phase:
        """Say which phase a state is in."""
        ...

    def view(self, state: N, seat: Seat) -> N:
        """
        Return the state as a seat may know it, in which whatever is hidden from it is as if it were unknown.

        Bots, forms, sets on hand and a moderator who plays see no other; `asked` and `hand` are called with it.
        """
        return state

    def label(self, state: N, seat: Seat) -> str:
        """Return the name of a seat as reports show it now ("Doctor Cuttlefish")."""
        return state.names[seat]

    def reader(self, state: N) -> Reader[N, P]:
        """Return what reads the mails of the phase that a state is in, and writes its orders."""
        ...

    def hear(self, state: N, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[P]:
        """Read a seat's mail, its talk apart from its orders."""
        return self.reader(state).hear(state, seat, lines)

    def parse(self, state: N, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[P]:
        """Read lines (blank ones included) of which each is meant as an order: no sums across lines."""
        return self.reader(state).parse(state, seat, lines)

    def names_given(self, orders: Sequence[P]) -> Collection[str]:
        """Return the names that a set gives to anybody, so that nobody is called as the arena is, or the moderator."""
        return ()

    def in_block(self, state: N, text: str) -> bool:
        """Say whether a line begins free text: as far as the next blank line nothing in it is a request."""
        return False

    def check(self, state: N, seat: Seat, orders: Sequence[P]) -> tuple[Complaint, ...]:
        """Return what is wrong with a set as a whole, such as one over its budget; we never shorten such a set."""
        return ()

    def merged(self, state: N, seat: Seat, held: Sequence[P], sent: Sequence[P]) -> Sequence[P]:
        """Return the set that is meant where `held` is on hand: what was sent, unless that is only a part of one."""
        return sent

    def is_in_order(self, state: N) -> bool:
        """Say whether it matters which line of a set stands before which, as where the first that can be done is."""
        return False

    def told_apart(self, state: N, orders: Sequence[P], *, adds: bool) -> tuple[Sequence[P], Sequence[P]]:
        """
        Return what a mail says without what it says twice, and the orders that say something again.

        Shape: the sender is asked about the latter, such as a second amount for one thing; none where the mail `adds`
        to the set on hand.
        """
        return orders, ()

    def lacks(self, state: N, seat: Seat, orders: Sequence[P]) -> str:
        """Return "" when a set is complete, else what it lacks, as a clause ("one more power")."""
        return "" if orders else "an order"

    def may_be_short(self, state: N, seat: Seat, orders: Sequence[P]) -> bool:
        """Say whether a set that lacks something is complete once its sender says `ready`."""
        return False

    def stands(self, state: N, seat: Seat, orders: Sequence[P]) -> bool:
        """Say whether a set can stand for later phases of its kind, where the charter or its sender wants it to."""
        return True

    def format(self, state: N, orders: Sequence[P]) -> tuple[str, ...]:
        """Write orders as canonical lines: `parse` of them gives the same orders."""
        return tuple(map(partial(self.reader(state).write, state), orders))

    def missing(self, state: N, seat: Seat, dice: Dice) -> tuple[P, ...]:
        """Return the orders of a seat that sent nothing."""
        return ()

    def adjudicate(self, state: N, orders: Mapping[Seat, Sequence[P]], given: Given, dice: Dice) -> Outcome[N]:
        """Close the phase. `orders` has an item for each seat that owes, if need be from `missing`, or sent some."""
        ...

    def asked(self, state: N, seat: Seat) -> Facts:
        """Return the facts for `templates/<name>/asked.j2`: how things stand, what is asked, the form's blanks."""
        return {}

    def hand(self, state: N, seat: Seat, orders: Sequence[P]) -> Facts:
        """Return the facts for `templates/<name>/hand.j2`: a set on hand with its sums, and a forecast."""
        return {"orders": list(self.format(state, orders))}

    def is_out(self, state: N, seat: Seat) -> bool:
        """Say whether a seat is out of the game for good, so that nobody need take it over."""
        return False

    def sides(self, state: N) -> Mapping[Seat, str]:
        """Return the team of each seat that is on one; empty where everybody plays alone."""
        return {}

    def standing(self, state: N) -> Mapping[str, Fact]:
        """Return every fact of the state that `set` may change, keyed by its name ("energy of mantisman")."""
        found: dict[str, Fact] = {}
        for kind in self.settable:
            held = getattr(state, kind)
            found |= (
                {f"{kind} of {seat}": held[seat] for seat in state.names} if isinstance(held, Mapping) else {kind: held}
            )
        return found

    def name_fact(self, state: N, said: str) -> str | Unread:
        """Find the key of a fact, of the state or of an adjudication, that a person named in words."""
        kinds = tuple(dict.fromkeys((*self.settable, *self.derived)))
        single = [kind for kind in kinds if not isinstance(getattr(state, kind, {}), Mapping)]
        if phrases.clean(said).lower() in single:
            return phrases.clean(said).lower()
        if not kinds:
            return Unread("illegal", f"{self.title} has no facts that a ruling can name.")
        match = re.fullmatch(rf"({'|'.join(kinds)})\s+(?:of\s+)?(.+)", phrases.clean(said), re.IGNORECASE)
        if not match:
            known = [kind if kind in single else f"{kind} NAME" for kind in kinds]
            return Unread("unreadable", f"Name {phrases.listed(known)}.")
        seat = phrases.find(match[2], state.names, "player")
        return seat if isinstance(seat, Unread) else f"{match[1].lower()} of {seat}"

    def read_value(self, state: N, key: str, said: str) -> Fact | Unread:
        """Read the value that a person gave to a fact; it can read every value in the form in which letters show it."""
        kind = key.partition(" of ")[0]
        known = {word: word for word in self.values.get(kind, ())}
        return phrases.find(said, known, kind) if known else phrases.value(said)

    def amend(self, state: N, key: str, value: Fact) -> N | Unread:
        """Return the state with one fact of `standing` set."""
        kind, of, seat = key.partition(" of ")
        held = self.standing(state).get(key)
        if held is None:
            return Unread("illegal", f"Only {phrases.listed(self.settable, 'and')} can be set.")
        if type(held) is not type(value):
            return Unread("illegal", f"Write {'yes or no' if isinstance(held, bool) else 'a number'} for {key}.")
        record: Any = state
        changed: N = msgspec.structs.replace(record, **{kind: {**getattr(state, kind), seat: value} if of else value})
        return changed

    def effect(self, state: N, said: str) -> str | Unread:
        """Read what stands after `do` and return it in canonical words, or say what would have worked."""
        return Unread("illegal", f"{self.title} has no effects.")

    def lapsed(self, state: N, effect: str) -> bool:
        """Say whether an effect that holds each round, in canonical words, can no longer do anything."""
        return False

    def dump(self, state: N) -> dict[str, Any]:
        """Return the state as plain TOML values; `load` of them gives the same state."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
        return plain

    def load(self, data: Mapping[str, Any], version: int) -> N:
        """Return the state that `dump` wrote, under this version of the rules, which may be an older one."""
        return msgspec.convert(data, self.state_type)

    def translated(self, lines: Sequence[str], grammar: int) -> tuple[str, ...]:
        """Return canonical lines of an older grammar in today's words; called once for each as the journal is read."""
        return tuple(lines)
