"""The auction of Rumble as its rules tell it: bids, ties, Flaws, what is done when a power is won, and who is out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lot:
    """A power of the pool."""

    number: int
    name: str
    kind: str = "power"


@dataclass(frozen=True)
class Bid:
    """A bid: its replacements for ties (B2), whether the power is only won to be rid of it (N8), to whom it is given."""

    amount: int
    then: Sequence[int] = ()
    discard: bool = False
    give: str = ""


@dataclass
class Auction:
    """
    An auction under way.

    Shape: `bids[number][seat]` is the bid that counts now; `sold` are (number, who, strength); `energy` is None of
    nobody, and 0 or less of who is out.
    """

    house: Mapping[str, str]
    seats: Sequence[str]
    pool: Sequence[Lot]
    bids: dict[int, dict[str, Bid]]
    again: int = 0
    tied: dict[int, list[str]] = field(default_factory=dict)
    for_the_die: set[int] = field(default_factory=set)
    energy: dict[str, int] = field(default_factory=dict)
    has: list[tuple[str, str, int]] = field(default_factory=list)
    """What is whose in the end: the power's name, its owner, its strength."""
    saved: set[str] = field(default_factory=set)
    """Who stands on 0 for a Clockwork Being."""
    notes: set[str] = field(default_factory=set)

    def amount(self, number: int, seat: str) -> int:
        """Return what somebody bids on a power now; nothing is 0, but on a Flaw what silence bids (B9)."""
        bid = self.bids[number].get(seat)
        is_flaw = any(lot.number == number and lot.kind == "flaw" for lot in self.pool)
        says_something = any(seat in bids for bids in self.bids.values())
        silent = int(self.house["nmr_bid"]) if is_flaw and says_something else 0
        return bid.amount if bid else silent

    def settle(self) -> dict[int, list[str]]:
        """Use up the sealed replacements; return who is tied for what and bids again (R20)."""
        self.tied = {}
        for lot in self.pool:
            if lot.kind != "flaw" and self.house["ties"] not in ("shared", "random"):
                best = self._replaced(lot.number)
                live = self.house["ties"] == "rebid" or not self.again
                if len(best) > 1 and live and lot.number not in self.for_the_die:
                    self.tied[lot.number] = best
        return self.tied

    def _best(self, number: int) -> list[str]:
        """Return who bids most, nobody if that is 0."""
        top = max(self.amount(number, seat) for seat in self.seats)
        return [seat for seat in self.seats if self.amount(number, seat) == top > 0]

    def _replaced(self, number: int) -> list[str]:
        """Of the tied each goes on to the next replacement, or stands on the bid (B12), until they do not tie."""
        best = self._best(number)
        first = set(best)
        while len(best) > 1 and any(self.bids[number][seat].then for seat in best if seat in self.bids[number]):
            for seat in best:
                bid = self.bids[number].get(seat)
                if bid and bid.then:
                    self.bids[number][seat] = Bid(bid.then[0], bid.then[1:], bid.discard, bid.give)
            best = self._best(number)
            if len(best) > 1 and not first.issuperset(best):
                self.notes.add("a tie draws a third bidder in")
        return best

    def bid_again(self, bids: Mapping[int, Mapping[str, Bid]]) -> None:
        """Take the new bids of the tied; who sends nothing stands on the old one (B14)."""
        self.again += 1
        for number, tied in self.tied.items():
            before = [self.amount(number, seat) for seat in tied]
            for seat in tied:
                new = bids.get(number, {}).get(seat)
                old = self.bids[number][seat]
                if new:
                    self.bids[number][seat] = Bid(new.amount, (), old.discard, old.give)
            if before == [self.amount(number, seat) for seat in tied]:
                self.for_the_die.add(number)  # B14
            best = self._best(number)
            if len(best) > 1 and not set(best) <= set(tied):
                self.notes.add("a tie draws a third bidder in")

    def close(self, lot_falls_on: Callable[[str, Sequence[str]], str]) -> None:
        """Sell everything, pay, do what powers do when they are won, and see who is out."""
        price, flaws = Counter[str](), Counter[str]()
        won: list[tuple[Lot, str, int]] = []
        for lot in self.pool:
            if lot.kind == "flaw":
                won += self._flaw(lot, flaws)
                continue
            best = self._best(lot.number)
            if len(best) > 1 and self.house["ties"] != "shared":
                best = [lot_falls_on(lot.name, best)]
            won += [(lot, seat, self.amount(lot.number, seat)) for seat in best]
        for lot, seat, paid in won:
            if lot.kind != "flaw":
                price[seat] += paid
        self.energy = {seat: 100 - price[seat] - flaws[seat] for seat in self.seats}
        kept = [one for one in won if not self._rid(one)]
        owners = {index: self._given(lot, seat) for index, (lot, seat, _) in enumerate(kept)}
        self._pure_energy(kept, won)
        savers = {seat: self._saver(kept, owners, seat) for seat in self.seats}
        dead = {seat for seat in self.seats if self.energy[seat] <= 0 and savers[seat] is None}
        passed: list[tuple[str, str, int]] = []
        if self.house["dead_bidder_powers"] == "next_bidder":
            passed = self._next_bidders(
                [one for index, one in enumerate(kept) if owners[index] == one[1] in dead], dead
            )
        for seat, saver in savers.items():
            if self.energy[seat] <= 0 and saver is not None:
                self._save(kept, owners, seat, saver)
            elif self.energy[seat] <= 0 and seat not in dead:
                self.notes.add("a next bidder is put out")
        self.has = passed + [
            (lot.name, owners[index], strength)
            for index, (lot, _, strength) in enumerate(kept)
            if owners[index] and owners[index] not in dead
        ]

    def _flaw(self, lot: Lot, lost: Counter[str]) -> list[tuple[Lot, str, int]]:
        """N10: the lowest get it, or a copy each, for nothing; all others lose what they bid."""
        low = min(self.amount(lot.number, seat) for seat in self.seats)
        high = max(self.amount(lot.number, seat) for seat in self.seats)
        if high == 0 and self.house["flaw_all_zero"] == "discard":
            return []
        for seat in self.seats:
            if self.amount(lot.number, seat) > low:
                lost[seat] += self.amount(lot.number, seat)
        return [(lot, seat, low) for seat in self.seats if self.amount(lot.number, seat) == low]

    def _rid(self, one: tuple[Lot, str, int]) -> bool:
        lot, seat, _ = one
        bid = self.bids[lot.number].get(seat)
        return bool(bid and bid.discard and lot.kind != "flaw")

    def _given(self, lot: Lot, seat: str) -> str:
        """C6: Blood Rage and Weak Hands go to the opponent whom the winner named."""
        bid = self.bids[lot.number].get(seat)
        handed = lot.name in ("Blood Rage", "Weak Hands") and self.house["curse"] == "winner_gives"
        if handed and not (bid and bid.give):
            self.notes.add("a lot is drawn")
        return bid.give if handed and bid else seat

    def _pure_energy(self, kept: Sequence[tuple[Lot, str, int]], won: Sequence[tuple[Lot, str, int]]) -> None:
        """C11: half of the winning bids, or of all bids; of a Flaw the winner pays nothing."""
        bid = sum(paid for lot, _, paid in won if lot.kind != "flaw")
        if self.house["peb"] == "all":
            bid = sum(self.amount(lot.number, seat) for lot in self.pool for seat in self.seats)
        for lot, seat, _ in kept:
            if lot.name == "Pure Energy Being":
                self.energy[seat] += -(-bid // 2) if self.house["round"] == "up" else bid // 2

    def _saver(self, kept: Sequence[tuple[Lot, str, int]], owners: Mapping[int, str], seat: str) -> int | None:
        """Return which of somebody's powers saves from falling, where the house lets one (B5)."""
        mine = {lot.name: index for index, (lot, _, _) in enumerate(kept) if owners[index] == seat}
        if self.house["overbid_rescue"] == "yes":
            for name in ("Clockwork Being", "Hidden Clone", "Bomberman"):
                if name in mine:
                    return mine[name]
        return None

    def _save(self, kept: Sequence[tuple[Lot, str, int]], owners: dict[int, str], seat: str, saver: int) -> None:
        name = kept[saver][0].name
        self.energy[seat] = {"Clockwork Being": 0, "Hidden Clone": 50, "Bomberman": 1}[name]
        if name == "Clockwork Being":
            self.saved.add(seat)
        else:
            owners[saver] = ""

    def winners(self) -> set[str] | None:
        """Return who has won if the auction leaves one hero, or none, who all fell together then (A7)."""
        living = {seat for seat, energy in self.energy.items() if energy > 0 or seat in self.saved}
        if len(living) > 1:
            return None
        most = max(self.energy.values())
        alike = {seat for seat, energy in self.energy.items() if energy == most or self.house["last_fall"] == "draw"}
        return living or alike

    def _next_bidders(self, lots: Sequence[tuple[Lot, str, int]], dead: set[str]) -> list[tuple[str, str, int]]:
        """B5: powers of the dead go to the next highest bidder, who pays that bid."""
        passed: list[tuple[str, str, int]] = []
        for lot, _, _ in lots:
            if lot.kind == "flaw":
                self.notes.add("a Flaw of the dead")
            bid = {seat: self.amount(lot.number, seat) for seat in self.seats}
            mine = self._best(lot.number) if self.house["ties"] == "shared" else []
            able = [seat for seat in self.seats if seat not in (*dead, *mine) and bid[seat] > 0]
            if lot.kind == "flaw" or not able:
                continue
            top = max(self.amount(lot.number, seat) for seat in able)
            if sum(self.amount(lot.number, seat) == top for seat in able) > 1:
                self.notes.add("next bidders tie")
            seat = next(seat for seat in able if self.amount(lot.number, seat) == top)
            self.energy[seat] -= top
            passed.append((lot.name, seat, top))
        return passed
