"""What letters say of the terms of a game: its house rules, all or those that are unusual, its calendar, its seal."""

from typing import Literal

import msgspec

from pbem.ground.terms import Person
from pbem.table.clock import second_thought
from pbem.table.model import seating
from pbem.table.model.charter import ChosenPreset, HouseRule, PressHouse, chosen_preset, house_sentences
from pbem.table.model.table import Table

replace = msgspec.structs.replace


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """
    The terms of a game, as its first letters have them.

    Shape: `wanted` seats, of which those of the names `taken` are; `example` is a name that somebody may have; `rules`
    maps kinds of phase to their calendar;
    `review` are the kinds that have a proof, `unreviewed` the others, and `lapse` is how long a proof waits;
    `mailing_list` is where all is said that everybody may know, "" for nowhere; `forum` is "topic" where
    that is read on a forum too, "threads" where people may also play in private threads there.
    """

    ruleset: str
    preset: ChosenPreset
    wanted: int
    taken: tuple[str, ...]
    example: str
    press: PressHouse
    close: str
    second_thought: str
    standing: tuple[str, ...]
    rules: dict[str, str]
    seal: str
    moderator: Person
    moderator_plays: bool
    has_deputy: bool
    review: tuple[str, ...]
    unreviewed: tuple[str, ...]
    lapse: str
    zone_of_game: str
    mailing_list: str
    forum: Literal["", "topic", "threads"]


def house_rules(table: Table) -> list[HouseRule]:
    """Return every house rule that has a sentence, in the words of this game."""
    rows = house_sentences(table.charter, table.ruleset.options)
    return [replace(row, says=table.worded(row.says)) for row in rows]


def unusual_rules(table: Table) -> list[HouseRule]:
    """Return those house rules that are not the ruleset's default."""
    usual = {option.name: option.default for option in table.ruleset.options}
    return [row for row in house_rules(table) if row.value != usual[row.name]]


def terms(table: Table) -> Terms:
    """Return what the first letters say of a game's terms."""
    charter = table.charter
    preset = chosen_preset(charter, table.ruleset)
    return Terms(
        ruleset=table.ruleset.title,
        preset=replace(
            preset, says=table.worded(preset.says), rules=tuple(table.worded(rule) for rule in preset.rules)
        ),
        wanted=charter.seats,
        taken=tuple(seated.name for seated in table.seats.values()),
        example=seating.example(table),
        press=charter.press,
        close=charter.close,
        second_thought=second_thought.in_words(table),
        standing=charter.standing,
        rules=dict(charter.calendar.rules),
        seal=charter.seal,
        moderator=charter.moderator,
        moderator_plays=table.moderator_plays(),
        has_deputy=table.acting_deputy() is not None,
        review=charter.review,
        unreviewed=tuple(
            kind
            for kind in table.ruleset.phase_kinds
            if kind not in charter.review and kind not in table.ruleset.questions
        ),
        lapse=charter.calendar.review,
        zone_of_game=charter.zone,
        mailing_list=charter.mailing_list,
        forum=("threads" if charter.threads else "topic") if charter.forum else "",
    )
