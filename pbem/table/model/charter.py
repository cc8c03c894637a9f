"""The fixed terms of a game, read from `charter.toml` and held against its ruleset; knows no disk."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Literal

import msgspec
import tomli_w

from pbem.ground import records
from pbem.ground.terms import CharterError, GameName, Person
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.ruleset import AdvisingRuleset, ClashingRuleset, Option, Preset, PresetRuleset, Ruleset
from pbem.table.model import calendar

CloseWhen = Literal["when ready", "at deadline"]
PressHouse = Literal["public", "private", "none"]
Authentication = Literal["moderator", "everybody", "nobody"]


LIVE = timedelta(hours=6)
"""A game with phases that are shorter is played live."""
LEAST = "24h"
"""How long a phase of a new game is open at least, where its deadlines are times of the week."""


class Calendar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    When phases end and reminders go out, as text in the calendar's own language.

    Shape: `rules` maps a kind of phase to its rule, "default" to everybody else's.
    Units: `reminders` are spans before the deadline; `settle` is how long mail may be under way to us;
    `second_thought` is how long a phase stays open once all have moved, where it closes early.
    """

    rules: dict[str, str] = msgspec.field(default_factory=lambda: {"default": "72h after opening"})
    reminders: tuple[str, ...] = ("24h", "3h")
    grace: str = "0h"
    settle: str = "2m"
    second_thought: str = "0m"
    review: str = "48h"
    longest_extension: str = "7d"
    holidays: tuple[date, ...] = ()


