"""Genres of Rumble: orders and letters in the words of each, the same game underneath, and nobody's own words touched."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Given, OrderLine, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters.dresses.text import WIDTH
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.genres import DEFAULT, NEUTRAL, Genre, genres_known
from pbem.rulesets.rumble.genres.translation import names_in
from pbem.rulesets.rumble.house.options import DEFAULTS, OPTIONS
from pbem.rulesets.rumble.model import order as orders
from pbem.rulesets.rumble.model.names import GLUE
from pbem.rulesets.rumble.model.order import Attack, Block, Defend, If, Invent, Order, Use
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.orders.hero_names import ORDER_WORDS
from pbem.rulesets.rumble.orders.writing import show_line, write_line
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import at_first, some
from tests.rulesets import rumble_worlds as worlds
from tests.rulesets.test_rumble_laws import DICE, rulings_for, sets_of_all
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter, private, public, report

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Bolt"}
GENRES = genres_known()
OTHERS = [name for name in GENRES if name != DEFAULT]
MINE = Seat("ada")


def neutral_words(genre: Genre) -> set[str]:
    """Return the neutral words for which a genre has others."""
    pairs = {
        "hero": genre.hero, "heroes": genre.heroes, "energy": genre.energy.lower(), "power": genre.power,
        "powers": genre.powers, "attack": genre.attack.lower(), "attacks": genre.attacks.lower(),
        "attacked": genre.attacked, "defence": genre.defence.lower(), "round": genre.round, "rounds": genre.rounds,
        "defend": genre.verb("defend"),
    }  # fmt: skip
    return {old for old, new in pairs.items() if old != new}


TABLES_OWN = (
    "a power or the like",
    "each round",
    "for Round 5",
    "history Round 2",
    "set energy",
    "defend what comes",
    "help powers",
    "archive",
)
"""What letters of all games say in the same words, and a plan, which is free words."""


JOINING = frozenset(
    (
        "status", "preview", "forecast", "cancel", "ready", "wait", "help", "history", "archive", "zone", "standing", "for",
        "because", "each", "note", "end", "join", "press", "ask",
    )
)  # fmt: skip
"""Words of the table that begin lines, or hold them together."""


def hold_to_the_genre(text: str, genre: Genre) -> None:
    """Check that a letter has no neutral word for which the genre has another, and keeps to its columns."""
    told = flat(re.sub(r"(?m)^\s*: .*$", "", text))
    for own in TABLES_OWN:
        told = told.replace(own, "")
    told = re.sub(r'"[^"]*"', "", told)
    found = {word for word in re.findall(r"[a-z]+", told.lower()) if word in neutral_words(genre)}
    assert not found, (found, text)
    assert [line for line in text.split("\n") if len(line) > WIDTH] == []


def state_in(genre: str) -> State:
    """Return a state in the second round of a game of a genre, with a power for Ada."""
    heroes = tuple(Hero(Seat(seat), name) for seat, name in NAMES.items())
    powers = (Power(1, "Eye Beam", "Spend 10: 10 damage.", owner="ada"),)
    house = {**DEFAULTS, "genre": genre, "resign": "yes"}
    return State(phase="round", round=2, house=house, heroes=heroes, powers=powers)


def orders_of(state: State, *lines: str) -> tuple[Order, ...]:
    """Read lines of Ada's, all of which have to be understood."""
    read = RULESET.parse(state, MINE, [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    assert not read.complaints, read.complaints
    return read.orders


@pytest.fixture(params=[OTHERS[0], *(pytest.param(name, marks=pytest.mark.sweep) for name in OTHERS[1:])])
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Room, Genre]]:
    """A game of each genre, as far as its first round."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=("round",), house={"genre": request.param})
    genre = GENRES[request.param]
    hold_to_the_genre(room.last(ADA).partition("House rules")[2].replace("plain words", ""), genre)
    assert genre.says in flat(room.last(ADA))
    power = genre.power
    room.write(ADA, f"{power}: Eye Beam\ntext: Spend 10: attack a hero.\n\n{power} Mirror: Burn 10: the {power}.")
    room.write(BO, f"power: Fog\ntext: It is foggy,\n{genre.verb('attack')} and all.\n\n{power}: Rain\ntext: Wet.")
    room.write(CY, f"{power}: Snow\ntext: White.\n\n{power}: Hail\ntext: Hard.")
    room.sweep()
    room.write(ADA, f"{genre.verb('bid')} Eye 20 {genre.energy}")
    room.write(BO, "bid Fog 10")
    room.write(CY, f"{genre.verb('bid')} Snow 10")
    room.sweep()
    room.sweep()
    assert room.table("ember-7").title == f"{genre.round.title()} 1", room.last(ADA)
    yield room, genre
    room.arena.close()


def test_a_round_is_ordered_and_told_in_the_words_of_the_genre(played: tuple[Room, Genre]) -> None:
    """The orders are taken, their canonical lines are the neutral ones, the letters have no neutral word."""
    room, genre = played
    attack, defend, use = genre.verb("attack"), genre.verb("defend"), genre.verb("use")
    hold_to_the_genre(room.last(ADA), genre)
    room.write(
        ADA,
        f"{genre.hero}: Rusty Nail\n{attack} Cuttlefish 20 {genre.energy}\n{defend} 10\n{use} Eye Beam on Bolt spend 10\n"
        f"if {genre.attack} from Bolt > 10 and {genre.attacked} by Bolt: block largest first\n"
        f"if my {genre.energy.lower()} < 90 and {genre.heroes} left = 3: {attack} Bolt 5 else {defend} 90\nidle",
    )
    room.write(BO, "attack Mantis 30\ndefend 10\nidle")
    room.write(CY, f"{attack} Mantis 20\natackk Mantis 5")
    room.sweep()
    assert room.table("ember-7").sets.hand["mantisman"].orders == (
        "hero: Rusty Nail",
        "attack Doctor Cuttlefish 20",
        "defend 10",
        "use Eye Beam on Bolt spend 10",
        "if attack from Bolt > 10 and attacked by Bolt: block largest first",
        "if my energy < 90 and heroes left = 3: attack Bolt 5 else defend 90",
        "idle",
    )
    assert room.table("ember-7").sets.hand["doctor-cuttlefish"].orders == ("attack Mantisman 30", "defend 10", "idle")
    hold_to_the_genre(room.last(ADA), genre)
    assert f"{genre.attack} on Doctor Cuttlefish" in room.last(ADA)
    hold_to_the_genre(room.last(CY), genre)
    assert "atackk Mantis 5" in room.last(CY) and attack in room.last(CY)
    room.write(CY, f"{attack} Mantis 20")
    room.sweep()
    hold_to_the_genre(room.last(GWEN), genre)
    room.write(GWEN, "status")
    room.sweep()
    hold_to_the_genre(room.last(GWEN), genre)
    assert f"{genre.attack} of Rusty Nail on Doctor Cuttlefish = 20" in flat(room.last(GWEN))
    room.write(
        GWEN,
        f"do {genre.defence}(Rusty) += 5 each round because a\ndo {genre.attack}(Cuttlefish, any) += 7 because b\n"
        f"overrule {genre.attack} of Bolt on Rusty = 21 because c\nset {genre.energy} of Bolt 40 because d",
    )
    room.sweep()
    said = [ruled.ruling.show() for ruled in room.table("ember-7").rulings]
    assert said == [
        "do defence(mantisman) += 5 each round",
        "do attack(doctor-cuttlefish, any) += 7",
        "overrule attack of bolt on mantisman = 21",
        "set energy of bolt = 40",
    ]
    room.write(GWEN, "approve 2")
    room.sweep()
    report = room.last(ADA)
    hold_to_the_genre(report, genre)
    assert f"{genre.defence} of Rusty Nail: 10 + 5 = 15" in flat(report)
    assert "Spend 10: attack a hero." in report
    assert f"~ {attack} ____ ____" in report and f"~ {defend} ____" in report


def test_what_cannot_be_is_refused_in_the_words_of_the_genre(played: tuple[Room, Genre]) -> None:
    """The line is quoted as it was written, the reason has the genre's words."""
    room, genre = played
    attack, defend = genre.verb("attack"), genre.verb("defend")
    said = f"{attack} Octopus 20", f"{attack} Bolt", f"{defend} lots", f"{attack} Bolt 5, {defend} it", "frobnicate 5"
    for line in (
        *said,
        f"{attack} Bolt 500",
        f"{genre.hero}: {attack} Man",
        f"if my {genre.energy} is low: {defend} 5",
    ):
        room.write(ADA, line)
        room.sweep()
        told = room.last(ADA)
        assert "Not taken" in told and line[:20] in told, told
        hold_to_the_genre(told, genre)


