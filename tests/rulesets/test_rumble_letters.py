"""The words of Rumble: every letter renders, keeps to its columns, and is never read back as an order."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import EVERYONE, Event, Facts, Given, OrderLine, Outcome, Seat
from pbem.letters.dresses.text import WIDTH
from pbem.letters.rendering import environment, render
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.effects import do_lines
from pbem.rulesets.rumble.effects.power_rulings import ForPower, Said
from pbem.rulesets.rumble.genres import NEUTRAL
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Bid, Invent, Order
from pbem.rulesets.rumble.model.state import Hero, Power, PowerKind, State
from pbem.rulesets.rumble.powers.archive import Archived, find
from pbem.rulesets.rumble.rehearsal import guesses
from tests.conftest import flat
from tests.depth import at_first
from tests.rulesets import rumble_worlds as worlds
from tests.rulesets.rumble_scene import lay
from tests.rulesets.test_rumble_laws import DICE, rulings_for, sets_of_all

FOLDER = Path(__file__).parent.parent.parent / "templates" / "rumble"
WORDS = environment({f"rumble/{path.name}": path.read_text(encoding="utf-8") for path in FOLDER.glob("*.j2")})


def letter(name: str, facts: Facts) -> str:
    """Render one template of Rumble."""
    return render(WORDS, f"rumble/{name}.j2", {"w": NEUTRAL} | facts)


def report(facts: Facts) -> str:
    """Render what a report says of a phase: what it leads with, then the rest."""
    return f"{letter('lead', facts)}\n{letter('report', facts)}"


def public(outcome: Outcome[State]) -> Facts:
    """Return the facts of the public report."""
    return {"events": [event for event in outcome.events if event.to == EVERYONE]}


def private(outcome: Outcome[State]) -> Facts:
    """Return the facts of what is not public, as the moderator has it."""
    return {"events": [event for event in outcome.events if event.to != EVERYONE]}


def hold_to_the_law(text: str, states: tuple[State, ...]) -> None:
    """Check a letter's columns, and that none of its lines is an order in any of these states."""
    for line in text.split("\n"):
        assert len(line) <= WIDTH, line
        if line.startswith("~ "):
            assert "____" in line
    kept = [line for line in text.split("\n") if line and not line.startswith("~ ")]
    apart = [OrderLine(2 * number, line) for number, line in enumerate(kept, 1)]
    lines = [one for line in apart for one in (line, OrderLine(line.number + 1, ""))]
    for state in states:
        for hero in state.living[:2]:
            found = RULESET.parse(state, hero.seat, lines).orders
            assert found == (), ([line for line in lines if line.number in [one.line for one in found]], text)


def letters_about(state: State, seat: str, orders: tuple[Order, ...], outcome: Outcome[State]) -> list[str]:
    """Render all that is written about a phase."""
    texts = [
        letter("asked", RULESET.asked(state, Seat(seat))),
        letter("hand", RULESET.hand(state, Seat(seat), orders)),
        report(public(outcome)),
        letter("private", private(outcome)),
    ]
    return texts + ([letter("final", public(outcome))] if outcome.result else [])


@settings(max_examples=at_first(2))
@given(st.data())
def test_no_line_about_a_round_is_an_order(data: st.DataObject) -> None:
    """Whatever is ordered and ruled, no line of ours could be sent back as an order, and all keep to 56 columns."""
    state = data.draw(worlds.states())
    sent = sets_of_all(data, state)
    outcome = RULESET.adjudicate(state, sent, rulings_for(data, state), DICE)
    seat = state.living[0].seat
    for text in letters_about(state, seat, tuple(sent[seat]), outcome):
        hold_to_the_law(text, (state, outcome.state))


