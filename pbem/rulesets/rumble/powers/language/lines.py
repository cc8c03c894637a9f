"""The lines that a power is made of, each a type with its form; what comes of them is the engine's affair."""

from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias, get_args

import msgspec

from pbem.rulesets.rumble.powers.language.expressions import Expression, Name
from pbem.rulesets.rumble.powers.language.forms import Formed


class Spend(Formed, frozen=True):
    """Energy tied up for the round; it comes back (R14)."""

    FORM: ClassVar[str] = "spend {amount:number}"
    amount: Expression


class Burn(Formed, frozen=True):
    """Energy lost at the reveal (R14, A11)."""

    FORM: ClassVar[str] = "burn {amount:number}"
    amount: Expression


class Drain(Formed, frozen=True):
    """Energy lost when the power is used, which need not be allocated (N12)."""

    FORM: ClassVar[str] = "drain {amount:number}"
    amount: Expression


class Activate(Formed, frozen=True):
    """So many uses in a round at the most (N9)."""

    FORM: ClassVar[str] = "activate {times:count}"
    times: int


class Exhaust(Formed, frozen=True):
    """So many uses in a game at the most (N9)."""

    FORM: ClassVar[str] = "exhaust {times:count}"
    times: int


class Pay(Formed, frozen=True):
    """A power given up for the use, your own."""

    FORM: ClassVar[str] = "discard {power:power}"
    power: Expression


Price: TypeAlias = Spend | Burn | Drain | Activate | Exhaust | Pay
PRICES: tuple[type[Price], ...] = get_args(Price)


class RoundStart(Formed, frozen=True):
    """Before orders are asked for."""

    FORM: ClassVar[str] = "round start"


class RoundEnd(Formed, frozen=True):
    """When the blows are over: gains and losses, then eliminations, then powers change hands, then wins (C14)."""

    FORM: ClassVar[str] = "round end [after wins]"
    after_wins: bool = False


class AfterDamage(Formed, frozen=True):
    """When all damage of the blows is dealt."""

    FORM: ClassVar[str] = "after damage"


class Won(Formed, frozen=True):
    """When you win this power at the auction; choices go with the bid."""

    FORM: ClassVar[str] = "won"


class Damage(Formed, frozen=True):
    """Damage that gets through to somebody, one source at a time (C17)."""

    FORM: ClassVar[str] = "[{kind:attack|power}] damage [by {by:party}] [to {to:party}]"
    kind: str = ""
    by: Expression | None = None
    to: Expression | None = None


class Attacks(Formed, frozen=True):
    """An Attack, by its modified value, before Defence (C18)."""

    FORM: ClassVar[str] = "attack by {by:party} to {to:party} [of {least:number} or more]"
    by: Expression
    to: Expression
    least: Expression | None = None


class Death(Formed, frozen=True):
    """A hero whose Energy is gone, at a checkpoint (A8)."""

    FORM: ClassVar[str] = "death of {who:party}"
    who: Expression


Event: TypeAlias = RoundStart | RoundEnd | AfterDamage | Won | Damage | Attacks | Death
EVENTS: tuple[type[Event], ...] = get_args(Event)


class Choose(Formed, frozen=True):
    """What the owner names in the order; behind where, `it` is what might be named."""

    FORM: ClassVar[str] = (
        "{name:new} = {what:hero|opponent|power|attack|use} [of {of:whose}] [on {on:hero}] [where {test:test}]"
    )
    name: str
    what: str
    of: Expression | None = None
    on: Expression | None = None
    test: Expression | None = None


class EachHero(Formed, frozen=True):
    """For each hero of a set, all lines that do something."""

    FORM: ClassVar[str] = "{name:new} in {among:heroes}"
    name: str
    among: Expression


class EachAttack(Formed, frozen=True):
    """For each Attack on somebody; its name then stands for its modified value too."""

    FORM: ClassVar[str] = "{name:new} in attacks on {on:hero}"
    name: str
    on: Expression


class Nth(Formed, frozen=True):
    """Only the first, second, ... time that it happens: in a round, in a game, or for each hero apart."""

    FORM: ClassVar[str] = "{place:count} each {span:round|game} [per {per:hero}]"
    place: int
    span: str
    per: Expression | None = None


