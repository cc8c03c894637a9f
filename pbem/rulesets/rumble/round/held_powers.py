"""What powers do without being used: who cannot fall, who is saved from it, and which powers are used up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from pbem.ruleset import Reckoning
from pbem.rulesets.rumble.effect import Drop, Endure, Revive
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.powers.engine.active_abilities import keeps_in
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Number
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.record import Round


def hold(round_: Round, book: Reckoning) -> Round:
    """Add the effects of powers that hold without being used; a discarded power holds no more."""
    effects = (*round_.effects, *enduring(round_.state), *revivals(round_.state))
    return msgspec.structs.replace(round_, effects=effects)


def revivals(state: State) -> tuple[Revive, ...]:
    """
    Return how powers save their owners from falling: those that keep a death from happening before those that undo it.

    Rule: A26, C27.
    """
    found: list[Revive] = []
    for power, ability in _held(state):
        if isinstance(ability.instead or ability.when, lines.Death):
            revive = next(one.effect for one in ability.does if isinstance(one.effect, lines.Revive))
            assert isinstance(revive.amount, Number)
            found.append(Revive(power.owner, revive.amount.value, power.key, bursts=ability.when is not None))
    return tuple(sorted(found, key=lambda one: one.bursts))


def _held(state: State) -> Iterator[tuple[Power, Ability]]:
    """Yield the abilities that those who are in have, in order of the powers' numbers."""
    seats = {hero.seat for hero in state.living}
    for power in sorted(state.powers, key=lambda power: power.number):
        if power.in_play and power.owner in seats and runs(power.lines):
            yield from ((power, ability) for ability in abilities(power.lines))


def enduring(state: State) -> tuple[Endure, ...]:
    """Return the powers that keep heroes from falling at all. Rule: C15."""
    return tuple(Endure(hero.seat, one.key) for hero in state.living for one in state.owned(hero.seat) if keeps_in(one))


def used_up(tolls: Mapping[str, Toll], already: Collection[str] = ()) -> tuple[Drop, ...]:
    """Return the powers that go because they saved somebody, except those that had `already`."""
    return tuple(Drop(key) for toll in tolls.values() for key in toll.saved_by if key and key not in already)


def struck_away(reactions: Reactions) -> tuple[Drop, ...]:
    """Return the powers that were taken out of play in the blows, by others or by themselves."""
    return tuple(Drop(key) for key in dict.fromkeys(reactions.discards))


def drop_used_up(round_: Round, book: Reckoning) -> Round:
    """Take out of play what has saved heroes from their costs."""
    state, events = application.rework(round_.state, used_up(round_.tolls))
    return msgspec.structs.replace(round_, state=state).with_events("powers", *events)


def rework(round_: Round, book: Reckoning) -> Round:
    """Carry out what concerns the powers themselves: what the moderator says, and what went in the round."""
    went = dict.fromkeys((*struck_away(round_.reactions), *used_up(round_.tolls, round_.rescuers)))
    state, events = application.rework(round_.state, (*round_.effects, *went))
    return msgspec.structs.replace(round_, state=state).with_events("powers", *events)