@settings(max_examples=at_first(2))
@given(st.data())
def test_no_line_about_an_auction_is_an_order(data: st.DataObject) -> None:
    """The same holds for the auction, its rebids and all ways of showing bids."""
    state = data.draw(worlds.states(phase="auction", living=True))
    ties = data.draw(st.sampled_from(("rebid_once", "rebid", "blind")))
    state = msgspec.structs.replace(state, house={**state.house, "ties": ties})
    flawed = data.draw(st.booleans())
    if flawed:
        first, *others = state.powers
        flaw = msgspec.structs.replace(first, kind="flaw")
        state = msgspec.structs.replace(state, powers=(flaw, *others))
    sent: dict[Seat, tuple[Order, ...]] = {
        hero.seat: tuple(msgspec.structs.replace(bid, discard="") for bid in data.draw(worlds.bids(state)))
        for hero in state.heroes
    }
    outcome = RULESET.adjudicate(state, sent, Given(), DICE)
    for text in letters_about(state, "ada", sent[Seat("ada")], outcome):
        hold_to_the_law(text, (state, outcome.state))
    if outcome.state.phase == "rebid":
        hold_to_the_law(letter("asked", RULESET.asked(outcome.state, Seat("ada"))), (outcome.state,))


@given(st.lists(st.lists(worlds.inventions(), max_size=2), min_size=2, max_size=2))
def test_no_line_about_powers_is_an_order(inventions: list[list[Invent]]) -> None:
    """Players' names and texts of powers stand in the pool's letter so that they are never read as lines of ours."""
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)
    sent: dict[Seat, tuple[Order, ...]] = {}
    for seat, wanted in zip((Seat("ada"), Seat("bo")), inventions, strict=True):
        lines = [
            line for one in wanted for line in (f"power: {one.name}", f"text: {one.text}", f"type: {one.kind}", "")
        ]
        sent[seat] = RULESET.parse(state, seat, [OrderLine(n, line) for n, line in enumerate(lines, 1)]).orders
    outcome = RULESET.adjudicate(state, sent, Given({}, ("veto P01",)), DICE)
    for text in letters_about(state, "ada", sent[Seat("ada")], outcome):
        hold_to_the_law(text, (state, outcome.state))


def standing_facts(state: State) -> Facts:
    """Return the facts of the opening and of a player's handbook."""
    figures = dict(RULESET.figures)
    names = list(state.names.values())
    return {"names": names, "house": state.house, "figures": figures, "brief": False, "moderator": False}


def test_no_template_holds_a_number_of_the_rules() -> None:
    """Whatever the rules' numbers are, the letters name those that they are handed."""
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)
    figures = {name: 701 + place for place, name in enumerate(RULESET.figures)} | {"powers_each": 12}
    told = letter("opening", standing_facts(state) | {"figures": figures})
    assert str(figures["start"]) in told and "twelve powers" in " ".join(told.split()) and "100" not in told
    told = letter("handbook", standing_facts(state) | {"figures": figures})
    assert all(str(figures[name]) in told for name in ("power_name", "power_text", "hero_name", "most_bid"))
    assert "Twelve from each hero" in told and not re.search(r"(?<!\d)(?:40|500) ", told.partition("The auction")[0])
    for phase in ("powers", "auction"):
        asked = RULESET.asked(_with_powers(state, ("Flight",)) if phase == "auction" else state, Seat("ada"))
        told = letter("asked", asked | {"figures": figures})
        assert ("Invent twelve powers" if phase == "powers" else f"0 to {figures['most_bid']}") in " ".join(
            told.split()
        )


@pytest.mark.parametrize("kinds", [("power", "flaw"), ("flaw", "power"), ("flaw", "flaw"), ("curse", "power")])
def test_the_examples_of_the_auction_are_legal(kinds: tuple[PowerKind, ...]) -> None:
    """Whatever lies first and last in the pool, what follows a bar is taken; where all are Flaws there is none."""
    start = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)
    powers = tuple(Power(n, f"Power {n}x", "Does it.", kind=kind) for n, kind in enumerate(kinds, 1))
    state = msgspec.structs.replace(start, phase="auction", powers=powers)
    told = letter("asked", RULESET.asked(state, Seat("ada")))
    examples = [line.removeprefix("| ") for line in told.split("\n") if line.startswith("| ")]
    assert bool(examples) == ("power" in kinds)
    for example in examples:
        assert len(_read(state, [example])) == 1