class Deal(Formed, frozen=True):
    """Damage from a power; Defence stops it unless it is unblockable (A13). Yours, unless from nobody."""

    FORM: ClassVar[str] = (
        "deal {amount:number} to {to:heroes} [unblockable] [from nobody] [in each of the next {rounds:count} rounds]"
    )
    amount: Expression
    to: Expression
    unblockable: bool = False
    from_nobody: bool = False
    rounds: int | None = None


class Gain(Formed, frozen=True):
    """Energy gained."""

    FORM: ClassVar[str] = "gain {who:heroes} {amount:number}"
    who: Expression
    amount: Expression


class Lose(Formed, frozen=True):
    """Energy lost; a loss is not damage, and nothing defends against it."""

    FORM: ClassVar[str] = "lose {who:heroes} {amount:number}"
    who: Expression
    amount: Expression


class SetEnergy(Formed, frozen=True):
    """Energy set to a number."""

    FORM: ClassVar[str] = "energy({who:hero}) = {amount:number}"
    who: Expression
    amount: Expression


class Shield(Formed, frozen=True):
    """Damage to somebody prevented this round: all of it, or so much."""

    FORM: ClassVar[str] = "shield {who:heroes} {amount:most}"
    who: Expression
    amount: Expression | None = None


class OnAttack(Formed, frozen=True):
    """The value of Attacks changed; any is each of them (A6, A15). Unblockable points ride on the Attack's damage."""

    FORM: ClassVar[str] = (
        "attack({source:anybody}, {on:anybody}) {sign:+=|-=|*=|=} {amount:number} [final] [unblockable]"
    )
    source: Expression
    on: Expression
    sign: str
    amount: Expression
    final: bool = False
    unblockable: bool = False


class OnDefence(Formed, frozen=True):
    """The value of a Defence changed; final comes after all other changes (A15)."""

    FORM: ClassVar[str] = "defence({who:hero}) {sign:+=|-=|*=|=} {amount:number} [final] [next round]"
    who: Expression
    sign: str
    amount: Expression
    final: bool = False
    next_round: bool = False


class PassDefence(Formed, frozen=True):
    """One Attack goes past a Defence, which is still there for others."""

    FORM: ClassVar[str] = "ignore defence({of:hero}) for attack({source:hero}, {on:hero})"
    of: Expression
    source: Expression
    on: Expression


class IgnoreAttack(Formed, frozen=True):
    """An Attack that comes to nothing; it was an Attack all the same (A33)."""

    FORM: ClassVar[str] = "ignore {attack:attack}"
    attack: Expression


class OnDamage(Formed, frozen=True):
    """The damage that is looked at, changed; 0 prevents it."""

    FORM: ClassVar[str] = "damage {sign:+=|-=|*=|=} {amount:number}"
    sign: str
    amount: Expression


class Forbid(Formed, frozen=True):
    """Heroes who cannot attack."""

    FORM: ClassVar[str] = "forbid attack by {by:heroes} [next round]"
    by: Expression
    next_round: bool = False


class Require(Formed, frozen=True):
    """A hero who has to attack another with so much, or with all there is."""

    FORM: ClassVar[str] = "require attack by {by:hero} on {on:hero} of {amount:number} [next round]"
    by: Expression
    on: Expression
    amount: Expression
    next_round: bool = False


class Discount(Formed, frozen=True):
    """What somebody's powers spend and burn is less (C12)."""

    FORM: ClassVar[str] = "costs({who:hero}) -= {amount:number}"
    who: Expression
    amount: Expression


class Give(Formed, frozen=True):
    """A power handed over, its Power Strength with it (B8)."""

    FORM: ClassVar[str] = "give {power:power} to {to:hero}"
    power: Expression
    to: Expression


class Discard(Formed, frozen=True):
    """A power out of play."""

    FORM: ClassVar[str] = "discard {power:power}"
    power: Expression


class Draw(Formed, frozen=True):
    """A power from the deck, with this one's Power Strength (C10)."""

    FORM: ClassVar[str] = "draw a power"


class Edit(Formed, frozen=True):
    """A single number of a power doubled or halved, as its owner says (C13)."""

    FORM: ClassVar[str] = "edit {power:power}"
    power: Expression


