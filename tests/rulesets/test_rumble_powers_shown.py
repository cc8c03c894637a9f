"""What an owner of powers is shown: orders that the archive prints and lines to fill in can be sent as they stand."""

import re

import msgspec
import pytest

from pbem.ground.terms import OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.genres import genre_of, genres_known
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Captions
from pbem.rulesets.rumble.model.state import Hero, Later, Power, State
from pbem.rulesets.rumble.powers.archive import Archived, archive
from pbem.rulesets.rumble.powers.language.runnable import runs
from tests.depth import some
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter

ADA, BO, CY = Seat("ada"), Seat("bo"), Seat("cy")
ALL = pytest.mark.parametrize("power", archive(), ids=lambda power: power.name)


def arena(*mine: Archived, phase: str = "round", genre: str = "superhero") -> State:
    """Return a game in which Ada has powers, and Bo has Laser Eyes and Tough Hide; or they are in the pool."""
    heroes = (Hero(ADA, "Mantisman"), Hero(BO, "Plastiquegirl"), Hero(CY, "Doctor Cuttlefish"))
    cards = [Power(n, one.name, one.text, owner=ADA, lines=one.lines) for n, one in enumerate(mine, 1)]
    known = {"Laser Eyes", "Tough Skin"} - {one.name for one in mine}
    cards += [Power(n, name, "20.", owner=BO, strength=5) for n, name in enumerate(sorted(known), 40)]
    cards.append(Power(50, "Cape", "20.", owner=ADA, strength=5))
    if phase == "auction":
        cards = [msgspec.structs.replace(card, owner="") for card in cards]
    house = {**DEFAULTS, "genre": genre}
    return State(phase=phase, round=2, house=house, heroes=heroes, powers=tuple(cards))  # type: ignore[arg-type]


def read(state: State, *lines: str) -> list[str]:
    """Return why lines of Ada's are not taken, each by itself."""
    found = RULESET.parse(state, ADA, [OrderLine(2 * n, line) for n, line in enumerate(lines, 1)])
    assert len(found.orders) + len(found.complaints) == len(lines), lines
    return [f"{one.text}: {one.because}" for one in found.complaints]


def filled(line: str, power: Archived) -> str:
    """Fill in the blanks of a line: a hero, another hero, a power, a number, a word, by what stands before them."""
    other = "Cape" if "power of me" in power.lines else "Laser Eyes"
    wants_power = "= power" in power.lines
    line = line.replace("captions: ____", "captions: KRAK, THWIP").replace("packets: ____", "packets: Cuttle, Plasti")
    line = re.sub(r"(plan [^:]*): ____", r"\1: rest defend", line)
    line = re.sub(r"(X=|\bx|hold |hamstern |move )____", r"\g<1>3", line)
    line = re.sub(r"(discarding|targeted by) ____", rf"\1 {other}", line)
    line = line.replace("on ____", f"on {other}" if wants_power else "on Plasti", 1)
    return line.replace("____", "Cuttle")


@ALL
def test_the_order_that_the_archive_shows_is_read(power: Archived) -> None:
    """With a hero for NAME and a power for POWER it is an order of its owner's."""
    if not power.order or power.name == "Sidekick":  # its hero has orders of its own, which are not read yet
        return
    other = "Cape" if "power of me" in power.lines else "Laser Eyes"
    names = iter(("Plastiquegirl", "Doctor Cuttlefish"))
    line = re.sub(r"\bNAME\b", lambda _: next(names), power.order)
    line = re.sub(r"\bPOWER\b", other, line)
    state = arena(power, phase="auction" if line.startswith("bid ") else "round")
    assert read(state, line) == []


@ALL
def test_each_line_to_fill_in_is_read_once_it_is_filled_in(power: Archived) -> None:
    """Every power that is used has such a line, and none of them can be read while its blanks are there."""
    for genre in ("superhero", "racing"):
        state = arena(power, genre=genre)
        forms = [form["line"] for form in RULESET.asked(state, ADA)["forms"]]
        used = power.order and not power.order.startswith("bid ") and power.name != "Sidekick"
        assert bool(forms) == bool(used), forms
        assert all("____" in form and len(form) <= 54 for form in forms)
        assert read(state, *(filled(form, power) for form in forms)) == []


@pytest.mark.parametrize("genre", some(5, genres_known()))
def test_letters_to_an_owner_of_many_powers_keep_to_the_law(genre: str) -> None:
    """All of the archive in one hand, in each genre: 56 columns, and no line that could be sent back as an order."""
    state = arena(*(one for one in archive() if runs(one.lines)), genre=genre)
    state = msgspec.structs.replace(state, shouted=("KRAK", "ZOWIE"))
    facts = RULESET.asked(state, ADA)
    words = genre_of(state.house)
    hold_to_the_law(letter("asked", facts | {"w": words}), (state,))
    orders = (Captions(("KRAK",)), Captions(("THWIP",), "ada"))
    hold_to_the_law(letter("hand", RULESET.hand(state, ADA, orders) | {"w": words}), (state,))


