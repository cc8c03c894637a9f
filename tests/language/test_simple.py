"""Tables of a small game: what they read, and what is said to whoever wrote them wrong."""

import msgspec
import pytest

from pbem.language.shapes import TableError
from pbem.ruleset import Dice, Language, Names, Noun, Numbers, OrderLine, Placed, Reader, Seat, SimpleTables
from pbem.rulesets.rumble import RULESET

WORDS = "LIGHT light lights burn\nREST rest rests\nWATCH watch watches look_at\nCANDLES candles"
SHAPES = "order.light: LIGHT number:number\norder.light: LIGHT number:number CANDLES\norder.rest: REST\norder.watch: WATCH who:player"
TABLES = SimpleTables(WORDS, SHAPES, ("number", "player"))


class Light(Placed, frozen=True, eq=False):
    """So many candles."""

    number: int


class Rest(Placed, frozen=True, eq=False):
    """Nothing."""


class Watch(Placed, frozen=True, eq=False):
    """Somebody."""

    who: str


class Lanterns(msgspec.Struct, frozen=True):
    """Who plays."""

    names: dict[Seat, str]


class Rounds(Reader[Lanterns, Light | Rest | Watch]):
    """What is sent."""

    def language(self, state: Lanterns, seat: str) -> Language:
        """Numbers, and names of players."""
        nouns: dict[str, Noun] = {"number": Numbers(1, 20), "player": Names(state.names, thing="player")}
        return TABLES.language(
            {"light": Light, "watch": Watch}, nouns, values={"rest": Rest()}, samples={"number": "3"}
        )


STATE = Lanterns({Seat("megan"): "Megan", Seat("bo"): "Bo", Seat("hercules"): "Hercules", Seat("it"): "It"})
ROUNDS = Rounds()


def taken(*lines: str) -> list[str]:
    """Return what is read in some lines."""
    found = ROUNDS.hear(STATE, "bo", [OrderLine(number, text) for number, text in enumerate(lines, 1)])
    return [ROUNDS.write(STATE, order) for order in found.orders]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("burn 3 candles", "light 3"),
        ("I watch meg please", "watch Megan"),
        ("look at Hercules because he cheats", "watch Hercules"),
        ("watch It", "watch It"),
        ("Rest.", "rest"),
    ],
)
def test_orders_are_read_in_peoples_words(said: str, meant: str) -> None:
    """And written in the first shape of each."""
    assert taken("Good evening!", said) == [meant]


@pytest.mark.parametrize("said", ["watch me", "look at her", "watch them", "watch out", "watch him", "I'm watching us"])
def test_a_word_that_stands_for_a_name_is_none_cut_short(said: str) -> None:
    """Megan is not meant by me, nor Hercules by her."""
    assert taken(said) == []


def test_nobody_is_attacked_by_a_pronoun() -> None:
    """In Rumble neither; by more of the name they are."""
    names = {Seat("ada"): "Ada", Seat("hercules"): "Hercules", Seat("themis"): "Themis"}
    state = msgspec.structs.replace(RULESET.setup(names, {"powers": "none"}, Dice(bytes(32))), phase="round")

    def orders(said: str) -> tuple[str, ...]:
        return RULESET.format(state, RULESET.hear(state, Seat("ada"), [OrderLine(1, said)]).orders)

    assert [orders(f"attack {who} 20") for who in ("her", "them", "herc", "themi")] == [
        (), (), ("attack Hercules 20",), ("attack Themis 20",)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("acts", "nouns", "because"),
    [
        ({"ligth": Light, "watch": Watch}, ("number", "player"), "No shape has the act ligth."),
        ({"light": Light, "watch": Watch}, ("number",), "Nothing fills slots of the kind player."),
    ],
)
def test_a_slip_in_what_belongs_to_the_tables_is_named(
    acts: dict[str, type], nouns: tuple[str, ...], because: str
) -> None:
    """When the language is made, not when the first mail comes."""
    known: dict[str, Noun] = {"number": Numbers(), "player": Names({"bo": "Bo"})}
    with pytest.raises(TableError, match=because):
        TABLES.language(acts, {kind: known[kind] for kind in nouns}, values={"rest": Rest()})