class Charter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    The fixed terms of one game.

    Shape: `seats` is how many must be taken before it begins; `seal` the SHA-256 of the seed; `review` the kinds of
    phase whose proof waits for the moderator; `standing` those whose orders stand for later ones of the kind, unless a
    player says otherwise; `authentication` says whose mail the mail server must have found to be theirs, where it
    looks at that: of others' mail it must only not have found the contrary; `house` the house rules that were chosen;
    `preset` the name by which many terms were, which stand here one by one; `follows` the game after which this one
    was founded with the same people, "" for none; `mailing_list` the address of the list where the game says what
    everybody may know, "" for none; `forum` where it says so in a topic of the arena's forum too, and `threads` where
    people may play in private threads there; `html` where reports come as HTML too to all who have not asked for text.
    """

    game: GameName
    ruleset: str
    version: int
    moderator: Person
    seats: int
    created: datetime
    seal: str
    zone: str = "UTC"
    close: CloseWhen = "when ready"
    press: PressHouse = "public"
    review: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    authentication: Authentication = "moderator"
    preset: str = ""
    follows: GameName = GameName("")
    mailing_list: str = ""
    forum: bool = False
    threads: bool = True
    html: bool = False
    house: dict[str, str | int | bool] = {}
    calendar: Calendar = msgspec.field(default_factory=Calendar)


class HouseRule(msgspec.Struct, frozen=True, kw_only=True):
    """A house rule: its name and value, the sentence that says it, the number of the rule that it is of."""

    name: str
    value: str
    says: str
    rule: str


class ChosenPreset(msgspec.Struct, frozen=True, kw_only=True):
    """
    The preset of a game, its name "" where it has none.

    Shape: `rules` are the sentences of the house rules that differ from the preset's, `terms` other fields that do.
    """

    name: str
    says: str
    rules: tuple[str, ...]
    terms: tuple[str, ...]


class Fault(msgspec.Struct, frozen=True):
    """A mistake in a charter: the keys that lead to it, and what is wrong there."""

    keys: tuple[str, ...]
    message: str


def read(text: str, rulesets: Mapping[str, Ruleset[Any, Any]], file: str = "charter.toml") -> Charter:
    """
    Read a charter and hold it against its ruleset.

    Errors: CharterError with file, line and what was expected.
    """
    charter = records.load(text, Charter, file)
    wrong = fault(charter, rulesets)
    if wrong:
        place = records.locate(text, list(wrong.keys))
        raise CharterError(f"{file}{f', line {place}' if place else ''}: {wrong.message}")
    if not records.intact(text):
        raise CharterError(f"{file} {records.CHANGED}")
    zone = calendar.known_zone(charter.zone)
    assert isinstance(zone, str)
    house = {**inherited_rules(charter, rulesets[charter.ruleset].options), **charter.house}
    return msgspec.structs.replace(charter, zone=zone, house=house)


def as_text(charter: Charter) -> str:
    """Write a charter as its file has it."""
    plain = tomli_w.dumps(records.plain(charter))
    return records.checked(f"# The terms of {charter.game}, fixed on its first day.\n{plain}")


def inherited_rules(charter: Charter, options: tuple[Option, ...]) -> dict[str, str]:
    """
    Return the house rules that a game keeps since they were the defaults when it was founded, though no longer.

    Shape: one that the charter names is not among them.
    """
    found = {}
    for option in options:
        changed = [version for version in option.formerly if version > charter.version]
        if changed and option.name not in charter.house:
            found[option.name] = option.formerly[min(changed)]
    return found


def as_founded(text: str, rulesets: Mapping[str, Ruleset[Any, Any]], file: str = "charter.toml") -> str:
    """
    Return the text of a charter with the house rules written in that were defaults when the game was founded.

    Errors: CharterError as for `read`.
    """
    options = rulesets[read(text, rulesets, file).ruleset].options
    missing = inherited_rules(records.load(text, Charter, file), options)
    if not missing:
        return text
    first, _, rest = text.partition("\n")
    body = rest if records.is_check(first) else text
    lines = "".join(
        f'{name} = "{value}"  # the default when this game was founded\n' for name, value in missing.items()
    )
    heading = re.search(r"(?m)^\[house\].*\n", body)
    body = f"{body[: heading.end()]}{lines}{body[heading.end() :]}" if heading else f"{body}\n[house]\n{lines}"
    return records.checked(body) if records.is_check(first) else body


def with_shortest_phase(charter: Charter) -> Charter:
    """Return the terms of a new game with a shortest length of a phase, unless the founder set one."""
    rules = {kind: calendar.with_least(text, charter.zone, LEAST) for kind, text in charter.calendar.rules.items()}
    return msgspec.structs.replace(charter, calendar=msgspec.structs.replace(charter.calendar, rules=rules))


def usual_second_thought(rules: Iterable[str]) -> str:
    """Return how long a phase of a new game waits once all have moved, by its rules: less where people play live."""
    found = [calendar.parse_rule(rule, "UTC") for rule in rules]
    spans = [one.after for one in found if isinstance(one, calendar.Rule) and one.after is not None]
    return "2m" if any(span < LIVE for span in spans) else "30m"


def kinds_with_skipped_times(charter: Charter) -> list[str]:
    """Return the kinds of phase whose times of the week are so close that some of them are never a deadline."""
    terms = charter.calendar
    spans = [calendar.parse_span(text) for text in (terms.settle, terms.grace)]
    settled = sum((span for span in spans if isinstance(span, timedelta)), timedelta())
    rules = {kind: calendar.parse_rule(text, charter.zone) for kind, text in terms.rules.items()}
    return [
        kind
        for kind, rule in rules.items()
        if isinstance(rule, calendar.Rule) and not calendar.is_due_each_time(rule, settled)
    ]


def fault(charter: Charter, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Fault | None:
    """Return the first mistake that a charter holds, or None."""
    ruleset = rulesets.get(charter.ruleset)
    if ruleset is None:
        message = f'there is no ruleset "{charter.ruleset}". {records.meant(charter.ruleset, rulesets)}'
        return Fault(("ruleset",), message)
    return next(_faults(charter, ruleset), None)


def clash(charter: Charter, ruleset: Ruleset[Any, Any]) -> Fault | None:
    """Return the first house rule of a new game that clashes with another or with the number of seats, or None."""
    found = None
    if isinstance(ruleset, ClashingRuleset):
        found = ruleset.clash(house(charter, ruleset.options), charter.seats)
    return Fault(("house", found[0]), found[1]) if found else None


def advice(charter: Charter, ruleset: Ruleset[Any, Any]) -> str:
    """Return what somebody who founds a game on these terms should know, or ""."""
    if not isinstance(ruleset, AdvisingRuleset):
        return ""
    return ruleset.advice(house(charter, ruleset.options), charter.seats)


def _faults(charter: Charter, ruleset: Ruleset[Any, Any]) -> Iterator[Fault]:
    if charter.seats not in ruleset.seats:
        least, most = ruleset.seats[0], ruleset.seats[-1]
        yield Fault(("seats",), f"{ruleset.title} is for {least} to {most} seats, not {charter.seats}")
    zone = calendar.known_zone(charter.zone)
    if isinstance(zone, Unread):
        yield Fault(("zone",), zone.because)
        return
    if charter.mailing_list and not phrases.is_address(charter.mailing_list):
        yield Fault(
            ("mailing_list",), "that is no address of a mailing list. Write one such as ember@lists.example.org"
        )
    for name, value in charter.house.items():
        wrong = house_mistake(ruleset.options, name, value)
        if wrong:
            yield Fault(("house", name), wrong)
    for term in ("review", "standing"):
        for kind in getattr(charter, term):
            if kind not in ruleset.phase_kinds:
                yield Fault((term,), _no_kind(kind, ruleset.phase_kinds))
    for name, said in _calendar_mistakes(charter.calendar, zone, ruleset.phase_kinds):
        yield Fault(("calendar", name), said)


def house(charter: Charter, options: tuple[Option, ...]) -> dict[str, str]:
    """Return every house rule with the value that holds in this game."""
    return {option.name: chosen(option, charter.house.get(option.name, option.default)) for option in options}


def chosen(option: Option, value: str | int | bool) -> str:
    """Return the value of a house rule in the spelling of its option."""
    text = option_text(value)
    return option.also.get(text, text)


def option_text(value: str | int | bool) -> str:
    """Write a house rule's value as options do: yes, no, a number, a word."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def house_sentences(charter: Charter, options: tuple[Option, ...]) -> list[HouseRule]:
    """Return each house rule that has a sentence."""
    held = house(charter, options)
    rows = []
    for option in options:
        value = held[option.name]
        says = option.says[value] if value in option.says else option.says[""].format(value)
        rows.append(HouseRule(name=option.name, value=value, says=says, rule=option.rule))
    return [row for row in rows if row.says]


