"""`ready` and `wait`: whether the phase may close before its deadline, as far as one seat goes."""

from typing import Self

import msgspec

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.speech.answers import Answer, answer
from pbem.table.model import hands
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest

replace = msgspec.structs.replace


def _settled(table: Table, seat: Seat) -> Table:
    """Let a set in doubt stand, for later phases too where sets do."""
    held = table.sets.hand.get(seat)
    if held is None or not held.doubtful:
        return table
    table = table.with_sets(seat, hand=replace(held, doubtful=False))
    return hands.keep_standing(table, seat) if hands.is_standing(table, seat) else table


class Ready(BaseRequest, frozen=True, kw_only=True, tag="ready"):
    """Let the phase close early."""

    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Note that nothing more comes."""
        table = _settled(table, seat)
        return replace(table, waits=table.waits - {seat}, ready=table.ready | {seat})


class Yes(BaseRequest, frozen=True, kw_only=True, tag="yes"):
    """Let the set on hand stand as it is, whatever was said beside it; or take the one that a receipt offers."""

    also = ("ok", "okay", "yep")
    is_about_the_set = True

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Take a yes for an answer only where something was asked."""
        held = table.sets.hand.get(seat) if seat else None
        is_asked = held is not None and held.doubtful
        is_asked = is_asked or (seat is not None and hands.offer(table, seat) is not None)
        return cls() if is_asked and cls.is_said(f"{cls.word()} {rest}") else None

    @classmethod
    def is_said(cls, text: str) -> bool:
        """Say whether a line is a yes by its words, whatever is asked."""
        return answer(text) == Answer("yes")

    def act(self, table: Table, seat: Seat) -> Table:
        """Settle the doubt."""
        return _settled(table, seat)


class Wait(BaseRequest, frozen=True, kw_only=True, tag="wait"):
    """Keep the phase open until its deadline."""

    also = ("not yet", "not done yet", "not final", "draft", "just a draft", "hold on", "hang on")
    is_about_the_set = True

    def act(self, table: Table, seat: Seat) -> Table:
        """Note that something may come yet."""
        return replace(table, waits=table.waits | {seat}, ready=table.ready - {seat})