def test_the_letter_says_how_far_powers_have_come() -> None:
    """Doomsday's total, Clockwork's rounds and uses that are left stand where everybody sees them."""
    known = {one.name: one for one in archive()}
    state = arena(known["Doomsday Device"], known["Clockwork Being"], known["Green Gas Bombs"])
    powers = [msgspec.structs.replace(power, used=2, spent=31) for power in state.powers]
    state = msgspec.structs.replace(state, powers=tuple(powers), round=12)
    told = " ".join(letter("asked", RULESET.asked(state, BO)).split())
    for said in ("Doomsday Device (31 of 70 spent)", "Clockwork Being (1 round left)", "Green Gas Bombs (1 use left)"):
        assert said in told
    gone = [msgspec.structs.replace(power, used=3) for power in powers]
    state = msgspec.structs.replace(state, powers=tuple(gone), round=10)
    told = letter("asked", RULESET.asked(state, ADA))
    assert "3 rounds left" in told and "0 uses left" in told and "use Green Gas Bombs" not in told


def test_the_letter_says_what_a_use_takes_and_what_silence_does() -> None:
    """After discounts, and for powers that go by the rules where nothing is said of them."""
    known = {one.name: one for one in archive()}
    names = ("Technical Training", "Laser Eyes", "Energy Bolts", "Lizard DNA", "Air Strike", "Flight")
    told = letter("asked", RULESET.asked(arena(*map(known.__getitem__, names)), ADA))
    for said in (
        "~ use Laser Eyes on ____   # spends 5\n",
        "~ use Energy Bolts on ____   # burns 0, then 1\n",
        "~ use Air Strike X=____   # 5 less than X\n",
        "~ use Flight x____   # burns 0, then 1\n",
        "    At most 3 times a round.\n",
        "    If you say nothing: it is used if it saves your\n    life. To say no:\n| never use Lizard DNA\n",
    ):
        assert said in told, told
    assert "spend ____" in told, "Cape is ruled in words"


def test_the_letter_says_what_powers_demand_and_forbid() -> None:
    """Who must attack is told whom and how much; who cannot has no line for it."""
    state = arena()
    state = msgspec.structs.replace(state, later=(Later(2, "require", ADA, 15, "Hypnotism", BO),))
    told = letter("asked", RULESET.asked(state, ADA))
    assert "You must attack Plastiquegirl with 15 or more\n(Hypnotism)." in told
    state = msgspec.structs.replace(state, later=(*state.later, Later(2, "forbid", ADA, 0, "Plastic Ooze")))
    told = letter("asked", RULESET.asked(state, ADA))
    assert "You cannot attack in this round (Plastic Ooze)." in told
    assert "must attack" not in told and "~ attack" not in told and "~ defend ____" in told


def test_the_receipt_has_a_row_for_all_that_powers_are_told() -> None:
    """What is never used, moved, counted first, shouted and chosen at the reveal, with what that drains."""
    known = {one.name: one for one in archive()}
    names = ("Quick Reflexes", "Lizard DNA", "Galactic Helm", "Batman Captions", "Zypher", "Brainswap")
    state = arena(*map(known.__getitem__, names))
    lines = [
        "use Quick Reflexes", "move 10 attack to defence from Plasti", "never use Lizard DNA", "captions on me: ARGH",
        "order packets: Plasti, Cuttle", "if targeted by Laser Eyes: Zypher to Cuttle", "use Brainswap on Cuttle",
    ]  # fmt: skip
    orders = RULESET.parse(state, ADA, [OrderLine(n, line) for n, line in enumerate(lines, 1)]).orders
    assert len(orders) == len(lines)
    text = letter("hand", RULESET.hand(state, ADA, orders))
    hold_to_the_law(text, (state,))
    told = " ".join(text.split())
    for said in (
        "At the reveal 10 from Attack on Plastiquegirl to Defence", "Lizard DNA is not used",
        "Damage counts in this order: Plastiquegirl, Doctor Cuttlefish", "Captions for what you take: ARGH",
        "A line that asks whether you are targeted by Laser Eyes: known at the reveal",
        "then use Zypher on Laser Eyes to Doctor Cuttlefish (draining 10)",
    ):  # fmt: skip
        assert said in told, told
    assert "as you wrote it" not in told