def test_every_effect_stands_in_the_moderators_handbook_with_an_example_that_works() -> None:
    """Each kind of effect is there, and each example reads; a player's handbook has none of them."""
    names = {Seat("ada"): "Mantisman", Seat("bo"): "Bolt"}
    state = _with_powers(RULESET.setup(names, {}, DICE), ("Flight", "Tough Hide", "Laser Eyes"))
    powers = tuple(msgspec.structs.replace(power, owner=Seat("bo"), lines="") for power in state.powers)
    state = msgspec.structs.replace(state, powers=powers)
    told = letter("handbook", standing_facts(state) | {"moderator": True})
    examples = re.findall(r"^\| do (.+) because REASON$", told, re.MULTILINE)
    found = {type(do_lines.read(state, example)) for example in examples}
    assert found == {*get_args(Said), ForPower}
    assert "| do" not in letter("handbook", standing_facts(state))


def test_the_moderator_reads_the_text_of_every_power_in_play() -> None:
    """Also of those that nobody used, since such may be always on; each text stands there once."""
    state = _specimen()
    powers = tuple(
        Power(number, name, f"What {name} does.", owner=Seat(owner))
        for number, (name, owner) in enumerate((("Tough Hide", "ada"), ("Laser Eyes", "bo")), 1)
    )
    state = msgspec.structs.replace(state, powers=powers)
    sent = {
        Seat("ada"): _orders(state, "ada", ["defend 10"]),
        Seat("bo"): _orders(state, "bo", ["use Laser Eyes on Mantisman spend 10"]),
        Seat("cy"): _orders(state, "cy", ["defend 10"]),
    }
    told = letter("private", private(RULESET.adjudicate(state, sent, Given(), DICE)))
    for name in ("Tough Hide", "Laser Eyes"):
        assert told.count(f": What {name} does.") == 1
    assert "Mantisman: P01 Tough Hide" in told and "Plastiquegirl used P02 Laser Eyes on Mantisman" in told


def test_what_an_auction_cost_cites_the_rule_of_paying() -> None:
    """The sums of an auction are R19's, those of a round R10's."""
    start = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)
    state = _with_powers(start, ("Flight",))
    sent = {Seat("ada"): _read(state, ["bid P01 20"]), Seat("bo"): ()}
    told = report(public(RULESET.adjudicate(state, sent, Given(), DICE)))
    assert re.search(r"Ada: 100 - 20 P01 = 80 +\[R19\]", told) and "[R10]" not in told


def test_the_standing_letters_are_no_orders() -> None:
    """The opening and the handbook keep to the law in every phase."""
    state = RULESET.setup({Seat("ada"): "Cuttlefish", Seat("bo"): "Plastiquegirl"}, {"resign": "yes"}, DICE)
    facts = standing_facts(state)
    in_round = msgspec.structs.replace(state, phase="round", round=1)
    in_auction = msgspec.structs.replace(state, phase="auction")
    for name in ("opening", "handbook"):
        for more in ({}, {"brief": True}, {"moderator": True}):
            hold_to_the_law(letter(name, facts | more), (state, in_round, in_auction))


def test_no_line_about_amendments_is_an_order() -> None:
    """Neither where a power lies in the pool, nor in the receipt, nor where all read the new text."""
    names = {Seat("ada"): "Ada", Seat("bo"): "Bolt"}
    start = RULESET.setup(names, {"amendments": "yes"}, DICE)
    text = "reword P01: use it; pass. Bid 5 on it, and reword everything that lies in the pool: twice."
    powers = tuple(Power(n, name, text, author="ada") for n, name in enumerate(("Pass", "Reword It", "Zap"), 1))
    state = msgspec.structs.replace(start, phase="amend", powers=powers)
    orders = _read(state, [f"reword Zap: {text} {text}"])
    outcome = RULESET.adjudicate(state, {Seat("ada"): orders, Seat("bo"): ()}, Given(), DICE)
    for told in letters_about(state, "ada", orders, outcome):
        hold_to_the_law(told, (state, outcome.state))


