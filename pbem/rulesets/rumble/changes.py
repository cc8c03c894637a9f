"""What has changed in the rules of Rumble, version by version, in sentences for players; carries nothing out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pbem.ruleset import Change
from pbem.rulesets.rumble.model.state import PhaseKind, Power, State
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs


class _Dated(msgspec.Struct, frozen=True, kw_only=True):
    """
    A change, and in which games it can matter.

    Shape: `lines` is a bit of the formal lines that a power in play must have, "" for any game; `house` a rule with the
    value that it must have, none for any; `phases` those in which it can be felt then or later, none for all.
    """

    says: str
    rule: str
    lines: str = ""
    house: tuple[str, str] = ("", "")
    phases: tuple[PhaseKind, ...] = ()


_BIDS: tuple[PhaseKind, ...] = ("powers", "amend", "auction", "rebid")
_CHANGES: Mapping[int, Sequence[_Dated]] = {
    4: (
        _Dated(
            says="What a text discards is gone at once; what is struck away, at the end of the blows.",
            rule="C32",
            lines="do: discard",
        ),
        _Dated(
            says='The test "would die" also holds where a power would bring you back; "would be out" where none would.',
            rule="A28",
            lines="do: revive",
        ),
        _Dated(
            says="To give up what alone keeps you in on no Energy takes a line: confirm.",
            rule="A9",
            lines="from losing",
        ),
        _Dated(
            says="In round 12 Clockwork Being also strikes whoever came by it in that round, on no Energy.",
            rule="C15",
            lines="round end after wins",
        ),
        _Dated(
            says="Two swaps undo each other; what goes with an Attack stays there; who swaps with nobody keeps the "
            "power for it; what changed hands so can be discarded.",
            rule="C21",
            lines="do: swap",
        ),
        _Dated(says="Friends With Death wins on 1 to 5 Energy, not on 0.", rule="A31", lines="energy(me) <= 5"),
        _Dated(says="Pure Energy Being rounds up too.", rule="A2", lines="bids / 2", house=("round", "up")),
        _Dated(
            says="Who bursts at the end of a round meets what changes and answers damage.",
            rule="C27",
            lines="when: death",
        ),
        _Dated(
            says="Captions are a use of a power; what the rules do for whoever says nothing is none.",
            rule="C25",
            lines="uses(",
        ),
        _Dated(
            says="Of several damages of one hero whom you block first, the smallest is stopped first.",
            rule="A12",
            lines="do: deal",
        ),
        _Dated(
            says="Burnt Energy is damage for powers too that ask for damage.",
            rule="A10",
            house=("burn_is_damage", "yes"),
        ),
        _Dated(
            says="What was left for the end of a round is void if its hero falls in that round.",
            rule="A19",
            house=("orphan_effects", "none"),
        ),
        _Dated(
            says="Only whoever has something to say is asked when all orders lie open.",
            rule="C2",
            house=("reveal_phase", "always"),
        ),
        _Dated(
            says="What a use takes is read as its power's lines say it; another figure is not taken.",
            rule="A29",
            lines="cost:",
        ),
        _Dated(
            says="A condition holds for all that stands behind it on its line, in plans and sent ahead too.", rule="A28"
        ),
        _Dated(says="Whoever is drawn into a tie bids again with the others.", rule="B2", phases=_BIDS),
        _Dated(
            says="If none of the tied bids otherwise than before, a die decides.",
            rule="B14",
            house=("ties", "rebid"),
            phases=_BIDS,
        ),
        _Dated(
            says="If a power's text is changed while bids are sealed, bids on it are void, and all bid anew on it.",
            rule="B15",
            phases=_BIDS,
        ),
        _Dated(says="A power of the printed set is sent by its name alone.", rule="R17", phases=("powers",)),
        _Dated(
            says='A wish to discard holds through a tie; "keep" behind the new bid takes it back.',
            rule="N8",
            phases=_BIDS,
        ),
    ),
}
"""By the version with which they came."""


def changed(state: State, since: int) -> tuple[Change, ...]:
    """Return what has changed since a version, as far as it can matter in a game from here on."""
    later = [one for version, found in sorted(_CHANGES.items()) if version > since for one in found]
    told = [Change(one.says, one.rule) for one in later if _matters(one, state)]
    return (*told, *_stopped(state))


def _stopped(state: State) -> Iterator[Change]:
    """Tell of each power that ran by lines which are taken no more, while orders can still reckon with it."""
    for power in _known(state):
        if power.lines and abilities(power.lines) and not runs(power.lines):
            says = f'{power.key} "{power.name}" no longer runs by itself; the moderator says what it does.'
            yield Change(says, "B16")


def _matters(one: _Dated, state: State) -> bool:
    name, value = one.house
    fits = not name or state.house.get(name) == value
    runs = not one.lines or any(one.lines in power.lines for power in _known(state))
    return fits and runs and (not one.phases or state.phase in one.phases)


def _known(state: State) -> list[Power]:
    """Return the powers that everybody knows: none before the pool is shown, though some may be dealt already."""
    return [power for power in state.powers if power.in_play and state.phase != "powers"]
