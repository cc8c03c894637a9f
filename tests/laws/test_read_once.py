"""Law: what was read before changes nothing of what is read, and a line of a mail is read once."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Parsed, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.language import deciding, reader, together
from pbem.language.deciding import Said
from pbem.language.parses import Language
from pbem.language.sentences import Sentence
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.table.incoming import player_mail
from tests.depth import examples
from tests.laws.test_lines_of_a_mail import received
from tests.laws.test_long_lines import open_table

DISCS = rulesets_known()["discs"]
AUCTION = open_table("auction")
TIED = msgspec.structs.replace(
    AUCTION.state, phase="rebid", ties={AUCTION.state.powers[1].key: (Seat("ada"), Seat("bo"), Seat("cy"))}
)
GAMES: dict[str, tuple[Any, Any]] = {
    **{name: (open_table(name).ruleset, open_table(name).state) for name in ("powers", "auction", "round", "brawl")},
    "rebid": (AUCTION.ruleset, TIED),
    "discs": (
        DISCS,
        DISCS.setup(
            {Seat("ada"): "Ada", Seat("bo"): "Bo", Seat("cy"): "Plastiquegirl"}, {}, Dice(bytes([1]) + bytes(31))
        ),
    ),
}
ATTACKS = (
    "attack Plastiquegirl 20", "I hit Plastiquegirl with 20", "20 on Plastiquegirl", "defend 30.", "rest in defence",
    "half on Plastiquegirl, half defend", "me 20", "attack  me   20", "if my energy < 50: attack Plastiquegirl 20",
    "| attack Plastiquegirl 20", "~ defend 30", "Hello all!", "Sorry, I am late.", "",
)  # fmt: skip
BIDS = ("20", "bid P02 20", "P02 20 then 25", "twenty for P02", "the rest 3", "all", "Hello all!", "")
LINES: dict[str, tuple[str, ...]] = {
    "powers": (*ATTACKS, *BIDS),
    "auction": BIDS,
    "rebid": BIDS,
    "round": ATTACKS,
    "brawl": ("attack Plastiquegirl with a damage b", "attack Bo with b damage a", "pass", *ATTACKS),
    "discs": (
        "1. hold",
        "2: pass",
        "1: throw at Plastiquegirl",
        "in this order",
        "by card",
        "move to F4",
        "Hello all!",
    ),
}


def forget() -> None:
    """Forget what was read before."""
    reader._moment.cache_clear()


@st.composite
def several(draw: st.DrawFn, game: str) -> list[tuple[str, list[str], bool]]:
    """Draw mails of players that have few lines between them, some of them as another state stood."""
    few = st.sampled_from(draw(st.lists(st.sampled_from(LINES[game]), min_size=1, max_size=3)))
    mail = st.tuples(st.sampled_from(["ada", "bo"]), st.lists(few, min_size=1, max_size=3), st.booleans())
    return draw(st.lists(mail, min_size=2, max_size=6))


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


def parse(game: str, state: Any, seat: str, mail: Sequence[str]) -> Parsed[Any]:
    """Read the lines of a mail."""
    ruleset, _ = GAMES[game]
    found: Parsed[Any] = ruleset.parse(
        state, Seat(seat), [OrderLine(number, text) for number, text in enumerate(mail, 1)]
    )
    return found


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(30))
@given(data=st.data())
def test_a_mail_is_read_as_if_none_had_been_read_before(game: str, data: st.DataObject) -> None:
    """Whoever wrote what before it, in this phase or as another state stood."""
    mails = data.draw(several(game))
    _, state = GAMES[game]
    again = [renamed(game), state]
    alone = []
    for seat, mail, other in mails:
        forget()
        alone.append(parse(game, again[other], seat, mail))
    forget()
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
    forget()
    counted: Counter[str] = Counter()
    decided = deciding.decided

    def counting_sentences(language: Language, sentence: Sentence, *, guesses: bool) -> Said:
        counted[sentence.text] += 1
        return decided(language, sentence, guesses=guesses)

    monkeypatch.setattr(together, "decided", counting_sentences)
    player_mail.take(open_table(game), Seat("ada"), received(mail))
    assert len(counted) > 1 and set(counted.values()) == {1}, counted


def test_what_is_known_of_lines_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much somebody writes in a phase."""
    monkeypatch.setattr(together, "MOST_KNOWN", 10)
    forget()
    _, state = GAMES["discs"]
    for number in range(40):
        parse("round", GAMES["round"][1], "ada", [f"attack Plastiquegirl {number}"])
        parse("discs", state, "ada", [f"move to Plastiquegirl {number}"])
    assert 0 < len(LISTS.at(state, Seat("ada")).language.said) <= 11
    assert 0 < len(ROUNDS.at(GAMES["round"][1], Seat("ada")).language.said) <= 11