def test_the_handbook_and_the_last_letter_have_the_words_of_the_genre(played: tuple[Room, Genre]) -> None:
    """Whatever a player or the moderator can ask to read is told in them."""
    room, genre = played
    for who in (ADA, GWEN):
        room.write(who, "help")
        room.sweep()
        handbook = room.last(who).partition("RUMBLE")[2].partition("In every game")[0]
        hold_to_the_genre(handbook, genre)
    for who in (BO, CY):
        room.write(who, f"{genre.verb('attack')} Mantis 60")
    room.write(ADA, f"{genre.verb('attack')} Bolt 60")
    room.sweep()
    room.write(GWEN, "do win Bolt because it is late")
    room.sweep()
    room.write(GWEN, "approve 2")
    room.sweep()
    last = room.last(CY)
    assert "THE END" in last and f"After one {genre.round}" in last
    hold_to_the_genre(last, genre)


def test_a_later_round_and_a_past_one_go_by_either_name(played: tuple[Room, Genre]) -> None:
    """Orders sent ahead for "round 2" and for the genre's own name of it stand in the same phase."""
    room, genre = played
    room.write(ADA, f"for Round 2: {genre.verb('defend')} 10")
    room.write(BO, f"for {genre.round} 2: defend 20")
    room.sweep()
    for who in (ADA, BO, CY):
        room.write(who, "defend 1")
    room.sweep()
    room.write(GWEN, "approve 1")
    room.sweep()
    table = room.table("ember-7")
    assert table.title == f"{genre.round.title()} 2"
    assert (table.sets.hand["mantisman"].orders, table.sets.hand["doctor-cuttlefish"].orders) == (
        ("defend 10",),
        ("defend 20",),
    )
    for wanted in ("Round 1", f"{genre.round} 1"):
        room.write(CY, f"history {wanted}")
        room.sweep()
        assert f"{genre.round.upper()} 1" in room.last(CY)


