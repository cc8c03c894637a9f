"""The deputy of a moderator who plays: who it is, who is asked to be it, and what a deputy may rule."""

import re

import msgspec

from pbem.ground.terms import Person
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import Ruling
from pbem.table.rulings.approve import Approve
from pbem.table.rulings.deputy import Deputy, offer
from pbem.table.rulings.hold import Hold
from pbem.table.rulings.tell import Tell
from pbem.table.rulings.undo import Undo


def barred(table: Table, person: Person) -> str:
    """Say why a person who is asked to be the deputy cannot be it now, or ""."""
    asked = offer(table)
    if asked is None or asked.ruling.person != person:
        return "nobody asks you"
    return asked.ruling.why_not(table)


def answered(table: Table, person: Person, *, is_yes: bool) -> Table:
    """Let whoever was asked be the deputy from now on, or ask nobody any more; an `undo` may have left no offer."""
    asked = offer(table)
    if asked is None or asked.ruling.person != person:
        return table
    table = Deputy.without_offers(table)
    return msgspec.structs.replace(table, deputy=person, deputy_holds=False) if is_yes else table


def touches(table: Table, ruling: BaseRuling) -> bool:
    """Say whether a ruling names the moderator's seat, by itself or in the fact that it is about."""
    mine = table.moderators_seat()
    if mine is None:
        return False
    known = [table.label(mine), *([table.ruleset.label(table.outcome.state, mine)] if table.outcome else [])]
    named = rf"(?<![\w-])(?:{'|'.join(re.escape(one) for one in (mine, *known))})(?![\w-])"
    return bool(re.search(named, f"{ruling.show()} {ruling.about(table)}", re.IGNORECASE))


def not_the_deputys(table: Table, ruling: Ruling) -> str:
    """Say why a deputy cannot give a ruling, or ""."""
    mine = table.moderators_seat()
    if mine is None:
        return "The moderator does not play in this game, so every ruling is theirs."
    name = table.label(mine)
    if isinstance(ruling, Hold | Tell):
        return ""
    if isinstance(ruling, Approve):
        return "" if table.deputy_holds else "You hold nothing back. The moderator lets the report out."
    if isinstance(ruling, Undo):
        undone = [one.ruling for one in (*table.standing, *table.rulings) if one.number == ruling.number]
        is_mine = any(_may_rule(table, one) for one in undone)
        return "" if is_mine else f"Ruling {ruling.number} is not about {name}, so it is the moderator's to take back."
    if _may_rule(table, ruling):
        return ""
    return f"A deputy rules on what touches {name}, and this is the moderator's. What you can write: hold; to NAME: ..."


def not_the_moderators(table: Table, ruling: BaseRuling) -> str:
    """Say why a moderator who plays leaves a ruling to the deputy, or ""."""
    if isinstance(ruling, Approve) and table.deputy_holds:
        return f"Your deputy holds this report. It can go out when they write approve {table.proof}."
    if isinstance(ruling, Undo) and table.acting_deputy():
        undone = (one.ruling for one in (*table.standing, *table.rulings) if one.number == ruling.number)
        if any(_may_rule(table, one) for one in undone):
            return f"Ruling {ruling.number} touches your own seat, so it is your deputy's to take back."
    if table.acting_deputy() is None or not _may_rule(table, ruling):
        return ""
    return "This touches your own seat, so it is for your deputy, who has the same proof."


def _may_rule(table: Table, ruling: BaseRuling) -> bool:
    return ruling.makes_proof and not ruling.is_unprinted and touches(table, ruling)
