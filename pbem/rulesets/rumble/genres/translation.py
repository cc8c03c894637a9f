"""Puts what the rules say into the words of a game's genre; decides nothing, and leaves people's own words alone."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from pbem.ruleset import Complaint, Event, Outcome, phrases
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.model.state import State

A = TypeVar("A")

SENTENCES = {
    "bid_shown": ("how",),
    "tie": ("how",),
    "orders_cut": ("dropped",),
    "not_done": ("because",),
    "changed": ("what", "how"),
    "conflict": ("what",),
    "passed": ("parts", "how"),
    "came_out": ("how",),
    "ended": ("how",),
    "edit_idle": ("because",),
    "lines_lost": ("because",),
    "lines_retired": ("reasons",),
    "effect_idle": ("effect", "because"),
    "ruling_idle": ("key",),
    "power_runs": ("abilities",),
    "powers_meet": ("question", "default"),
}
"""The facts of events that are words of ours, by kind of event."""


def names_in(*states: State) -> frozenset[str]:
    """Return the names that people gave, of heroes and of powers; none of them is put into other words."""
    heroes = {hero.name for state in states for hero in state.heroes}
    return frozenset(heroes | {power.name for state in states for power in state.powers})


def in_genre(state: State, text: str) -> str:
    """Put a sentence of ours into the words of the game's genre. Rule: N14."""
    words = genre_of(state.house)
    return text if words.is_neutral else words.say(text, names_in(state))


def fact(state: State, value: Any) -> Any:
    """Put every text in a fact of ours into the words of the game's genre. Rule: N14."""
    words = genre_of(state.house)
    return value if words.is_neutral else _fact(value, words, names_in(state))


def complaints(state: State, found: Sequence[Complaint]) -> tuple[Complaint, ...]:
    """Put complaints into the words of the genre; the lines that they quote stay as they were written."""
    return tuple(msgspec.structs.replace(one, because=in_genre(state, one.because)) for one in found)


def read_in_genre(state: State, text: str, read: Callable[[State, str], A | phrases.Unread]) -> A | phrases.Unread:
    """Read what the moderator says, in the neutral words or else in those of the genre. Rule: N14."""
    found = read(state, text)
    neutral = genre_of(state.house).hear(text, names_in(state))
    if isinstance(found, phrases.Unread) and neutral != text:
        found = read(state, neutral)
        if isinstance(found, phrases.Unread):
            found = phrases.Unread(found.fault, found.because.replace(f'"{neutral}"', f'"{text}"'))
    return unread(state, found)


def unread(state: State, found: A | phrases.Unread) -> A | phrases.Unread:
    """Put the reason why something could not be read into the words of the game's genre."""
    return phrases.Unread(found.fault, in_genre(state, found.because)) if isinstance(found, phrases.Unread) else found


def outcome(before: State, plain: Outcome[State]) -> Outcome[State]:
    """Put the outcome of a phase into the words of the genre: verdicts, events and the ending. Rule: N14."""
    words = genre_of(before.house)
    if words.is_neutral:
        return plain
    names = names_in(before, plain.state)
    verdicts = tuple(
        msgspec.structs.replace(one, text=words.say(one.text, names), how=words.say(one.how, names))
        for one in plain.verdicts
    )
    events = tuple(_event(one, words, names) for one in plain.events)
    result = plain.result and msgspec.structs.replace(plain.result, how=words.say(plain.result.how, names))
    return msgspec.structs.replace(plain, verdicts=verdicts, events=events, result=result)


def _event(event: Event, words: Genre, names: frozenset[str]) -> Event:
    ours = {fact: _fact(event.facts[fact], words, names) for fact in SENTENCES.get(event.kind, ())}
    return msgspec.structs.replace(event, facts={**event.facts, **ours}) if ours else event


def _fact(value: Any, words: Genre, names: frozenset[str]) -> Any:
    if isinstance(value, str):
        return words.say(value, names)
    if isinstance(value, list):
        return [_fact(one, words, names) for one in value]
    return {key: _fact(one, words, names) for key, one in value.items()} if isinstance(value, dict) else value