def test_an_invitation_says_what_game_it_is(tmp_path: Path) -> None:
    """Who is asked to play reads of the genre before there is a game."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, house={"genre": "racing"})
    invited = flat("\n".join(room.letters(ADA)[0].body))
    assert f"Rumble is {GENRES['racing'].game}" in invited and "The last driver standing wins." in invited
    room.arena.close()


@pytest.mark.parametrize("name", GENRES)
def test_no_order_word_of_a_genre_means_two_things(name: str) -> None:
    """Its words are apart from each other, from all that begins or joins lines, and from the table's requests."""
    genre = GENRES[name]
    kinds = {
        **{order: set(getattr(genre.orders, order)) for order in genre.orders.__struct_fields__},
        "hero": {genre.hero, *genre.also.hero},
        "power": {genre.power, *genre.also.power},
    }
    kinds["attack"] |= {genre.attack.lower(), *genre.also.attack}
    kinds["defend"] |= {genre.defence.lower(), genre.at_large().lower(), *genre.also.defence}
    joining = JOINING | GLUE
    for kind, words in kinds.items():
        assert all(re.fullmatch(r"[a-z]+(?:[ -][a-z]+)*", word) for word in words), words
        assert not words & (joining - {kind}), kind
        assert not words & (ORDER_WORDS - {kind, "defend", "defence"}), kind
        assert not [other for other in kinds if other != kind and words & kinds[other]], kind
    assert not genre.order_words & {"if", "confirm", "resign"}


