"""Turns a moderator's new lines into the one entry of their mail; knows no mail format."""

from collections.abc import Sequence

import msgspec

from pbem.ground.terms import Complaint, OrderLine
from pbem.table.fold import approving, closing, deputies
from pbem.table.fold.journal import RulingGiven
from pbem.table.incoming import moderator_lines, who_plays
from pbem.table.incoming.moderator_answer import with_answer
from pbem.table.incoming.moderator_cuts import Cut
from pbem.table.incoming.received import Received
from pbem.table.model.table import BaseRuling, Table
from pbem.table.requests.test import Test
from pbem.table.rulings import Ruling, carry_out
from pbem.table.rulings.approve import Approve
from pbem.table.rulings.hold import Hold
from pbem.table.rulings.overrule import Overrule


def rule(table: Table, mail: Received, *, by_hand: bool = False, by_deputy: bool = False) -> RulingGiven:
    """
    Turn the moderator's mail, or the deputy's, into its entry.

    Each line is read against the table as the lines before it leave it; what is no ruling at all is passed over. A
    mail with `test` carries out nothing; a mail for another phase than the present is refused line by line.

    Shape: `by_hand` says that somebody wrote this into a file of the arena, where all secrets lie open to them.
    """
    cuts = [(one, moderator_lines.request(table, one.line.text)) for one in moderator_lines.cut(table, mail.said)]
    requests = tuple(request for _, request in cuts if request)
    ruled = [one for one, request in cuts if not request]
    is_test = Test() in requests
    desk = _Desk(is_blind=_is_blind(table) and not by_hand, is_test=is_test, is_deputys=by_deputy, by_hand=by_hand)
    found = _held_back(table, _read_all(table, ruled, mail, desk))
    is_answer = bool(found.passed) or not (found.ruled or requests)  # a courtesy beside rulings is none
    passed = sorted((*found.passed, *(mail.polite if is_answer else ())), key=lambda line: line.number)
    entry = RulingGiven(
        **mail.kept(table),
        rulings=tuple(ruling for _, ruling in found.ruled),
        requests=requests,
        complaints=tuple(sorted(found.complaints, key=lambda one: one.line)),
        passed=tuple(line.text for line in passed),
        test=is_test,
        by_deputy=by_deputy,
    )
    barred = [one.text for one in mail.passed if one.taken == EXAMPLE]
    if barred:
        entry = msgspec.structs.replace(entry, note=f"{entry.note} {BARRED.format('; '.join(barred))}".strip())
    if who_plays.is_about(table, entry):
        return who_plays.without_reasons(table, entry)
    return with_answer(table, mail, entry) if is_answer else entry


def for_good(entry: RulingGiven) -> bool:
    """Say whether a moderator's mail does what no undo takes back; not `approve`, which names what it lets out."""
    return not entry.test and any(ruling.is_for_good for ruling in entry.rulings)


def is_guarded(entry: RulingGiven) -> bool:
    """Say whether a moderator's mail does what no forged one may: somebody has to vouch for it."""
    return not entry.test and any(ruling.is_guarded or who_plays.settles(ruling) for ruling in entry.rulings)


def is_belated_talk(table: Table, entry: RulingGiven) -> bool:
    """
    Say whether a mail speaks to players in answer to a letter of an earlier phase: somebody has to vouch for it.

    The tokens of phases that are over stand in letters that have been forwarded and quoted since.
    """
    return not entry.test and entry.phase < table.number and any(ruling.is_talk for ruling in entry.rulings)


class _Found(msgspec.Struct, frozen=True):
    """What became of a moderator's lines: ruled, refused, or passed over as chat."""

    ruled: tuple[tuple[OrderLine, Ruling], ...] = ()
    complaints: tuple[Complaint, ...] = ()
    passed: tuple[OrderLine, ...] = ()


class _Desk(msgspec.Struct, frozen=True, kw_only=True):
    """From where a mail rules: `is_blind` where its writer must not learn what others have sent."""

    is_blind: bool
    is_test: bool
    is_deputys: bool
    by_hand: bool


def _read_all(table: Table, cuts: Sequence[Cut], mail: Received, desk: _Desk) -> _Found:
    ruled: list[tuple[OrderLine, Ruling]] = []
    complaints: list[Complaint] = []
    passed: list[OrderLine] = []
    for one in cuts:
        found = _read(table, one, mail, desk)
        if not isinstance(found, Complaint) and desk.is_test and found.is_unseen:
            complaints.append(Complaint(one.line.number, one.line.text, "illegal", UNSEEN))
        elif not isinstance(found, Complaint):
            ruled.append((one.line, found))
            table = carry_out(table, found, mail.noted)
        elif found.fault == "unreadable" and not moderator_lines.is_like_ruling(table, one.line.text):
            passed.append(one.line)
        else:
            complaints.append(found)
    return _Found(tuple(ruled), tuple(complaints), tuple(passed))