def chosen_preset(charter: Charter, ruleset: Ruleset[Any, Any]) -> ChosenPreset:
    """Return the preset of a game, and what differs from it."""
    known = ruleset.presets if isinstance(ruleset, PresetRuleset) else ()
    preset = next((one for one in known if one.name == charter.preset), Preset(name=charter.preset, says=""))
    rows = house_sentences(charter, ruleset.options)
    terms = [name for name, value in preset.terms.items() if getattr(charter, name) != value]
    if any(charter.calendar.rules.get(kind) != rule for kind, rule in preset.rules.items()):
        terms.append("calendar")
    differ = tuple(row.says for row in rows if preset.house.get(row.name, row.value) != row.value)
    return ChosenPreset(name=preset.name, says=preset.says, rules=differ, terms=tuple(terms))


def house_mistake(options: tuple[Option, ...], name: str, value: str | int | bool) -> str:
    """Say what is wrong with a value of a house rule, or ""."""
    option = next((option for option in options if option.name == name), None)
    if option is None:
        return f'there is no house rule "{name}". {records.meant(name, [option.name for option in options])}'
    text = chosen(option, value)
    if option.choices and text not in option.choices:
        return f'{name} = "{text}" is none of its values. Expected one of: {", ".join(option.choices)}'
    if not option.choices and not text.isdecimal():
        return f'{name} = "{text}" should be {option.expects}'
    return ""


def _no_kind(kind: str, kinds: tuple[str, ...]) -> str:
    return f'there is no kind of phase "{kind}". {records.meant(kind, kinds)}'


def _no_comma(text: str) -> str:
    parts = text.split()
    spans = [part for part in parts if not isinstance(calendar.parse_span(part), Unread)]
    return f'"{text}" lacks a comma. Write {", ".join(parts)}' if len(spans) == len(parts) > 1 else ""


def _calendar_mistakes(terms: Calendar, zone: str, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    spans = [
        (name, getattr(terms, name)) for name in ("grace", "settle", "second_thought", "review", "longest_extension")
    ]
    for name, text in [*spans, *(("reminders", text) for text in terms.reminders)]:
        span = calendar.parse_span(text)
        if isinstance(span, Unread):
            yield name, (_no_comma(text) if name == "reminders" else "") or span.because
    for kind, text in terms.rules.items():
        if kind in Calendar.__struct_fields__:
            yield kind, f"{kind} is no kind of phase; it stands under [calendar], not under its rules"
        elif kind not in (*kinds, "default"):
            yield kind, _no_kind(kind, (*kinds, "default"))
        rule = calendar.parse_rule(text, zone)
        if isinstance(rule, Unread):
            yield kind, rule.because
    if "default" not in terms.rules:
        yield "rules", 'rules need a default, such as default = "72h after opening"'
