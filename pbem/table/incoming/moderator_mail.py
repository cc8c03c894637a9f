"""Turns a moderator's new lines into the one entry of their mail; knows no mail format."""

from collections.abc import Sequence

import msgspec

from pbem.table import closing
from pbem.table.incoming import moderator_lines, who_plays
from pbem.table.incoming.moderator_answer import with_answer
from pbem.table.incoming.moderator_cuts import Cut
from pbem.table.incoming.player_mail import Received
from pbem.table.journal import RulingGiven
from pbem.table.requests.test import Test
from pbem.table.rulings import Ruling, carry_out
from pbem.table.rulings.approve import Approve
from pbem.table.rulings.overrule import Overrule
from pbem.table.table import Table
from pbem.terms import Complaint, OrderLine


def rule(table: Table, mail: Received, *, by_hand: bool = False) -> RulingGiven:
    """
    Turn the moderator's mail into its entry.

    Each line is read against the table as the lines before it leave it; what is no ruling at all is passed over. A
    mail with `test` carries out nothing; a mail for another phase than the present is refused line by line.

    Shape: `by_hand` says that somebody wrote this into a file of the arena, where all secrets lie open to them.
    """
    cuts = [(one, moderator_lines.request(table, one.line.text)) for one in moderator_lines.cut(table, mail.said)]
    requests = tuple(request for _, request in cuts if request)
    ruled = [one for one, request in cuts if not request]
    found = _held_back(table, _read_all(table, ruled, mail, is_blind=_is_blind(table) and not by_hand))
    entry = RulingGiven(
        **mail.kept(table),
        rulings=tuple(ruling for _, ruling in found.ruled),
        requests=requests,
        complaints=tuple(sorted(found.complaints, key=lambda one: one.line)),
        passed=tuple(line.text for line in sorted((*found.passed, *mail.polite), key=lambda line: line.number)),
        test=Test() in requests,
    )
    is_answer = bool(found.passed) or not (found.ruled or requests)  # a courtesy beside rulings is none
    if who_plays.is_about(table, entry):
        return who_plays.without_reasons(table, entry)
    return with_answer(table, mail, entry) if is_answer else entry


def for_good(entry: RulingGiven) -> bool:
    """Say whether a moderator's mail does what no undo takes back; not `approve`, which names what it lets out."""
    return not entry.test and any(ruling.is_for_good for ruling in entry.rulings)


def is_guarded(entry: RulingGiven) -> bool:
    """Say whether a moderator's mail does what no forged one may: somebody has to vouch for it."""
    return not entry.test and any(ruling.is_guarded or who_plays.settles(ruling) for ruling in entry.rulings)


class _Found(msgspec.Struct, frozen=True):
    """What became of a moderator's lines: ruled, refused, or passed over as chat."""

    ruled: tuple[tuple[OrderLine, Ruling], ...] = ()
    complaints: tuple[Complaint, ...] = ()
    passed: tuple[OrderLine, ...] = ()


def _read_all(table: Table, cuts: Sequence[Cut], mail: Received, *, is_blind: bool) -> _Found:
    ruled: list[tuple[OrderLine, Ruling]] = []
    complaints: list[Complaint] = []
    passed: list[OrderLine] = []
    for one in cuts:
        found = _read(table, one, mail, is_blind=is_blind)
        if not isinstance(found, Complaint):
            ruled.append((one.line, found))
            table = carry_out(table, found, mail.noted)
        elif found.fault == "unreadable" and not moderator_lines.is_like_ruling(table, one.line.text):
            passed.append(one.line)
        else:
            complaints.append(found)
    return _Found(tuple(ruled), tuple(complaints), tuple(passed))


def _read(table: Table, one: Cut, mail: Received, *, is_blind: bool) -> Ruling | Complaint:
    """Read one line, or say why it is not ruled: not readable, not now, of the wrong kind, not to be kept."""
    line = one.line
    if one.wrong:
        return Complaint(line.number, line.text, "unreadable", one.wrong)
    kind = moderator_lines.kind_of(line.text)
    is_shut = is_blind and table.known_to_moderator() is not table and not (kind and kind.is_talk)
    shut = Complaint(line.number, line.text, "illegal", SHUT.format(table.title))
    if is_shut and kind:
        return shut
    if is_blind and kind and kind.is_on_secrets:
        return Complaint(line.number, line.text, "illegal", BLIND)
    found = moderator_lines.read(table, line, one.because)
    if is_shut and not (isinstance(found, Complaint) and found.fault == "unreadable"):
        return shut
    if isinstance(found, Complaint) and (found.fault != "illegal" or mail.phase == table.number):
        return found
    because = _other_phase(table, mail.phase)
    if because:
        return Complaint(line.number, line.text, "late", because)
    assert not isinstance(found, Complaint)
    because = _wrong_kind(table, found) if isinstance(found, Overrule) else ""
    return Complaint(line.number, line.text, "illegal", because) if because else found


BLIND = (
    "You play in this game. While orders are open you may not rule on orders, facts or verdicts, since the answer "
    "would tell you of what others have sent. Rule on it at the proof."
)

SHUT = "{} is closed, and its report is on its way. You play in this game: rule on it at the proof, or behind it."


def _is_blind(table: Table) -> bool:
    """Say whether the moderator must not learn what others have sent; then rulings on it are refused unread."""
    return table.status == "open" and table.moderator_plays()


def _held_back(table: Table, found: _Found) -> _Found:
    """
    Hold back what no undo takes back, where another line of the mail was refused.

    Likewise an `approve` of a proof that this very mail replaces by another, which nobody has seen.
    """
    makes_proof = table.status == "closed" and any(ruling.makes_proof for _, ruling in found.ruled)
    ruled, complaints = [], list(found.complaints)
    for line, ruling in found.ruled:
        because = ""
        if makes_proof and isinstance(ruling, Approve):
            newer = table.proof + 1
            because = f"This mail makes proof {newer}. Write approve {newer} to let it out, once you have seen it."
        elif found.complaints and (ruling.is_for_good or isinstance(ruling, Approve)):
            because = (
                "Held back, since this mail has a line that was not taken, and this cannot be undone. Send it again "
                "when you have seen to that line."
            )
        if because:
            complaints.append(Complaint(line.number, line.text, "illegal", because))
        else:
            ruled.append((line, ruling))
    return _Found(tuple(ruled), tuple(complaints), found.passed)


def _other_phase(table: Table, phase: int) -> str:
    if phase == table.number:
        return ""
    if phase > table.number:
        return f"Phase {phase} has not come yet; this is phase {table.number}, {table.title}."
    return f"That was about a phase that is published. Now it is {table.title}; answer its letters."


def _wrong_kind(table: Table, ruling: Overrule) -> str:
    """Say that a pin has the wrong kind of value, where this phase derives the fact; else ""."""
    outcome = table.outcome or (closing.adjudicate(table) if table.status == "open" else None)
    known = next((one.value for one in outcome.verdicts if one.key == ruling.key), None) if outcome else None
    if known is None or isinstance(known, bool) == isinstance(ruling.value, bool):
        return ""
    return f"That fact is {'yes or no' if isinstance(known, bool) else 'a number'}, so this value does not fit."