def test_every_example_of_the_handbook_works() -> None:
    """What the handbook's examples say is taken when the bar is left out."""
    names = {Seat("ada"): "Ada", Seat("bo"): "Bolt", Seat("cy"): "Doctor Cuttlefish", Seat("di"): "Plastiquegirl"}
    start = RULESET.setup(names, {"resign": "yes"}, Dice(b"handbook"))
    lines = letter("handbook", standing_facts(start)).split("\n")
    examples = [line.removeprefix("| ") if line.startswith("| ") else "" for line in lines]
    guess = next(line for line in examples if line.startswith("what if "))
    examples.remove(guess)  # it is no order
    auction = examples.index("bid P01 22")
    rounds = examples.index("hero: Mantisman")
    invented = _read(start, examples[:auction])
    assert len(invented) == 4
    wanted = (
        "Tough Hide", "Laser Eyes", "Ink Cloud", "Air Strike", "Green Gas Bombs", "Precognition", "Flight", "Hypnotism",
        "Lighten Load", "Barter With Fate", "Zypher", "Quick Reflexes", "Lizard DNA",
    )  # fmt: skip
    pool = _with_powers(start, wanted)
    bids = [line for line in examples[auction:rounds] if line]
    assert [len(_read(pool, [line])) for line in bids] == [1] * 4
    playing = msgspec.structs.replace(
        pool,
        phase="round",
        round=1,
        powers=tuple(_run(power, "bo" if power.name == "Hypnotism" else "ada") for power in pool.powers),
        heroes=(*pool.heroes, Hero(Seat("sidekick_P01"), "Sidekick", 50, power="P01")),
    )
    hypnotism = examples.index("use Hypnotism X=15 on Bolt against Ada")
    assert len(_read(playing, examples[rounds:hypnotism] + examples[hypnotism + 1 :])) > 20
    guessed = guesses.guess(playing, Seat("ada"), (), guess.removeprefix("what if "))
    assert isinstance(guessed, dict) and len(guessed) == 2


def _run(power: Power, owner: str) -> Power:
    found = find(power.name)
    lines = found.lines if isinstance(found, Archived) else ""
    return msgspec.structs.replace(power, owner=owner, lines=lines)


def _with_powers(state: State, names: tuple[str, ...]) -> State:
    powers = tuple(_power(number, name) for number, name in enumerate(names, 1))
    return msgspec.structs.replace(state, phase="auction", powers=powers)


def _power(number: int, name: str) -> Power:
    return Power(number, name, "Does what it says.")


