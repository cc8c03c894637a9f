"""Who wins: the last hero standing, or by a power; and whom powers put out if nobody wins."""

import msgspec

from pbem.ruleset import Reckoning
from pbem.rulesets.rumble.effect import Eliminate, of_kind
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.round import checkpoints, powers_at_work, sidekicks
from pbem.rulesets.rumble.round.record import Round
from pbem.rulesets.rumble.round.transfers import put_out


def see_who_wins(round_: Round, book: Reckoning) -> Round:
    """See who wins. Rule: C14, A31."""
    state, effects = round_.state, (*round_.effects, *powers_at_work.wins(round_))
    stalled = state.house["stalemate"] == "draw" and state.quiet >= checkpoints.PATIENCE
    return msgspec.structs.replace(round_, result=checkpoints.result(state, effects, stalled=stalled))


def act_after_wins(round_: Round, book: Reckoning) -> Round:
    """
    If nobody wins, let powers put out the heroes that they put out then, and see who wins by it.

    Rule: C14, C15.
    """
    effects = () if round_.result else powers_at_work.after_wins(round_)
    if not effects:
        return round_
    state, events = application.rework(round_.state, effects)
    round_ = msgspec.structs.replace(round_, state=state).with_events("powers", *events)
    out = dict.fromkeys(one.on for one in of_kind(effects, Eliminate))
    round_ = sidekicks.settle(put_out(round_, [*out], book), book)
    return msgspec.structs.replace(round_, result=checkpoints.result(round_.state, ()))
