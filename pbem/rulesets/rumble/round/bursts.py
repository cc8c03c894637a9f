"""Damage of heroes that fall and burst when the blows are over, and what follows from it; knows no fall before that."""

from collections.abc import Mapping, Sequence
from itertools import count

import msgspec

from pbem.ruleset import Reckoning
from pbem.rulesets.rumble.effect import Damage, Effect, Landing, Revive, of_kind
from pbem.rulesets.rumble.round import checkpoints
from pbem.rulesets.rumble.round.blows import MOST_WAVES, changed_by
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.record import Round


def burst_after_blows(round_: Round, book: Reckoning) -> Round:
    """Let those burst who fell at the end of the round."""
    return burst(round_, round_.struck, round_.left, book)


def burst(round_: Round, before: Mapping[str, Toll], effects: Sequence[Effect], book: Reckoning) -> Round:
    """
    Let those burst who fell since `before`, until nobody does any more; they are back when all that is over.

    Rule: C27: what strikes then meets the Defence that the blows left, and what answers damage (C22, C24); A13.
    """
    bursting = {one.by for one in of_kind(effects, Revive) if one.bursts}
    if not bursting:
        return round_
    reactions = round_.reactions.copy()
    round_ = msgspec.structs.replace(round_, reactions=reactions)
    tolls, blows, names = dict(round_.tolls), round_.blows, round_.names
    late = _Late(round_, book)
    done_with = {key for toll in before.values() for key in toll.saved_by}
    dead = set[str]()
    while True:
        fresh = {s: k for s, toll in tolls.items() for k in toll.saved_by if k in bursting and k not in done_with}
        if not fresh:
            return msgspec.structs.replace(round_, tolls=tolls)
        done_with |= set(fresh.values())
        dead |= {*fresh, *(seat for seat, toll in tolls.items() if toll.out_step)}
        reactions.lose({*reactions.discards, *(key for toll in tolls.values() for key in toll.saved_by)})
        strokes = reactions.bursts([*fresh.values()], {key: seat for seat, key in fresh.items()})
        for _ in range(MOST_WAVES):
            strokes = [stroke for stroke in strokes if stroke.on not in dead and stroke.on not in blows.shielded]
            if not strokes:
                break
            strokes = late.wave(tolls, strokes)
        for seat in [seat for seat, toll in tolls.items() if toll.energy <= 0 and seat not in dead]:
            toll = checkpoints.saved(tolls[seat], effects, seat)
            text = f"{names[seat]} is out at last"
            tolls[seat] = checkpoints.checked(toll, book, f"out at last: {seat}", text, 3)


class _Late:
    """Damage that comes when the blows are over: what Defence is left, and how many numbers it has given so far."""

    def __init__(self, round_: Round, book: Reckoning) -> None:
        self._names, self._reactions, self._book = round_.names, round_.reactions, book
        self._goes_past = round_.state.house["power_damage_blockable"] == "no"
        self._left = dict(round_.blows.left)
        self._places = count(1 + sum(verdict.key.startswith("late damage") for verdict in book.verdicts))

    def wave(self, tolls: dict[str, Toll], strokes: Sequence[Damage]) -> Sequence[Damage]:
        """Let strokes be blocked, changed and taken off the tolls; return what follows from them."""
        blocked = [self._block(stroke) for stroke in strokes]
        came = [
            Landing(stroke.source, stroke.on, "power", stroke.amount - points)
            for stroke, points in zip(strokes, blocked, strict=True)
        ]
        had, counted = len(self._reactions.shares), []
        for stroke, stopped, hit in zip(strokes, blocked, self._reactions.turn(came), strict=True):
            key, text = f"late damage {next(self._places)} on {stroke.on}", f"Late damage on {self._names[stroke.on]}"
            how = f"{stroke.amount} ({stroke.by}){f' - Defence {stopped}' if stopped else ''}"
            how += "".join(map(changed_by, hit.changes))
            through = self._book.number(key, text, hit.points, how, "C27")
            what = f"{stroke.by}, {stopped} of {stroke.amount} stopped by Defence" if stopped else stroke.by
            tolls[stroke.on] = tolls[stroke.on].with_change(what, -through)
            counted.append(msgspec.structs.replace(hit, points=through))
        following = self._reactions.follow(counted)
        for share in self._reactions.shares[had:]:
            if not tolls[share.on].out_step:
                tolls[share.on] = tolls[share.on].with_change(share.by, share.amount)
        return following

    def _block(self, stroke: Damage) -> int:
        if stroke.unblockable or self._goes_past:
            return 0
        points = min(self._left.get(stroke.on, 0), stroke.amount)
        self._left[stroke.on] = self._left.get(stroke.on, 0) - points
        return points