def _read(state: State, lines: list[str]) -> tuple[Order, ...]:
    parsed = RULESET.parse(state, Seat("ada"), [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    assert parsed.complaints == ()
    return parsed.orders


def test_every_event_kind_has_words() -> None:
    """Each kind of event is named in a template that could show it."""
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.j2"))
    assert {kind for kind in RULESET.event_kinds if f'"{kind}"' not in text} == set()


def test_the_report_of_the_worked_example() -> None:
    """The report of rules RC2 reads as the specimen does."""
    state = _specimen()
    said = {
        "ada": ["defend 50", "attack Cuttlefish 20", "attack Plastiquegirl 10"],
        "bo": ["attack Mantisman 20", "defend 50"],
        "cy": ["attack Mantisman 40", "defend 60"],
    }
    sent = {Seat(seat): _orders(state, seat, lines) for seat, lines in said.items()}
    outcome = RULESET.adjudicate(state, sent, Given(), DICE)
    assert report(public(outcome)) == SPECIMEN
    assert letter("hand", RULESET.hand(state, Seat("ada"), sent[Seat("ada")])) == RECEIPT


def _specimen() -> State:
    heroes = tuple(
        Hero(Seat(seat), name, energy)
        for seat, name, energy in (
            ("ada", "Mantisman", 80),
            ("bo", "Plastiquegirl", 70),
            ("cy", "Doctor Cuttlefish", 100),
        )
    )
    return State(phase="round", round=3, house=dict(DEFAULTS), heroes=heroes)


def _orders(state: State, seat: str, lines: list[str]) -> tuple[Order, ...]:
    return RULESET.parse(state, Seat(seat), [OrderLine(n, line) for n, line in enumerate(lines, 1)]).orders


SPECIMEN = """\
The floor was clean until now. The first stains are from
Mantisman. Everybody needs a hobby. That of
Plastiquegirl and Doctor Cuttlefish was Mantisman: 10
came through; one of them got nowhere. Mantisman called
with 10, and Plastiquegirl was not at home to it.

  Mantisman          ##############......   80 -> 70
  Plastiquegirl      ##############......   70 -> 70
  Doctor Cuttlefish  ####################  100 -> 100

What was ordered
  Mantisman         Defence 50; 20 on Doctor Cuttlefish;
                    10 on Plastiquegirl
  Plastiquegirl     Defence 50; 20 on Mantisman
  Doctor Cuttlefish Defence 60; 40 on Mantisman

How it came out
  Mantisman blocks the smallest first: 20 of
      Plastiquegirl, 0 through; 30 of Doctor Cuttlefish,
      10 through                                   [A12]
  on Mantisman: 20 (Plastiquegirl) + 40 (Doctor
      Cuttlefish) - Defence 50 = 10 damage          [R8]
  on Plastiquegirl: 10 (Mantisman) - Defence 50 = no
      damage                                        [R8]
  on Doctor Cuttlefish: 20 (Mantisman) - Defence 60 = no
      damage                                        [R8]
"""

RECEIPT = """\
You have 80 Energy. On hand now, all of it:
   1  Attack on Doctor Cuttlefish             20
   2  Attack on Plastiquegirl                 10
   3  Defence                                 50
      ------------------------------------------
      allocated 80, burnt 0, idle 0
If nobody else does anything, you end on 80.
"""


def test_a_power_that_no_machine_runs_says_so_where_it_is_used() -> None:
    """Beside its text where orders are asked for, and below its use in the receipt; one that runs says nothing."""
    ruled = Power(1, "Gadget", "Whatever the moderator likes.", owner=Seat("ada"), strength=5)
    runs = Power(2, "Boots", "+5.", owner=Seat("ada"), strength=5, lines="cost: spend 5\ndo: defence(me) += 5")
    state = msgspec.structs.replace(_specimen(), powers=(ruled, runs))
    asked = flat(letter("asked", RULESET.asked(state, Seat("ada"))))
    hand = flat(letter("hand", RULESET.hand(state, Seat("ada"), _orders(state, "ada", ["use Gadget", "use Boots"]))))
    assert asked.count("does not run by itself: the moderator says what it does") == 1
    assert hand.count("the moderator says what it does") == 1
    assert asked.index("Gadget") < asked.index("does not run") < asked.index("Boots")
    assert hand.index("Gadget") < hand.index("the moderator says") < hand.index("Boots")


@pytest.mark.parametrize(
    ("house", "lines", "said"),
    [
        ("defend", ["block largest first"], "As nothing is allocated, all 80 go to Defence."),
        ("defend", ["hero: Mantisman"], "As nothing is allocated, all 80 go to Defence."),
        ("hold", ["block largest first"], "As nothing is allocated, you do nothing."),
        ("random", ["block evenly"], "As nothing is allocated, you attack and defend as the"),
    ],
)
def test_the_receipt_says_what_becomes_of_a_set_that_allocates_nothing(house: str, lines: list[str], said: str) -> None:
    """Whoever sends a block line or a name alone reads what the house makes of it; a `defend 0` stays alone."""
    state = msgspec.structs.replace(_specimen(), house={**DEFAULTS, "nmr": house})
    facts = RULESET.hand(state, Seat("ada"), _orders(state, "ada", lines))
    text = letter("hand", facts)
    assert said in text and "[A21]" in text and facts["forecast"] == 80
    assert ("idle" in text) == (house == "hold")
    hold_to_the_law(text, (state,))
    assert "nothing is allocated" not in letter(
        "hand", RULESET.hand(state, Seat("ada"), _orders(state, "ada", ["defend 0"]))
    )


def test_the_final_table_adds_up() -> None:
    """What powers dealt for nobody has a row of its own; who fell and what is left stand apart."""
    state = _specimen()
    said = {"ada": ["attack Plastiquegirl 70", "idle"], "bo": ["defend 10", "idle"], "cy": ["attack Mantisman 90"]}
    sent = {Seat(seat): _orders(state, seat, lines) for seat, lines in said.items()}
    effects = ("deal 10 to bo unblockable", "deal 6 to ada from cy")
    outcome = RULESET.adjudicate(state, sent, Given({}, effects), DICE)
    assert outcome.result
    assert letter("final", public(outcome)) == FINAL
    assert sum(hero.dealt for hero in outcome.state.heroes) + 10 == sum(hero.taken for hero in outcome.state.heroes)


FINAL = """\
  After three rounds                                [R3]

  who               dealt  taken  burnt     fell  Energy
  Mantisman            60     96      0  round 3       -
  Plastiquegirl         0     70      0  round 3       -
  Doctor Cuttlefish    96      0      0        -     100
  by powers            10

Energy as each round left it
                      3
  Mantisman           0
  Plastiquegirl       0
  Doctor Cuttlefish 100
"""


SILENT = {"what": "silent", "hero": "", "by": [], "heroes": [], "amount": 0, "other": 0, "more": 0, "power": ""}


def test_news_is_the_same_for_the_same_facts() -> None:
    """The lead varies with the round, never by chance."""
    events = [Event(kind="news", to=EVERYONE, facts={"turn": turn, "stories": [SILENT]}) for turn in (0, 1, 8)]
    first, second, third = (letter("lead", {"events": [event]}) for event in events)
    assert first == third != second


@pytest.mark.parametrize(
    ("house", "orders", "said"),
    [
        ("always", [], "in this game whoever has a power for it is asked"),
        ("on_request", ["ask me"], "you wrote to be asked"),
    ],
)
def test_whoever_is_asked_at_the_reveal_is_told_why(house: str, orders: list[str], said: str) -> None:
    """Nobody is told that they wrote what they did not write."""
    given = ["ada: Mantisman 60", "bo: Bolt 90", "ada: power Barter With Fate 10: archive"]
    state = lay(given, {"reveal_phase": house}, DICE)
    sent = RULESET.parse(state, Seat("ada"), [OrderLine(n, line) for n, line in enumerate(["defend 5", *orders], 1)])
    outcome = RULESET.adjudicate(state, {Seat("ada"): sent.orders, Seat("bo"): ()}, Given(), DICE)
    assert said in flat(letter("asked", RULESET.asked(outcome.state, Seat("ada"))))


def test_letters_of_the_auction_name_what_may_stand_behind_a_bid() -> None:
    """A perhaps is named where the house waits for it, and what was wished is told where one bids again."""
    house = {"maybe_discard": "waits", "ties": "rebid"}
    state = lay(
        ["phase auction", "ada: Ada 100", "bo: Bolt 100", "pool: power Flight", "pool: power Cape"], house, DICE
    )
    assert "| bid P02 8 maybe-discard" in letter("asked", RULESET.asked(state, Seat("ada")))
    said = {"ada": ["bid P01 5 discard", "bid P02 5 maybe-discard"], "bo": ["bid P01 5", "bid P02 5"]}
    sent = {
        Seat(seat): RULESET.parse(state, Seat(seat), [OrderLine(n, one) for n, one in enumerate(lines, 1)]).orders
        for seat, lines in said.items()
    }
    again = RULESET.adjudicate(state, sent, Given(), DICE).state
    told = flat(letter("asked", RULESET.asked(again, Seat("ada"))))
    assert "If you win it, it is discarded, as you wrote; keep behind the bid takes that back." in told
    assert "If you win it, you decide later whether to keep it, as you wrote;" in told
    assert "as you wrote" not in letter("asked", RULESET.asked(again, Seat("bo")))


def test_where_bids_are_asked_for_again_the_receipt_shows_those_that_stand() -> None:
    """What is not named stands (B14) and would be paid too; so does a wish that was not taken back (N8)."""
    given = ["ada: Ann 100", "bo: Bo 100", "pool: power Flight: It flies.", "pool: power Boots: They kick."]
    state = msgspec.structs.replace(
        lay(given, {}, DICE),
        phase="rebid",
        ties={"P01": ("ada", "bo"), "P02": ("ada", "bo")},
        bids={"P01": {"ada": 20, "bo": 20}, "P02": {"ada": 90, "bo": 90}},
        discards={"P01": ("ada",)},
    )
    said = flat(letter("hand", RULESET.hand(state, Seat("ada"), _orders(state, "ada", ["bid Flight 17"]))))
    assert "Bid on P01 Flight 17 and discarded if won" in said and "Bid on P02 Boots 90 as it stood" in said
    assert "bids 107 If you had to pay them all, you would be left with -7: out" in said
    said = flat(letter("hand", RULESET.hand(state, Seat("ada"), _orders(state, "ada", ["bid Flight 17 keep"]))))
    assert "Bid on P01 Flight 17 and kept if won" in said


@given(st.data())
def test_a_receipt_of_bids_reckons_what_silence_bids_as_if_it_were_named(data: st.DataObject) -> None:
    """B9: what is left after all payments, and the warning, are those of the set with the unnamed Flaws written out."""
    state = data.draw(worlds.states(phase="auction", living=True))
    amount, flaws = data.draw(st.integers(0, 100)), data.draw(st.sets(st.sampled_from([p.key for p in state.powers])))
    kinds = tuple(msgspec.structs.replace(p, kind="flaw" if p.key in flaws else "power") for p in state.powers)
    state = msgspec.structs.replace(state, house={**state.house, "nmr_bid": str(amount)}, powers=kinds)
    sent = data.draw(worlds.bids(state))
    left = [key for key in sorted(flaws) if key not in {bid.power for bid in sent}]
    named = (*sent, *(Bid(key, amount) for key in (left if sent else [power.key for power in state.powers])))
    said, meant = (RULESET.hand(state, Seat("ada"), one) for one in (sent, named))
    assert (said["forecast"], said["forecast_out"]) == (meant["forecast"], meant["forecast_out"])
    text = letter("hand", said)
    flat = " ".join(text.split())
    assert ("as silence bids" in flat) == bool(amount and len(named) > len(sent))
    assert f"left with {meant['forecast']}" in flat
    hold_to_the_law(text, (state,))


@pytest.mark.parametrize(("lines", "amount", "note"), [
    (["attack Plastiquegirl 60", "defend 10", "idle 20"], "10", "not 20: your other lines leave no more"),
    (["attack Plastiquegirl 20", "idle 20", "rest defence"], "20", ""),
    (["attack Plastiquegirl 20", "idle"], "60", ""),
])  # fmt: skip
def test_a_receipt_says_where_less_stays_idle_than_was_said(lines: list[str], amount: str, note: str) -> None:
    """A1: the other lines come first, and `idle 20` is what stays at most; the hero has 80."""
    state = msgspec.structs.replace(_specimen(), house=dict(DEFAULTS))
    text = " ".join(letter("hand", RULESET.hand(state, Seat("ada"), _orders(state, "ada", lines))).split())
    assert f"Stays where it is, as you wrote {amount}" in text
    assert note in text if note else "leave no more" not in text


@pytest.mark.parametrize("must", ["no", "yes"])
def test_a_receipt_offers_no_idle_energy_where_all_must_be_allocated(must: str) -> None:
    """A1: what is left over defends there, and a line that leaves it idle would be refused."""
    state = msgspec.structs.replace(_specimen(), house={**DEFAULTS, "must_allocate_all": must})
    orders = _orders(state, "ada", ["attack Plastiquegirl 60"])
    assert not RULESET.check(state, Seat("ada"), orders)
    text = " ".join(letter("hand", RULESET.hand(state, Seat("ada"), orders)).split())
    assert "The 20 left over go into Defence" in text
    assert ("unless you write idle" in text) == (must == "no")
