"""Plays a few short games with formal lines before they take effect, and says what goes wrong; decides nothing."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from pbem.ruleset import Dice, Event, Given, Outcome, Seat, phrases
from pbem.rulesets.rumble.effects import do_lines
from pbem.rulesets.rumble.effects.power_rulings import Define, write
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Attack, Defend, Order
from pbem.rulesets.rumble.model.state import Hero, Power, State, dump, load
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.expressions import Call, Expression, Join, Not, Where
from pbem.rulesets.rumble.powers.language.lines import Deal
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs
from pbem.rulesets.rumble.powers.language.sense import expressions
from pbem.rulesets.rumble.rehearsal import examples
from pbem.rulesets.rumble.round import adjudication

GAMES = 8
ROUNDS = 3
"""Short games, in half of which two heroes have the power."""
DEEPEST = 3
"""How many sets of heroes may be looked through inside each other, or a round with many heroes would never end."""
PLENTY = 100
"""Energy that a hero gains in a round and that is worth a warning."""
_NAMES = {"ann": "Ann", "bo": "Bo", "cy": "Cy", "di": "Di"}
_DICE = Dice(bytes(32), "trial")


class Trial(msgspec.Struct, frozen=True):
    """What went wrong, "" if nothing did, and what is worth a second look."""

    wrong: str = ""
    warnings: tuple[str, ...] = ()


def canonical(state: State, text: str) -> str | phrases.Unread:
    """
    Read an effect and write it in canonical words; formal lines that fail their trial are refused.

    Errors: those of `do_lines.read`; `illegal` with what went wrong.
    """
    effect = do_lines.read(state, text)
    if isinstance(effect, Define) and (wrong := tried(do_lines.in_lines(effect)).wrong):
        return phrases.Unread("illegal", wrong)
    return effect if isinstance(effect, phrases.Unread) else write(effect)


@lru_cache(maxsize=1024)
def tried(lines: str) -> Trial:
    """
    Try lines that run by themselves: some games of a few rounds, orders and numbers by sealed dice.

    Rule: B16. They end, and every change of Energy has a cause that is told; else something is wrong.
    """
    effects = abilities(lines)
    if reading.read(reading.write(effects)) != effects:
        return Trial("These lines do not read back the same. Write them more plainly.")
    if any(_depth(of) > DEEPEST for ability in effects for of in expressions(ability)):
        return Trial(f"More than {DEEPEST} sets of heroes are looked through inside each other. Write it more plainly.")
    warnings: list[str] = []
    for number in range(GAMES):
        for wrong, is_grave in _game(lines, number):
            if is_grave:
                return Trial(wrong)
            warnings.append(wrong)
    warnings += [warning for twice, warning in _FEEDING.items() if _feeds(lines, twice=twice)][:1]
    return Trial(warnings=tuple(dict.fromkeys(warnings)))


def _depth(of: Expression) -> int:
    match of:
        case Where(among, test):
            return max(_depth(among), 1 + _depth(test))
        case Call(word, parts):
            return (word in ("most", "least", "rank")) + max(map(_depth, parts), default=0)
        case Join(_, left, right):
            return max(_depth(left), _depth(right))
        case Not(inner):
            return _depth(inner)
    return 0


def _game(lines: str, number: int) -> Iterator[tuple[str, bool]]:
    """Play one short game; yield what is wrong, each with whether that is grave."""
    dice = _DICE.at(str(number))
    twice = bool(number % 2)
    state = _begun(lines, dice, twice=twice)
    for turn in range(1, ROUNDS + 1):
        before, rolled = state, dice.at(str(turn))
        try:
            orders = {str(hero.seat): _orders(before, hero.seat, rolled.at(hero.seat)) for hero in before.living}
            outcome = adjudication.adjudicate(before, orders, Given(), rolled)
            kept = load(dump(outcome.state)) == outcome.state
        except Exception:  # noqa: BLE001  whatever it is, these lines are not to do it in a game
            yield "In a trial these lines could not be carried out. Say with do what the power does.", True
            return
        if not kept or not _accounted(before, outcome):
            yield "In a trial the Energy did not add up. Say with do what the power does.", True
            return
        yield from _endless(outcome.events, twice=twice)
        yield from _suspect(before, outcome, is_first=turn == 1)
        state = outcome.state
        if outcome.result:
            return


_FEEDING = {
    False: "What it leaves for later rounds brings about more of the same, round after round, without end.",
    True: "If two heroes had it, what they leave for later rounds would go on between them, without end.",
}
"""What is said of a power that goes on for ever once it has struck, by whether it takes two owners."""


def _feeds(lines: str, *, twice: bool) -> bool:
    """Say whether, after one round of blows, rounds in which nobody does anything leave ever more for later ones."""
    if not any(
        isinstance(one.effect, Deal) and one.effect.rounds for ability in abilities(lines) for one in ability.does
    ):
        return False
    dice = _DICE.at("feeds")
    state = _begun(lines, dice, twice=twice)
    state = msgspec.structs.replace(state, powers=state.powers[: 1 + twice])
    for turn in range(1, ROUNDS + 2):
        before = max((one.round for one in state.later), default=0)
        heroes = tuple(msgspec.structs.replace(hero, energy=PLENTY, out=-1, out_step=0) for hero in state.heroes)
        state = msgspec.structs.replace(state, phase="round", heroes=heroes)
        hits = {hero.seat: [Attack(on.seat, 20) for on in heroes if on != hero and turn == 1] for hero in heroes}
        blows: dict[str, tuple[Order, ...]] = {seat: (*attacks, Defend(0)) for seat, attacks in hits.items()}
        state = adjudication.adjudicate(state, blows, Given(), dice.at(str(turn)), is_told=False).state
        if turn > 1 and max((one.round for one in state.later), default=0) <= before:
            return False
    return True


def _begun(lines: str, dice: Dice, *, twice: bool) -> State:
    """Lay out a game of two to four heroes, with two powers of the archive besides."""
    seats = list(_NAMES)[: dice.face("heroes", 3) + 1]
    heroes = tuple(Hero(Seat(seat), _NAMES[seat], 20 * dice.face(f"energy {seat}", 6)) for seat in seats)
    company = dice.shuffle("company", [one for one in archive() if runs(one.lines) and one.lines != lines])[:2]
    powers = [Power(1, "This", "", owner="ann", strength=20, lines=lines)]
    powers += [Power(2, "That", "", owner="bo", strength=10, lines=lines)] if twice else []
    powers += [
        Power(number, one.name, one.text, owner=seats[-1], strength=15, lines=one.lines)
        for number, one in enumerate(company, 3)
    ]
    return State(phase="round", round=dice.face("round", 9), house=dict(DEFAULTS), heroes=heroes, powers=tuple(powers))


def _orders(state: State, seat: str, dice: Dice) -> tuple[Order, ...]:
    """Order what is legal: a use, some Attacks, the rest Defence."""
    others = [hero for hero in state.living if hero.seat != seat]
    orders: list[Order] = []
    if seat == "ann":
        target = dice.pick("target", others)
        used = examples.use_of(state, seat, target.name, dice.face("X", 20))
        orders += [used] if used and not sets.check(state, seat, [used]) else []
    for other in others:
        attack = Attack(other.seat, 10 * dice.face(f"attack {other.seat}", 4) - 10)
        orders += [attack] if not sets.check(state, seat, [*orders, attack]) else []
    defend = Defend(10 * dice.face("defence", 5) - 10)
    return tuple(orders if sets.check(state, seat, [*orders, defend]) else [*orders, defend])


def _accounted(before: State, outcome: Outcome[State]) -> bool:
    """Say whether what everybody has is what they had with all that is told of it, and powers alone brought more."""
    now = {hero.name: hero.energy for hero in before.heroes}
    bringing = {power.name for power in before.powers} | {"set", "revived", "cannot lose"}
    for event in outcome.events:
        if event.kind == "stands":
            now[event.facts["hero"]] += sum(part["amount"] for part in event.facts["why"])
            if any(part["amount"] > 0 and part["what"] not in bringing for part in event.facts["why"]):
                return False
        if event.kind == "round_began":
            now[event.facts["hero"]] += event.facts["amount"]
    return now == {hero.name: hero.energy for hero in outcome.state.heroes}


def _endless(events: Sequence[Event], *, twice: bool) -> Iterator[tuple[str, bool]]:
    if any(event.kind == "endless" for event in events):
        if twice:
            yield "If two heroes had it, they could strike at each other without end; that is broken off [C24].", False
        else:
            yield "In a trial what follows from its damage would not end. Let it happen once: nth: 1 each round", True


def _suspect(before: State, outcome: Outcome[State], *, is_first: bool) -> Iterator[tuple[str, bool]]:
    by_power = outcome.result and len([hero for hero in outcome.state.heroes if hero.is_in]) > 1
    if is_first and by_power and outcome.result and "ann" in outcome.result.winners:
        yield "In a trial its owner wins in the very first round.", False
    for event in outcome.events:
        if event.kind == "stands":
            gained = [part["amount"] for part in event.facts["why"] if part["what"] in ("This", "That")]
            if sum(gained) > PLENTY:
                yield f"In a trial it brings more than {PLENTY} Energy in a single round.", False
