"""Powers at work in a round: what they see of it at each moment, and what they do then."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from pbem.ruleset import Reckoning
from pbem.rulesets.rumble.effect import Drop, Effect, EnergyChange, Give, Landing, Swap, Win, of_kind
from pbem.rulesets.rumble.model.order import Use
from pbem.rulesets.rumble.model.state import Power, State, discarded
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.powers.engine import actions
from pbem.rulesets.rumble.powers.engine.active_abilities import ActiveAbility, asks
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.engine.scene import Scene
from pbem.rulesets.rumble.powers.engine.shouts import before_shouts
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.hindrances import is_used
from pbem.rulesets.rumble.powers.language.runnable import running_abilities
from pbem.rulesets.rumble.round import lasting, values
from pbem.rulesets.rumble.round.held_powers import struck_away, used_up
from pbem.rulesets.rumble.round.record import Round


def start(round_: Round, book: Reckoning) -> Round:
    """Set powers of those who still fight to work, with the uses that were paid, and let them act on the blows."""
    state, tolls, allocations, fighting = round_.state, round_.tolls, round_.allocations, round_.fighting
    bases, _ = values.attack_bases(round_, book)
    scene = Scene(
        state=state,
        fighting=fighting,
        energy={seat: toll.energy for seat, toll in tolls.items()},
        made=bases,
        sent={(seat, on): n for seat in fighting for on, n in allocations[seat].attacks.items() if n}
        | {pair: n for pair, n in bases.items() if n},
        guarded={seat: allocations[seat].defence for seat in fighting},
        used={seat: _used(state, seat, allocations[seat], round_.by_rule) for seat in fighting},
        spent=_spent(allocations),
    )
    rescuers = frozenset(key for toll in tolls.values() for key in toll.saved_by)
    burnt = {seat: toll.burnt for seat, toll in tolls.items() if toll.burnt and toll.stands}
    running = abilities_at_work(state, allocations, fighting, round_.given_up | rescuers)
    burnt = burnt if burns_hurt(state) else {}
    return _acting(msgspec.structs.replace(round_, running=running, scene=scene, rescuers=rescuers, burnt=burnt), book)


def _acting(round_: Round, book: Reckoning) -> Round:
    """Return the round with what powers do while the blows fall, and how they will answer to them."""
    scene, due = round_.scene, lasting.due_now(round_)
    reactions = Reactions(
        running=round_.running,
        now=scene,
        dice=round_.dice.at("powers"),
        shouts=before_shouts(round_.state, book.claim),
        burnt=[Landing("", seat, "burn", points) for seat, points in round_.burnt.items()],
    )
    if not round_.running and not due:
        return msgspec.structs.replace(round_, reactions=reactions)
    valued = partial(values.valued, round_, book=book)
    effects, reactions.now = actions.before_blows(round_.running, due, valued)
    effects = (*round_.effects, *effects, *reactions.bursts(round_.rescuers))
    reactions.to_attacks()
    return msgspec.structs.replace(round_, effects=effects, reactions=reactions)


def burns_hurt(state: State) -> bool:
    """Say whether burnt Energy is damage, which nobody deals and nothing prevents. Rule: A10."""
    return state.house["burn_is_damage"] == "yes"


def abilities_at_work(
    state: State,
    allocations: Mapping[str, Allocation],
    fighting: tuple[str, ...],
    given_up: frozenset[str] = frozenset(),
) -> tuple[ActiveAbility, ...]:
    """
    List the abilities of those who fight: what holds, and each use, in order of the powers' numbers.

    Shape: `given_up` are powers that went at the reveal, as the price of a use or to save somebody; a use of theirs
    still counts, and so does what comes of a death.
    """
    return tuple(
        one
        for power in sorted(state.powers, key=lambda power: power.number)
        if (power.in_play or power.key in given_up) and power.owner in fighting
        for one in _of(power, allocations[power.owner])
        if power.in_play or one.use or isinstance(one.ability.when, lines.Death)
    )


def _of(power: Power, allocation: Allocation) -> Iterator[ActiveAbility]:
    uses = [use for use in allocation.uses if use.power == power.key]
    for ability in running_abilities(power.lines):
        if ability.costs:
            each = [use for use in uses for _ in range(use.times)]
            for place, use in enumerate(each, 1):
                yield ActiveAbility(power=power, ability=ability, use=use, place=place)
        elif not (ability.optional and power.key in allocation.nevers):
            taken = _together(uses) if uses and is_used(ability) else None
            captions = allocation.captions if ability.ask else ()
            yield ActiveAbility(power=power, ability=ability, use=taken, packets=allocation.packets, captions=captions)


def _together(uses: Sequence[Use]) -> Use:
    """Return as one what several lines say of a power that is taken up for nothing: all that they name, or anything."""
    named = tuple(name for use in uses for name in (use.on, *use.then)) if all(use.on for use in uses) else ("",)
    return msgspec.structs.replace(uses[0], on=named[0], then=named[1:])


def _used(state: State, seat: str, allocation: Allocation, by_rule: frozenset[str]) -> dict[str, int]:
    """
    Count uses by power; Energy held back for one is a use of it, and so are captions.

    Shape: what stands in `by_rule` the rules have used where its owner said nothing (C25), which is no use of theirs.
    """
    counted: dict[str, int] = {hold.power: 1 for hold in allocation.holds}
    counted |= {power.key: 1 for power in state.owned(seat) if allocation.captions and asks(power)}
    for use in (use for use in allocation.uses if use.power not in by_rule):
        counted[use.power] = counted.get(use.power, 0) + use.times
    return counted


def _spent(allocations: Mapping[str, Allocation]) -> dict[str, int]:
    spent: dict[str, int] = {}
    for use in (use for allocation in allocations.values() for use in allocation.uses):
        spent[use.power] = spent.get(use.power, 0) + use.spend * use.times
    return spent


def lose_what_went(round_: Round) -> Round:
    """
    Leave at work what still is when the blows are over: of what went in them only the uses that were ordered.

    Rule: C32.
    """
    gone = {one.power for one in (*struck_away(round_.reactions), *used_up(round_.tolls))}
    if not gone:
        return round_
    scene = msgspec.structs.replace(round_.scene, state=discarded(round_.scene.state, gone))
    running = tuple(one for one in round_.running if one.use or one.power.key not in gone)
    return msgspec.structs.replace(round_, running=running, scene=scene)


def shares_at_end(round_: Round, losing: Mapping[str, int]) -> tuple[EnergyChange, ...]:
    """Return what powers give and take once the blows are over; `losing` is what else is lost at the end (C14)."""
    standing = [
        one
        for one in round_.running
        if isinstance(one.ability.when, lines.RoundEnd) and round_.tolls[one.power.owner].stands
    ]
    if not standing:
        return ()
    now = _after_blows(round_)
    lost = {seat: lost + losing.get(seat, 0) for seat, lost in now.lost.items()}
    return actions.at_round_end(standing, msgspec.structs.replace(now, lost=lost))


def wins(round_: Round) -> tuple[Win, ...]:
    """Return who wins by a power at the end of the round, and by which, the first that does so last. Rule: A31."""
    winning = _as_they_are(round_, actions.doing(round_.running, lines.Win))
    if not winning:
        return ()
    now = _at_last(round_)
    found = of_kind(actions.effects_of(winning, now, lines.Win), Win)
    return tuple(win for win in reversed(found) if win.on in now.fighting)


def transfers(round_: Round) -> tuple[Give | Drop | Swap, ...]:
    """Return what changes hands: what went with Attacks first, then what powers do at the end of the round."""
    went = [one for one in of_kind(round_.reactions.riding, Give) if _goes(round_, one)]
    ending = _as_they_are(round_, [one for one in round_.running if one.ability.when == lines.RoundEnd()])
    return (*went, *(actions.at_control(ending, _at_last(round_)) if ending else ()))


def _goes(round_: Round, one: Give) -> bool:
    """Say whether a power goes with an Attack: both heroes are in, and it is still that of whoever attacked."""
    now, then = round_.state.power(one.power), round_.scene.state.power(one.power)
    if not now or not then or not now.in_play or now.owner != then.owner:
        return False
    pair = then.owner, one.on
    return pair in round_.blows.carried and all(round_.tolls[seat].stands for seat in pair)


def after_wins(round_: Round) -> Sequence[Effect]:
    """Return who is put out when nobody has won, and the powers that go then. Rule: C14."""
    late = [one for one in round_.running if one.ability.when == lines.RoundEnd(after_wins=True)]
    late = _as_they_are(round_, late)
    return actions.effects_of(late, _at_last(round_), lines.Eliminate, lines.Discard) if late else []


def _at_last(round_: Round) -> Scene:
    """Return the scene once all is written down: what was spent is in the state, and the last round still the last."""
    before = {hero.seat: hero.attacked for hero in round_.scene.state.heroes}
    heroes = tuple(msgspec.structs.replace(hero, attacked=before.get(hero.seat, ())) for hero in round_.state.heroes)
    state = msgspec.structs.replace(round_.state, heroes=heroes)
    return msgspec.structs.replace(_after_blows(round_), state=state, spent={})


def _as_they_are(round_: Round, running: Sequence[ActiveAbility]) -> list[ActiveAbility]:
    """Return those at work that still are, each under whoever has it by now; a use is its old owner's alone."""
    found: list[ActiveAbility] = []
    for one in running:
        power = round_.state.power(one.power.key)
        if power is None or (one.use and power.owner != one.power.owner):
            continue
        if not power.in_play and not one.use:
            continue
        if power.owner in round_.tolls and round_.tolls[power.owner].stands:
            found.append(msgspec.structs.replace(one, power=power))
    return found


def _after_blows(round_: Round) -> Scene:
    tolls, blows = round_.tolls, round_.blows
    dealt = {(source, on): n for on, dealers in blows.by.items() for source, n in dealers.items()}
    for on, damage in blows.damage.items():  # a ruling on the sum leaves open who dealt it
        if damage != sum(blows.by[on].values()):
            dealt = {pair: n for pair, n in dealt.items() if pair[1] != on} | {("", on): damage}
    dealt |= {("", seat): dealt.get(("", seat), 0) + burnt for seat, burnt in round_.burnt.items()}
    return msgspec.structs.replace(
        round_.scene,
        fighting=tuple(seat for seat in round_.scene.fighting if tolls[seat].stands),
        energy={seat: toll.energy for seat, toll in tolls.items()},
        lost={seat: -sum(amount for _, amount in toll.why if amount < 0) for seat, toll in tolls.items()},
        dealt=dealt,
    )
