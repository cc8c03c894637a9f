"""Law: what was read before changes nothing of what is read, and a line of a mail is read once."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import lines
from pbem.chance import Dice
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.incoming import player_mail
from pbem.terms import OrderLine, Parsed, Seat
from tests.laws.test_lines_of_a_mail import received
from tests.laws.test_long_lines import open_table

DISCS = rulesets_known()["discs"]
GAMES: dict[str, tuple[Any, Any]] = {
    **{name: (open_table(name).ruleset, open_table(name).state) for name in ("powers", "auction", "round", "brawl")},
    "discs": (
        DISCS,
        DISCS.setup(
            {Seat("ada"): "Ada", Seat("bo"): "Bo", Seat("cy"): "Plastiquegirl"}, {}, Dice(bytes([1]) + bytes(31))
        ),
    ),
}
LINES = (
    "attack Plastiquegirl 20", "I hit Plastiquegirl with 20", "20 on Plastiquegirl", "20", "all", "defend", "defend 30.",
    "rest in defence", "half on Plastiquegirl, half defend", "bid P02 20", "P02 20 then 25", "the rest 3", "in this order",
    "by card", "1. hold", "2: pass", "move to F4", "a for attack at Plastiquegirl", "me 20", "Hello all!", "attack  me   20",
    "Sorry, I am late.", "if my energy < 50: attack Plastiquegirl 20", "| attack Plastiquegirl 20", "~ defend 30", "",
)  # fmt: skip


def renamed(game: str) -> Any:
    """Return the state of a game in which each of the three is called as another was."""
    ruleset, state = GAMES[game]
    if hasattr(state, "heroes"):
        names = [hero.name for hero in state.heroes]
        heroes = zip(state.heroes, names[1:] + names[:1], strict=True)
        return msgspec.structs.replace(state, heroes=tuple(msgspec.structs.replace(one, name=to) for one, to in heroes))
    house = {"game": "pub"} if game == "brawl" else {}
    seats = {Seat("ada"): "Plastiquegirl", Seat("bo"): "Ada", Seat("cy"): "Bo"}
    return ruleset.setup(seats, house, Dice(bytes([1]) + bytes(31)))


MAILS = st.lists(st.sampled_from(LINES), max_size=6)


def parse(game: str, state: Any, seat: str, mail: Sequence[str]) -> Parsed[Any]:
    """Read the lines of a mail."""
    ruleset, _ = GAMES[game]
    found: Parsed[Any] = ruleset.parse(
        state, Seat(seat), [OrderLine(number, text) for number, text in enumerate(mail, 1)]
    )
    return found


@given(
    game=st.sampled_from(list(GAMES)),
    mails=st.lists(st.tuples(st.sampled_from(["ada", "bo", "cy"]), MAILS, st.booleans()), min_size=2, max_size=6),
)
def test_a_mail_is_read_as_if_none_had_been_read_before(game: str, mails: list[tuple[str, list[str], bool]]) -> None:
    """Whoever wrote what before it, in this phase or as another state stood."""
    _, state = GAMES[game]
    again = [renamed(game), state]
    alone = []
    for seat, mail, other in mails:
        lines._known.cache_clear()
        alone.append(parse(game, again[other], seat, mail))
    lines._known.cache_clear()
    assert [parse(game, again[other], seat, mail) for seat, mail, other in mails] == alone
    for (seat, mail, other), found in zip(mails, alone, strict=True):
        numbers = [order.line for order in parse(game, again[other], seat, mail).orders if hasattr(order, "line")]
        assert numbers == [order.line for order in found.orders if hasattr(order, "line")]


@pytest.mark.parametrize("game", ["round", "brawl"])
@pytest.mark.parametrize(
    "mail",
    [
        ["Hi Gwen, sorry for being late, what do you think?", "I might attack somebody soon."],
        ["attack Plastiquegirl 20", "defend 30", "", "Sorry for being late. What a round!"],
        ["Hello all,", "", "I attack Plastiquegirl with 20 and defend with 30.", "", "Cheers", "Ada"],
    ],
)
def test_each_line_of_a_mail_is_read_once(game: str, mail: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Though its talk is told from its orders step by step."""
    lines._known.cache_clear()
    counted: Counter[str] = Counter()
    said = lines._said

    def counting(text: str, *how: Any) -> Any:
        counted[text] += 1
        return said(text, *how)

    monkeypatch.setattr(lines, "_said", counting)
    player_mail.take(open_table(game), Seat("ada"), received(mail))
    assert len(counted) > 1 and set(counted.values()) == {1}, counted


def test_what_is_known_of_lines_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much somebody writes in a phase."""
    monkeypatch.setattr(lines, "MOST_KNOWN", 10)
    lines._known.cache_clear()
    _, state = GAMES["round"]
    for number in range(40):
        parse("round", state, "ada", [f"attack Plastiquegirl {number}"])
    assert len(lines._known((lines.Same(state), Seat("ada")))) <= 11
