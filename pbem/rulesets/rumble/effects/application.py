"""Sorts what the moderator says powers did, and carries out what concerns the powers themselves."""

from collections.abc import Collection, Sequence
from types import UnionType

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, CharterError, Event, Only, Outcome, Seat, phrases
from pbem.rulesets.rumble.effect import Drop, Effect, Give
from pbem.rulesets.rumble.effects import do_lines
from pbem.rulesets.rumble.effects.power_rulings import Define, ForPower, Manual, PowerRuling, Reword, Said, Veto, write
from pbem.rulesets.rumble.model.names import spoken
from pbem.rulesets.rumble.model.state import Power, State, unnumbered, with_power
from pbem.rulesets.rumble.powers import archive
from pbem.rulesets.rumble.powers.language.runnable import abilities, complaints
from pbem.rulesets.rumble.powers.wording import descriptions


def gather(state: State, said: Sequence[str]) -> tuple[tuple[Said, ...], tuple[Event, ...]]:
    """
    Read the effects that hold in this phase; what cannot be carried out is told to the moderator alone.

    Rule: A32 (whoever is out is beyond any effect).
    """
    effects: list[Said] = []
    idle: list[Event] = []
    for text in said:
        effect = do_lines.read(state, text)
        if isinstance(effect, phrases.Unread):
            idle.append(without_effect(text, effect.because))
            continue
        gone = do_lines.out(state, effect)
        if gone:
            idle.append(without_effect(text, f"{phrases.listed(gone, 'and')} is out of the game.", "A32"))
        else:
            effects.append(effect.does if isinstance(effect, ForPower) else effect)
    return tuple(effects), tuple(idle)


def parted(effects: Sequence[Said], kinds: UnionType, because: str, rule: str = "") -> tuple[list[Said], list[Event]]:
    """Return the effects that a phase can carry out, and events that tell the moderator why the others cannot be."""
    odd = [without_effect(write(effect), because, rule) for effect in effects if not isinstance(effect, kinds)]
    return [effect for effect in effects if isinstance(effect, kinds)], odd


def with_todays_lines(state: State) -> State:
    """Return the state with today's lines of the archive in place of those that an older release had."""
    powers = tuple(
        msgspec.structs.replace(power, lines=lines) if (lines := archive.renewed(power.lines)) != power.lines else power
        for power in state.powers
    )
    return state if powers == state.powers else msgspec.structs.replace(state, powers=powers)


def check_lines(state: State, said: Collection[str]) -> None:
    """
    Let no power stop running without a word, since its lines are another release's.

    Errors: CharterError with the first whose lines do not read, unless what the moderator said replaces them.
    """
    for power in state.powers:
        if not power.in_play or not power.lines or abilities(power.lines):
            continue
        if not any(text.startswith((f"manual {power.key}", f"power {power.key} ")) for text in said):
            raise CharterError(
                f"The lines of {power.key}, {power.name}, were taken by another version of pbem, and this one cannot "
                f"read them. Go on with that version, or let the moderator say: do manual {power.key} because REASON"
            )


def hand_to_moderator(state: State, said: Collection[str]) -> tuple[State, tuple[Event, ...]]:
    """
    Hand over to the moderator each power whose lines were taken once and would not be done as they are read back.

    Rule: B16: this phase is played without them already; all are told, and the moderator of the reason.
    """
    events: list[Event] = []
    for power in state.powers:
        wrong = complaints(power.lines) if power.in_play and power.lines else ()
        if not wrong or any(text.startswith(f"manual {power.key}") for text in said):
            continue
        facts = {"number": power.key, "name": power.name, "hero": state.names.get(power.owner, "")}
        events.append(Event(kind="power_manual", to=EVERYONE, facts=facts, rule="B16"))
        reasons = [{"line": one.text, "because": one.because} for one in wrong]
        events.append(Event(kind="lines_retired", to=MODERATOR_ALONE, facts=facts | {"reasons": reasons}, rule="B16"))
        state = with_power(state, msgspec.structs.replace(power, lines=""))
    return state, tuple(events)


def without_effect(text: str, because: str, rule: str = "") -> Event:
    """Tell the moderator that an effect did nothing, and why."""
    return Event(kind="effect_idle", to=MODERATOR_ALONE, facts={"effect": text, "because": because}, rule=rule)