@pytest.mark.parametrize("name", GENRES)
def test_every_genre_is_a_house_rule_and_says_what_it_is(name: str) -> None:
    """The choices are the files that there are; the first letter prints the sentence of the one that holds."""
    option = next(option for option in OPTIONS if option.name == "genre")
    assert name in option.choices and option.default == DEFAULT == option.choices[0]
    assert option.says[name].startswith(GENRES[name].says)
    files = Path(__file__).parent.parent.parent / "pbem" / "rulesets" / "rumble" / "genres"
    assert {path.stem for path in files.glob("*.toml")} == set(option.choices)


def test_the_default_genre_is_the_neutral_words() -> None:
    """A game that names no genre is told in them, and its state does not say so."""
    assert NEUTRAL.is_neutral and not NEUTRAL.order_words
    assert "genre" not in RULESET.setup({MINE: "Ada", Seat("bo"): "Bo"}, {"genre": DEFAULT}, DICE).house
    text = "An Attack of 0 is no Attack; heroes, powers, rounds and Energy."
    assert NEUTRAL.say(text) == text == NEUTRAL.hear(text)


@pytest.mark.parametrize("name", some(3, GENRES))
def test_the_lines_that_letters_show_read_back(name: str) -> None:
    """What a letter shows of an order is read as that order, and so is its canonical line."""
    state = state_in(name)
    tests = (
        orders.Test("my energy", "", "<", 40),
        orders.Test("energy", "bo", ">=", 3),
        orders.Test("heroes left", "", "=", 2),
    )
    late = (
        orders.Test("attacked by", "bo"),
        orders.Test("attack from", "cy", ">", 4),
        orders.Test("incoming", "", ">", 9),
    )
    shown = (
        Attack("bo", 20), Defend(30), Use("P01", "cy", 10), Use("P01", "", 0, 5, -1, 2), Block("first", ("bo", "cy")),
        Block("points", ("bo", "cy"), (3, 4)), Block("evenly"),
        If(tests, (Defend(3), Attack("bo", 1)), (Attack("cy", 5),)), If(late, (Block("first", ("bo", "cy")),)),
    )  # fmt: skip
    for order in shown:
        assert orders_of(state, show_line(state, order)) == (order,), show_line(state, order)
        assert orders_of(state, write_line(state, order)) == (order,)
        assert orders_of(state_in(DEFAULT), write_line(state, order)) == (order,)


@pytest.mark.parametrize("name", some(4, OTHERS))
def test_every_word_for_an_order_is_understood(name: str) -> None:
    """Each of the words that a file gives for an order, and each of its nouns, begins one."""
    genre, state = GENRES[name], state_in(name)
    for word in (*genre.orders.attack, genre.attack, genre.attacks, *genre.also.attack):
        for unit in ("", genre.energy, *genre.also.energy):
            assert orders_of(state, f"{word.upper()} Bolt 20 {unit}".strip()) == (Attack("cy", 20),)
        assert orders_of(state, f"{word} 20 {genre.energy} on Bolt") == (Attack("cy", 20),)
    for word in (*genre.orders.defend, genre.defence, genre.at_large(), *genre.also.defence):
        assert orders_of(state, f"{word}: 20", "defend 1") == (Defend(20), Defend(1))
    for word in genre.orders.use:
        assert orders_of(state, f"{word} Eye on Bolt spend 10") == (Use("P01", "cy", 10),)


@pytest.mark.parametrize("name", OTHERS)
def test_nobodys_own_words_are_touched(name: str) -> None:
    """Names, plans and texts that hold neutral words or the genre's stay as they were written."""
    genre, state = GENRES[name], state_in(name)
    attack, energy = genre.verb("attack"), genre.energy
    text = f"{attack} who has Energy, the {energy} of a hero, each round"
    assert write_line(state, orders_of(state, f"plan Eye Beam: {text}")[0]) == f"plan Eye Beam: {text}"
    assert genre.say("Energy of Energy Man and Attack Dog", ("Energy Man", "Attack Dog")).endswith(
        "Energy Man and Attack Dog"
    )
    assert genre.say('"attack" of a hero').startswith('"attack" of ')
    assert genre.say("do reword P03: An Attack on a hero") == "do reword P03: An Attack on a hero"
    early = msgspec.structs.replace(state, phase="powers", round=0, powers=())
    lines = [f"{genre.power} Fog: first,", f"{attack} a {genre.hero}", f"with {energy}, or power."]
    assert orders_of(early, *lines) == (Invent("Fog", f"first, {attack} a {genre.hero} with {energy}, or power."),)


