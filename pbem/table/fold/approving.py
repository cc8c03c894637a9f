"""Letting a report out: the mail that says nothing else, and the letters that its writer then does not need."""

from collections.abc import Sequence

from pbem.speech.chatter import is_harmless
from pbem.speech.courtesies import courtesy
from pbem.table.clock import schedule
from pbem.table.fold.journal import PhasePublished, RulingGiven
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings.approve import Approve


def is_bare(entry: RulingGiven) -> bool:
    """
    Say whether a mail lets a proof out and says nothing else, but for kind words.

    It has no letter for an answer: the proof has told all that there is to say, and the next letter is the next proof.
    """
    says_more = entry.requests or entry.complaints or entry.test or entry.note or not entry.message_id
    is_kind = all(courtesy(line) or is_harmless(line) for line in entry.passed)
    is_approval = bool(entry.rulings) and all(isinstance(one, Approve) for one in entry.rulings)
    return is_approval and is_kind and not says_more and not entry.by_deputy


def is_seen(entry: PhasePublished) -> bool:
    """Say whether the moderator has let a report out with their own words, and it is not the last of the game."""
    return entry.why == schedule.APPROVED and not entry.seed


def makes_proof(table: Table, given: Sequence[BaseRuling]) -> bool:
    """
    Say whether the proof changes by what is ruled in one mail.

    The moderator's own words for the report are no secret to who lets it out in the same mail: they need no new proof,
    unless a deputy holds it, who has not read them.
    """
    changing = [ruling for ruling in given if ruling.makes_proof]
    lets_out = any(isinstance(ruling, Approve) and not ruling.by_deputy for ruling in given)
    return bool(changing) and not (lets_out and not table.deputy_holds and all(one.is_prose for one in changing))
