"""What letters say of the terms of a game: its house rules, all or those that are unusual, its calendar, its seal."""

from pbem.table import second_thought
from pbem.table.charter import house_sentences, preset_facts
from pbem.table.table import Table
from pbem.terms import Facts


def house_rules(table: Table) -> list[Facts]:
    """Return the sentence of every house rule that has one, with its name, its value and the rule that it is of."""
    rows = house_sentences(table.charter, table.ruleset.options)
    return [{**row, "says": table.worded(row["says"])} for row in rows]


def unusual_rules(table: Table) -> list[Facts]:
    """Return those house rules that are not the ruleset's default."""
    usual = {option.name: option.default for option in table.ruleset.options}
    return [row for row in house_rules(table) if row["value"] != usual[row["name"]]]


def charter_facts(table: Table) -> Facts:
    """Return what the first letters say of a game's terms."""
    preset = preset_facts(table.charter, table.ruleset)
    preset |= {"says": table.worded(preset["says"]), "rules": [table.worded(rule) for rule in preset["rules"]]}
    return {
        "ruleset": table.ruleset.title,
        "preset": preset,
        "wanted": table.charter.seats,
        "taken": [seated.name for seated in table.seats.values()],
        "press": table.charter.press,
        "close": table.charter.close,
        "second_thought": second_thought.in_words(table),
        "standing": list(table.charter.standing),
        "rules": dict(table.charter.calendar.rules),
        "seal": table.charter.seal,
        "moderator": table.charter.moderator,
        "review": list(table.charter.review),
        "unreviewed": [
            kind
            for kind in table.ruleset.phase_kinds
            if kind not in table.charter.review and kind not in table.ruleset.questions
        ],
        "lapse": table.charter.calendar.review,
        "zone_of_game": table.charter.zone,
    }