def _read(table: Table, one: Cut, mail: Received, desk: _Desk) -> Ruling | Complaint:
    """Read one line, or say why it is not ruled: not readable, not now, of the wrong kind, not to be kept."""
    line = one.line
    if one.wrong:
        return Complaint(line.number, line.text, "unreadable", one.wrong)
    kind = moderator_lines.kind_of(line.text)
    is_shut = desk.is_blind and table.known_to_moderator() is not table and not (kind and kind.is_talk)
    shut = Complaint(line.number, line.text, "illegal", (SHUT_TOO if desk.is_deputys else SHUT).format(table.title))
    if is_shut and kind:
        return shut
    if desk.is_blind and kind and kind.is_on_secrets:
        return Complaint(line.number, line.text, "illegal", BLIND_TOO if desk.is_deputys else BLIND)
    found = moderator_lines.read(table, line, one.because)
    if is_shut and not (isinstance(found, Complaint) and found.fault == "unreadable"):
        return shut
    if isinstance(found, Complaint) and (found.fault != "illegal" or mail.phase == table.number):
        return found
    because = _other_phase(table, mail.phase)
    if because and not (kind and _is_for_now(table, mail, kind)):
        return Complaint(line.number, line.text, "late", because)
    if isinstance(found, Complaint):
        return found
    because = _wrong_kind(table, found) if isinstance(found, Overrule) else ""
    because = because or _not_theirs(table, found, desk)
    if because:
        return Complaint(line.number, line.text, "illegal", because)
    return msgspec.structs.replace(found, by_deputy=desk.is_deputys) if isinstance(found, Hold | Approve) else found


def _not_theirs(table: Table, ruling: Ruling, desk: _Desk) -> str:
    """Say that a ruling is for the other of the moderator and the deputy, or ""."""
    if desk.is_deputys:
        return deputies.not_the_deputys(table, ruling)
    return "" if desk.by_hand else deputies.not_the_moderators(table, ruling)


EXAMPLE = "example"
"""How a line that stands behind a bar is passed on to us, where it is none of our letter's."""
BARRED = "Not read, since a bar stands before it, as before examples of mine: {}. Write it without the bar."
UNSEEN = "This cannot be tried: the answer would show what is in it. Undo takes it back, and its player hears of both."
BLIND = (
    "You play in this game. While orders are open you may not rule on orders, facts or verdicts, since the answer "
    "would tell you of what others have sent. Rule on it at the proof."
)
BLIND_TOO = (
    "The moderator plays in this game. While orders are open nobody rules on orders, facts or verdicts. Rule on it at "
    "the proof."
)

SHUT = "{} is closed, and its report is on its way. You play in this game: rule on it at the proof, or behind it."
SHUT_TOO = "{} is closed, and its report is on its way. Rule on it at the proof, or behind it."


def _is_blind(table: Table) -> bool:
    """Say whether the moderator must not learn what others have sent; then rulings on it are refused unread."""
    return table.status == "open" and table.moderator_plays()


def _held_back(table: Table, found: _Found) -> _Found:
    """
    Hold back what no undo takes back, where another line of the mail was refused.

    Likewise an `approve` of a proof that this very mail replaces by another, which nobody has seen.
    """
    makes_proof = table.status == "closed" and approving.makes_proof(table, [ruling for _, ruling in found.ruled])
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
    return f"That was about a phase that is published. Now it is {table.title}; answer this letter instead."


def _is_for_now(table: Table, mail: Received, kind: type[BaseRuling]) -> bool:
    """
    Say whether a line in answer to a letter of an earlier phase is about this one.

    What is said to players is about none. What moves the clock is, in answer to the proof of the phase before: whoever
    answers that knows that its phase has closed, and had no letter since where they let it out.
    """
    is_last = mail.phase == table.number - 1 and mail.answers is not None and mail.answers.template == "proof"
    return kind.is_talk or (is_last and kind.is_on_clock)


def _wrong_kind(table: Table, ruling: Overrule) -> str:
    """Say that a pin has the wrong kind of value, where this phase derives the fact; else ""."""
    outcome = table.outcome or (closing.adjudicate(table) if table.status == "open" else None)
    known = next((one.value for one in outcome.verdicts if one.key == ruling.key), None) if outcome else None
    if known is None or isinstance(known, bool) == isinstance(ruling.value, bool):
        return ""
    return f"That fact is {'yes or no' if isinstance(known, bool) else 'a number'}, so this value does not fit."
