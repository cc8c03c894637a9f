"""What a round leaves for rounds to come: what powers do later, and what they look back on."""

import msgspec

from pbem.ruleset import EVERYONE, Event, Reckoning
from pbem.rulesets.rumble.effect import Effect, due, of_kind
from pbem.rulesets.rumble.model.state import Later, State
from pbem.rulesets.rumble.round.record import Round


def due_now(round_: Round) -> list[Effect]:
    """Return what powers left for this round, as far as it still concerns somebody."""
    state, fighting = round_.state, round_.fighting
    found = [one for one in state.later if one.round == state.round and one.on in fighting]
    kept = [one for one in found if one.hero in ("", *fighting)] if orphans_are_void(state) else found
    return [due(one) for one in kept]


def remember(round_: Round, book: Reckoning) -> Round:
    """Note what powers look back on."""
    scene, reactions, state = round_.scene, round_.reactions, round_.state
    pairs = dict.fromkeys([*scene.made, *scene.sent])
    attacked = {seat: tuple(on for by, on in pairs if by == seat) for seat in scene.fighting}
    heroes = tuple(msgspec.structs.replace(hero, attacked=attacked.get(hero.seat, ())) for hero in state.heroes)
    times: dict[str, int] = {}
    for used in scene.used.values():
        times |= used
    powers = tuple(
        msgspec.structs.replace(
            power,
            used=power.used + times.get(power.key, 0),
            spent=power.spent + scene.spent.get(power.key, 0),
            fired=power.fired + reactions.fired.get(power.key, 0),
        )
        if power.lines and (power.key in times or power.key in reactions.fired)
        else power
        for power in state.powers
    )
    shouted = (*state.shouted, *(shout.word for shout in reactions.shouts.made))
    state = msgspec.structs.replace(state, heroes=heroes, powers=powers, shouted=shouted)
    return msgspec.structs.replace(round_, state=state)


def leave(round_: Round, book: Reckoning) -> Round:
    """Leave what powers put off for rounds to come, and tell everybody what is ahead."""
    state = round_.state
    left = (*state.later, *of_kind(round_.effects, Later), *round_.reactions.later)
    ahead = tuple(one for one in left if one.round > state.round)
    state = _orphaned(msgspec.structs.replace(state, later=ahead))
    round_ = msgspec.structs.replace(round_, state=state)
    return round_.with_events("powers", *_ahead(round_.before, state))


def _orphaned(state: State) -> State:
    """Return a state without what powers of heroes who are out have left, where the house wants it so. Rule: A19."""
    if not orphans_are_void(state):
        return state
    owners = {power.name: power.owner for power in state.powers if power.owner}
    left = [one for one in state.later if not (hero := one.hero or owners.get(one.by)) or state.hero(hero).is_in]
    return msgspec.structs.replace(state, later=tuple(left))


def orphans_are_void(state: State) -> bool:
    """Say whether what a power has left is void once the hero is out whose it was then. Rule: A19."""
    return state.house.get("orphan_effects") == "none"


def _ahead(before: State, after: State) -> tuple[Event, ...]:
    """Tell everybody what powers have left for rounds to come, as soon as it is so."""
    events = []
    for one in after.later:
        if one not in before.later and after.hero(one.on).is_in:
            facts = {"hero": after.names[one.on], "what": one.what, "amount": one.amount, "power": one.by}
            facts |= {"against": after.names.get(one.source, "")}
            events.append(Event(kind="ahead", to=EVERYONE, facts=facts | {"round": one.round}, rule="R15"))
    return tuple(events)