def test_articles_and_plurals_agree() -> None:
    """Our sentences are English in a genre too."""
    assert (
        GENRES["corporation"].say("by a power of a hero, for 1 Energy") == "by an asset of a corporation, for 1 Million"
    )
    assert GENRES["racing"].say("An Attack of 0 is no Attack.") == "A Ram of 0 is no Ram."
    assert GENRES["hacker"].say("Energy was lost this round") == "Bits were lost this round"
    assert GENRES["dungeon"].say("Whoever sends no orders attacks and defends as the dice say.") == (
        "Whoever sends no orders slashes and parries as the dice say."
    )
    assert (
        GENRES["racing"]
        .say("Whoever sends no orders puts all Energy into Defence.")
        .endswith("puts all Speed into Swerving.")
    )


@pytest.mark.parametrize("name", OTHERS)
def test_every_fact_is_found_by_the_name_that_letters_give_it(name: str) -> None:
    """What an echo or a report prints of a ruling can be sent back as one."""
    state = state_in(name)
    sent = {Seat(seat): orders_of(state, "attack Bolt 20") if seat != "cy" else () for seat in NAMES}
    outcome = RULESET.adjudicate(state, sent, Given(), DICE)
    genre, names = GENRES[name], names_in(state)
    for key in (*RULESET.standing(state), *(verdict.key for verdict in outcome.verdicts)):
        assert RULESET.name_fact(state, genre.say(key, names)) == key
    for effect in ("attack(ada, any) += 10", "defence(bo) -= 5", "energy(cy) = 3", "ignore attack of ada on bo"):
        assert RULESET.effect(state, genre.say(effect, names)) == effect


@given(st.data())
def test_a_genre_changes_no_outcome(data: st.DataObject) -> None:
    """Under the same orders, rulings and dice all genres come to the same state, rulings and numbers."""
    state = data.draw(worlds.states())
    sent = sets_of_all(data, state)
    given_ = rulings_for(data, state)
    plain = RULESET.adjudicate(state, sent, given_, DICE)
    genre = data.draw(st.sampled_from(OTHERS))
    told = RULESET.adjudicate(msgspec.structs.replace(state, house={**state.house, "genre": genre}), sent, given_, DICE)
    assert told.state.heroes == plain.state.heroes and told.state.powers == plain.state.powers
    assert [(v.key, v.value, v.rule) for v in told.verdicts] == [(v.key, v.value, v.rule) for v in plain.verdicts]
    assert [(e.kind, e.to, set(e.facts)) for e in told.events] == [(e.kind, e.to, set(e.facts)) for e in plain.events]


@settings(max_examples=at_first(2))
@given(st.data())
def test_no_line_of_a_genre_is_an_order(data: st.DataObject) -> None:
    """No line about a round could be sent back as an order in the genre's words either, and all keep their columns."""
    name = data.draw(st.sampled_from(OTHERS))
    state = data.draw(worlds.states())
    state = msgspec.structs.replace(state, house={**state.house, "genre": name})
    sent = sets_of_all(data, state)
    outcome = RULESET.adjudicate(state, sent, rulings_for(data, state), DICE)
    seat, words = state.living[0].seat, {"w": GENRES[name]}
    told = [
        letter("asked", RULESET.asked(state, seat) | words),
        letter("hand", RULESET.hand(state, seat, sent[seat]) | words),
        report(public(outcome) | words),
        letter("private", private(outcome) | words),
    ]
    for text in told:
        hold_to_the_law(text, (state, outcome.state))