class Swap(Formed, frozen=True):
    """All powers and the Energy of two heroes change places."""

    FORM: ClassVar[str] = "swap powers and energy of {one:hero} and {other:hero}"
    one: Expression
    other: Expression


class Sidekick(Formed, frozen=True):
    """A hero of its own with so much Energy, under its owner's orders (N11, A17)."""

    FORM: ClassVar[str] = "sidekick {energy:number}"
    energy: Expression


class Revive(Formed, frozen=True):
    """A hero who would fall stays in, with so much Energy (A26)."""

    FORM: ClassVar[str] = "revive {who:hero} {amount:number}"
    who: Expression
    amount: Expression


class Eliminate(Formed, frozen=True):
    """Heroes who are out (C15)."""

    FORM: ClassVar[str] = "eliminate {who:heroes} [at the end of next round]"
    who: Expression
    at_the_end_of_next_round: bool = False


class Win(Formed, frozen=True):
    """A hero who wins the game, if still in at the win test (A31)."""

    FORM: ClassVar[str] = "win {who:hero}"
    who: Expression


class Endure(Formed, frozen=True):
    """A hero who cannot lose; Energy stops at 0 (C15)."""

    FORM: ClassVar[str] = "keep {who:hero} from losing"
    who: Expression


class Retarget(Formed, frozen=True):
    """A use of a power turned on somebody else whom it may be turned on (C3)."""

    FORM: ClassVar[str] = "retarget {use:use} to {to:hero}"
    use: Expression
    to: Expression


class Move(Formed, frozen=True):
    """Allocated Attack moved to Defence, as much as the order says (C3)."""

    FORM: ClassVar[str] = "move attack to defence"


class Later(Formed, frozen=True):
    """Energy held back is allocated once the others' orders lie open (R16)."""

    FORM: ClassVar[str] = "allocate after the reveal"


Effect: TypeAlias = (
    Deal | Gain | Lose | SetEnergy | Shield | OnAttack | OnDefence | PassDefence | IgnoreAttack | OnDamage | Forbid
    | Require | Discount | Give | Discard | Draw | Edit | Swap | Sidekick | Revive | Eliminate | Win | Endure
    | Retarget | Move | Later
)  # fmt: skip
EFFECTS: tuple[type[Effect], ...] = get_args(Effect)


class Does(msgspec.Struct, frozen=True):
    """What is done, and on what further condition."""

    effect: Effect
    test: Expression | None = None


class Ability(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """
    One thing that a power does, or lets its owner do.

    Shape: with `costs` it is used by an order, at the reveal if so said; with `when` it comes of something that
    happens, with `instead` before damage or a death takes effect; else it always holds. `tests` must all hold;
    `ask` is a question for the moderator, `optional` a choice of the owner's.
    """

    costs: tuple[Price, ...] = ()
    at_reveal: bool = False
    when: Event | None = None
    instead: Event | None = None
    each: EachHero | EachAttack | None = None
    nth: Nth | None = None
    choices: tuple[Choose, ...] = ()
    tests: tuple[Expression, ...] = ()
    optional: bool = False
    ask: str = ""
    does: tuple[Does, ...] = ()

    @property
    def event(self) -> Event | None:
        """Return what it waits for, or comes before."""
        return self.when or self.instead

    @property
    def effects(self) -> list[Effect]:
        """Return all effects, with and without conditions."""
        return [one.effect for one in self.does]

    def rows(self) -> Iterator[tuple[str, Any]]:
        """Yield the lines as they are written: the word that each begins with, and what stands behind it."""
        for word, field in FIELDS.items():
            said = getattr(self, field)
            yield from ((word, part) for part in (said if isinstance(said, tuple) else (said,)) if part)

    @property
    def takes_x(self) -> bool:
        """Say whether a use takes an X. Rule: A29."""
        return any(getattr(price, "amount", None) == Name("X") for price in self.costs)


FIELDS = {
    "cost": "costs", "at": "at_reveal", "when": "when", "instead": "instead", "each": "each", "nth": "nth",
    "choose": "choices", "if": "tests", "optional": "optional", "ask": "ask", "do": "does",
}  # fmt: skip
"""The fields of an ability, by the words that its lines begin with, in the order in which they are written."""

Effects: TypeAlias = tuple[Ability, ...]
"""All that a power does, one ability after the other."""
