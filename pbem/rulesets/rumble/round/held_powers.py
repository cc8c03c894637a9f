"""What powers do without being used: who cannot fall, who is saved from it, and which powers are used up."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from pbem.ruleset import Reckoning
from pbem.rulesets.rumble.effect import Drop, Effect, Endure, Revive, of_kind
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.engine.active_abilities import held_by
from pbem.rulesets.rumble.powers.engine.deeds import deeds
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.engine.scene import View, at_rest
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.lines import Ability
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
    found = [
        msgspec.structs.replace(one, bursts=ability.when is not None)
        for ability, effects in _held(state, lines.Revive)
        for one in of_kind(effects, Revive)
    ]
    return tuple(sorted(found, key=lambda one: one.bursts))


def enduring(state: State) -> tuple[Endure, ...]:
    """Return the powers that keep heroes from falling at all. Rule: C15."""
    return tuple(one for _, effects in _held(state, lines.Endure) for one in of_kind(effects, Endure))


def _held(state: State, kind: type[lines.Revive | lines.Endure]) -> Iterator[tuple[Ability, Sequence[Effect]]]:
    """Yield what powers of those who are in hold to, in order of their numbers, each with its ability."""
    holding = [power for power in state.powers if power.in_play and held_by(power, kind)]
    now = at_rest(state) if holding else None
    for power in sorted(holding, key=lambda power: power.number):
        if now and power.owner in now.fighting:
            view = View(scene=now, me=power.owner, power=power)
            for ability, effect in held_by(power, kind):
                yield ability, deeds(effect, view)


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
    state, events = application.rework(round_.state, (*round_.said, *went))
    return msgspec.structs.replace(round_, state=state).with_events("powers", *events)