def in_names(outcome: Outcome[State]) -> Outcome[State]:
    """Write heroes' names in place of seats in the events about rulings that did nothing."""
    spelt = {"effect_idle": "effect", "ruling_idle": "key"}

    def in_name(event: Event) -> Event:
        fact = spelt.get(event.kind)
        if fact is None:
            return event
        return msgspec.structs.replace(event, facts={**event.facts, fact: spoken(outcome.state, event.facts[fact])})

    return msgspec.structs.replace(outcome, events=tuple(in_name(event) for event in outcome.events))


def rework(state: State, effects: Sequence[Effect | PowerRuling]) -> tuple[State, tuple[Event, ...]]:
    """
    Carry out what concerns powers: vetoes, new words, gifts, discards, in the order given.

    Rule: B8 (the Power Strength goes with the power), B15.
    """
    events: list[Event] = []
    before = state
    for effect in effects:
        if not isinstance(effect, _ON_POWERS):
            continue
        power = state.power(effect.power)
        if power is None or not power.in_play:
            events.append(without_effect(write(effect), f"There is no {effect.power} in play."))
            continue
        change = msgspec.structs.replace
        owner = state.names.get(power.owner, "")
        facts = {"number": power.key, "name": power.name, "hero": owner}
        match effect:
            case Give(_, said):
                seat = holder(state, power, said)
                power = change(power, owner=seat, handed=True, spent=0, fired=0)
                facts |= {"to": state.names[seat]}
                events.append(Event(kind="power_given", to=EVERYONE, facts=facts, rule="B8"))
            case Drop():
                power = change(power, fate="discarded")
                events.append(Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="B6"))
            case Define():
                power = change(power, lines=do_lines.in_lines(effect))
                slots = descriptions.describe(abilities(power.lines), state.house)
                row = facts | {"lines": power.lines, "abilities": slots}
                events.append(Event(kind="power_runs", to=EVERYONE, facts=row, rule="B16"))
            case Manual():
                power = change(power, lines="")
                events.append(Event(kind="power_manual", to=EVERYONE, facts=facts, rule="B16"))
            case Veto():
                power = change(power, fate="vetoed")
                events += _to_author(power.author, "power_vetoed", {**facts, "text": power.text})
                if state.phase != "powers":
                    events.append(Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="B15"))
            case Reword(_, text):
                events += _to_author(power.author, "power_reworded", {**facts, "was": power.text, "now": text})
                if state.phase != "powers":
                    events.append(Event(kind="power_text", to=EVERYONE, facts={**facts, "text": text}, rule="B15"))
                power, ended = reworded(power, text, None if state.phase == "powers" else before.power(power.key))
                if ended:  # nobody is told of lines that end before they have run
                    told = ("power_runs", power.key)
                    events = [one for one in events if (one.kind, one.facts.get("number")) != told]
                events += ended
        state = with_power(state, power)
    return state, tuple(events)


def reworded(power: Power, text: str, known: Power | None) -> tuple[Power, tuple[Event, ...]]:
    """
    Return a power with other words, and tell of the lines that end with the words for which they were said.

    Shape: `known` is the power as all have seen it, None where nobody has. Rule: B19.
    """
    new = msgspec.structs.replace(power, text=text, lines=archive.lines_of(unnumbered(power.name), text))
    if text == power.text:
        return power, ()
    if not power.lines or new.lines:
        return new, ()
    ended = lines_ended(power, power.lines)
    if known is None or not known.lines:
        return new, (ended,)
    facts = {"number": power.key, "name": power.name, "hero": ""}
    return new, (Event(kind="power_manual", to=EVERYONE, facts=facts, rule="B19"), ended)


def lines_ended(power: Power, lines: str) -> Event:
    """Tell the moderator of lines that were said for other words than a power has now. Rule: B19."""
    facts = {"number": power.key, "name": power.name, "because": "they were said for other words", "lines": lines}
    return Event(kind="lines_lost", to=MODERATOR_ALONE, facts=facts, rule="B19")


_ON_POWERS = Give | Drop | PowerRuling


def holder(state: State, power: Power, seat: str) -> str:
    """Return who gets a power that goes to a seat; a Sidekick's own goes to the hero who decides for it. Rule: N11."""
    is_sidekick = any(hero.power == power.key for hero in state.heroes)
    return state.player(seat) if is_sidekick else seat


def _to_author(author: str, kind: str, facts: dict[str, str]) -> list[Event]:
    to = Only((Seat(author),)) if author else MODERATOR_ALONE
    return [Event(kind=kind, to=to, facts=facts, rule="B15")]
