"""Orders of Rumble as people say them: each wording is one order or is asked about, and nothing of a line is lost."""

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.auction import inventing
from pbem.rulesets.rumble.genres import genres_known
from pbem.rulesets.rumble.model.order import Invent
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.powers.archive import lines_of
from tests.depth import some
from tests.listening.clauses import CLAUSES

ADA = Seat("ada")
NAMES = {"bo": "Bob", "cy": "Cy", "dee": "Doctor Cuttlefish", "eve": "Ann-Marie", "fay": "The Breeze", "gus": "Guard"}
ATTACKS = (
    "attack {name} {n}", "attack {name} with {n}", "attack {n} {name}", "attack on {name}: {n}", "{n} on {name}",
    "{n} at {name}", "{n} against {name}", "{name} {n}", "{name}: {n}", "{name} = {n}", "{name} - {n}", "{n} {name}",
    "{name} gets {n}", "hit {name} for {n}", "smash {name} with {n} energy", "spend {n} on attacking {name}",
    "put {n} on {name}", "{n}E on {name}", "attack {name} w/ {n}", "{n} to attack {name}", "{n} -> {name}", "attack {name} @ {n}", "{verb} {name} {n}", "{n} points on {name}",
    "attack {name}, {n}", "attack {name}{n}", "attack{name} {n}", "{name}{n}", "{n} to {name}", "with {n} attack {name}",
    "go for {name} with {n}", "send {n} at {name}", "my attack on {name} is {n}", "{n}-point attack on {name}",
    "{name} gets a punch of {n}", "{name}/{n}", "bet {n} on {name}", "greife {name} mit {n} an", "attaque {name} avec {n}",
    "ataco a {name} con {n}", "attack '{name}' {n}", 'attack "{name}" "{n}"', "attack on {name} - {n}", "I'd like {n} on {name}",
)  # fmt: skip
DEFENDS = (
    "defend {n}", "defence {n}", "def {n}", "{n} defence", "{n} for defence", "{n} in defence", "put {n} into defence",
    "defend with {n}", "defend myself with {n}", "protect myself with {n}", "defence: {n}", "Defense - {n}",
    "{n} on defence", "{n} def", "defence gets {n}", "D {n}", "{n} D", "keep {n} for defence", "defend, {n}", "defend{n}",
    "save {n} for defending", "with {n} I defend", "Verteidigung {n}", "Verteidigung mit {n}", "d\u00e9fense {n}", "defiendo con {n}",
    "my defence is {n}", 'defend "{n}"',
)  # fmt: skip
AMOUNTS = ("{n}", "({n})", "[{n}]", "{n} energy", "{n} points", "{n}pts", "{n} E", "{words}")
"""How a number may be written."""
AROUND = (
    "{}", "{}.", "{}!", "- {}", "* {}", "1. {}", "2) {}", "(1) {}", "#1 {}", "a) {}", "\u2192 {}", "**{}**", "_{}_",
    "{} please", "please {}", "{}, thanks", "Hi, {}", "{} \U0001f608", "{} ;-)", "{} (sorry!)", "I {}", "I'll {}",
    "ok, {}", "{} ...", "[x] {}", "1\ufe0f\u20e3 {}", "My orders: {}", "{} \U0001f6e1\ufe0f", "First: {}", "Second, {}",
    "then {}", "and then {}", "after that {}", "plus {}", "next, {}", "finally {}", "just {}", "kindly {}",
    "{} this round", "for now {}", "hi gwen {}", "{} thx ada", "{} many thanks", "could you {}", "{}, danke",
)  # fmt: skip
BETWEEN = (", ", "; ", " & ", " and ", " + ", " then ", ", and ", " | ", ". ", ", then ")


def state_in(genre: str = "superhero", others: Mapping[str, str] = NAMES) -> State:
    """Return the first round of a game against others."""
    seats = {ADA: "Mantisman"} | {Seat(seat): name for seat, name in others.items()}
    state = RULESET.setup(seats, {}, Dice(bytes(32)))
    return msgspec.structs.replace(state, phase="round", round=1, house={**state.house, "genre": genre})


def read(state: State, *lines: str) -> tuple[tuple[str, ...], tuple[Complaint, ...]]:
    """Read lines of Ada's."""
    found = RULESET.parse(state, ADA, [OrderLine(number, line) for number, line in enumerate(lines, 1)])
    is_one = len(found.orders) == 1  # plus 20 on Bob adds to nothing then
    once = RULESET.told_apart(state, found.orders, adds=False)[0] if is_one else found.orders
    return tuple(sorted(RULESET.format(state, once))), found.complaints


amounts = st.integers(2, 60)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty")
UNDER_TWENTY = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip


def in_words(number: int) -> str:
    """Return a number of the above in words."""
    tens, units = divmod(number, 10)
    return UNDER_TWENTY[number] if number < 20 else "-".join(filter(None, (TENS[tens], UNDER_TWENTY[units])))


@st.composite
def said(draw: st.DrawFn) -> tuple[str, str]:
    """Draw an order in somebody's words, and the order that it is."""
    n = draw(amounts)
    if draw(st.booleans()):
        return draw(st.sampled_from(DEFENDS)).format(n=n), f"defend {n}"
    name = draw(st.sampled_from(sorted(NAMES.values())))
    shown = draw(st.sampled_from((name, name.lower())))
    return draw(st.sampled_from(ATTACKS)).format(name=shown, n=n, verb="punch"), f"attack {name} {n}"


def meant(orders: tuple[str, ...]) -> tuple[str, ...]:
    """Return canonical orders, as `read` does."""
    found, complaints = read(state_in(), *orders)
    assert not complaints
    return found


@given(said(), st.sampled_from(AMOUNTS), st.sampled_from(AROUND))
def test_an_amount_is_read_however_it_is_written(order: tuple[str, str], how: str, around: str) -> None:
    """In brackets, with a unit or in words: it is that number, or the line is asked about."""
    text, canonical = order
    number = canonical.split()[-1]
    written = how.format(n=number, words=in_words(int(number)))
    orders, complaints = read(state_in(), around.format(text.replace(number, written)))
    assert orders == meant((canonical,)) or (not orders and complaints)


@given(
    st.sampled_from(("{}", "({})", "[{}]", "{} energy")),
    st.sampled_from(("{} {}", "{}: {}", "{}{}", "{} with {}")),
    amounts,
)
def test_a_hero_called_by_a_word_of_orders_is_asked_about(how: str, form: str, number: int) -> None:
    """However the amount is written, brackets around it make no order of what could be two."""
    orders, complaints = read(state_in(), form.format("Guard", how.format(number)))
    assert not orders and complaints


@given(st.permutations(("Bob", "Cy", "Doctor Cuttlefish", "defence")), st.integers(2, 4), st.booleans(), st.data())
def test_a_row_of_amounts_needs_no_marks_between(
    purposes: list[str], count: int, is_first: bool, data: st.DataObject
) -> None:
    """Whether each amount stands before what it is for, or each behind it; the last may be the rest."""
    numbers = data.draw(st.lists(st.integers(2, 24), min_size=count, max_size=count))
    parts = [(str(number), purpose) for number, purpose in zip(numbers, purposes, strict=False)]
    if is_first and data.draw(st.booleans()):
        parts[-1] = ("rest", parts[-1][1])
        numbers[-1] = 100 - sum(numbers[:-1])
    line = " ".join(" ".join(part if is_first else part[::-1]) for part in parts)
    verbs = ["defend" if purpose == "defence" else f"attack {purpose}" for purpose in purposes]
    orders = tuple(f"{verb} {number}" for verb, number in zip(verbs, numbers, strict=False))
    assert read(state_in(), line) == (meant(orders), ()), line


TITLES = (("Dr Cuttlefish", "Doctor Cuttlefish"), ("Captain Zap", "Capt. Zap"), ("Prof. Ox", "Professor Ox"))


@given(st.sampled_from(TITLES), st.booleans(), amounts, st.sampled_from(("{0} {1}", "{1} on {0}", "attack {0}, {1}")))
def test_a_title_may_be_short_or_long(titles: tuple[str, str], is_short: bool, number: int, form: str) -> None:
    """On either side; with another of the name, both are asked about."""
    name, said = titles if is_short else titles[::-1]
    others = {"bo": "Bob", "ti": name}
    for text in (said, said.lower(), said.replace(".", ""), name.replace(" ", "")):
        assert read(state_in(others=others), form.format(text, number)) == ((f"attack {name} {number}",), ()), text
    two = others | {"two": f"{name} Two"} if "." not in name else others | {"two": f"{said} Two"}
    assert not read(state_in(others=two), form.format(said.split()[0], number))[0]


def test_energy_goes_to_somebody_only_where_nobody_could_be_given_any() -> None:
    """`20 to Bob` is an Attack, unless one has a power with which one gives."""
    lines = ("20 to Bob", "20 for Bob", "give Bob 20", "give 20 to Bob")
    power = Power(1, "Charity", "Once a round you may give Energy to a Hero.", owner=ADA)
    generous = msgspec.structs.replace(state_in(), powers=(power,))
    for line in lines:
        assert read(state_in(), line) == (("attack Bob 20",), ())
        found, complaints = read(generous, line)
        assert not found and complaints


@given(said(), st.sampled_from(AROUND))
def test_an_order_in_other_words_is_that_order(order: tuple[str, str], around: str) -> None:
    """Whatever stands around it; or, where a hero is called as an order begins, or numbers meet, it is asked about."""
    text, canonical = order
    orders, complaints = read(state_in(), around.format(text))
    may_be_asked = "Guard" in canonical or (around == "#1 {}" and text[0].isdigit())
    assert orders == meant((canonical,)) or (not orders and complaints and may_be_asked), complaints


@given(st.lists(said(), min_size=2, max_size=4), st.data())
def test_several_on_a_line_are_all_of_them_or_none(orders: list[tuple[str, str]], data: st.DataObject) -> None:
    """None is lost and none is made up, whatever stands between; a sentence about Guard takes no other one away."""
    line = orders[0][0]
    for text, _ in orders[1:]:
        line += data.draw(st.sampled_from(BETWEEN)) + text
    found, complaints = read(state_in(), line)
    all_of_them = meant(tuple(canonical for _, canonical in orders))
    others = {order for order in all_of_them if "Guard" not in order} if ". " in line else set()
    assert found == all_of_them or (complaints and {*found} in (set(), others))


@given(
    said(), st.sampled_from(CLAUSES), st.sampled_from((" {}", ", {}", ". {}", " ({})", " - {}", "; {}")), st.booleans()
)
def test_no_clause_on_the_line_of_an_order_is_dropped(
    order: tuple[str, str], clause: str, how: str, first: bool
) -> None:
    """An order with a condition, a denial or a correction on its line is never taken as if that were not there."""
    line = f"{clause}, {order[0]}" if first else f"{order[0]}{how.format(clause)}"
    found, complaints = read(state_in(), line)
    assert found != meant((order[1],)) or complaints, line


@given(said(), st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cf")), max_size=20))
def test_no_text_makes_another_order_of_one(order: tuple[str, str], text: str) -> None:
    """What is typed behind an order leaves it as it is, adds to it, or has it asked about; numbers stay its own."""
    found, _ = read(state_in(), f"{order[0]} {text}")
    if not any(letter.isnumeric() for letter in text):
        assert all(set(one.split()) & set(order[1].split()[-1:]) for one in found), found


@given(
    st.lists(said(), min_size=1, max_size=3), st.sampled_from(("rest on defence", "defend with the rest", "rest: def"))
)
def test_the_rest_is_what_no_other_line_takes(orders: list[tuple[str, str]], rest: str) -> None:
    """So that a set with it takes all; where nothing is left to say, it is asked about."""
    state = state_in()
    others = meant(tuple(canonical for _, canonical in orders))
    taken = sum(int(order.split()[-1]) for order in others)
    found, complaints = read(state, *(text for text, _ in orders), rest)
    if taken > 100 or any("Guard" in order for order in others):
        return
    assert found == tuple(sorted((*others, f"defend {100 - taken}"))), complaints


POWERS = {
    "Laser Eyes": "Spend 10 and choose a Hero: Do 5 unavoidable damage to that Hero.",
    "Ink Cloud": "Spend 15: ignore one Attack on you this round.",
    "Wild Card": "Do something for Energy.",
}
USES = {
    "use Laser Eyes on Cy spend 10": (
        "laser eyes on Cy", "Laser Eyes at Cy", "Laser Eyes: Cy", "laser eyes -> Cy", "use laser on Cy", "zap Cy with Laser Eyes",
        "activate Laser Eyes on Cy", "fire my laser eyes at Cy", "use Laser Eyes against Cy (10)", "P01 on Cy",
        "Laser Eyes on Cy for 10", "10 on Laser Eyes on Cy", "use power Laser Eyes on Cy", "use lazer eyes on Cy",
    ),
    "use Ink Cloud spend 15": (
        "ink cloud 15", "15 on Ink Cloud", "spend 15 on ink cloud", "Ink Cloud, spending 15", "Ink Cloud (15)", "use Ink Cloud for 15",
    ),
    "": ("Ink Cloud", "P01 10", "wild card 10", "10 on wild card", "use laser eyes on Bob or Cy", "laser eyes on nobody"),
}  # fmt: skip


@pytest.mark.parametrize(("canonical", "text"), some(4, [(one, text) for one, texts in USES.items() for text in texts]))
@pytest.mark.parametrize("around", ["{}", "- {} please", "I'll {}", "20 on Bob, {}", "{}. Defend 5"])
def test_a_power_is_used_in_other_words(canonical: str, text: str, around: str) -> None:
    """Without the verb or with another one, the cost first or behind; what is no more than a name is no use."""
    powers = tuple(
        Power(number, name, text, owner=ADA, lines=lines_of(name, text))
        for number, (name, text) in enumerate(POWERS.items(), 1)
    )
    state = msgspec.structs.replace(state_in(), powers=powers)
    found, complaints = read(state, around.format(text))
    beside = {"20 on Bob, {}": ("attack Bob 20",), "{}. Defend 5": ("defend 5",)}.get(around, ())
    if canonical:
        assert (found, complaints) == (tuple(sorted((canonical, *beside))), ())
    else:
        assert complaints and not any(one.startswith("use") for one in found)


@pytest.mark.parametrize("line", ["blok largest first", "bolck smallest first", "blcok evenly", "please block evenly"])
def test_a_slip_in_a_line_without_a_number_is_mended(line: str) -> None:
    """Letters that look like a kind word within another one are no kind word."""
    found, complaints = read(state_in(), line)
    assert len(found) == 1 and found[0].startswith("block") and not complaints


@pytest.mark.parametrize("genre", sorted(genres_known()))
def test_each_genre_is_ordered_in_its_words(genre: str) -> None:
    """The number may stand first, and the verb may be the noun of the genre."""
    state, words = state_in(genre, {"bo": "Bob", "cy": "Cy"}), genres_known()[genre]
    lines = f"{words.verb('attack')} Bob: 20", f"30 {words.verb('defend')}", f"10 {words.energy} on Cy"
    assert read(state, *lines) == (("attack Bob 20", "attack Cy 10", "defend 30"), ())
    assert read(state, f"{words.attack} on Bob 20, rest {words.defence}")[0] == ("attack Bob 20", "defend 80")


@pytest.mark.parametrize(
    "line",
    [
        "20 from Bob", "Bob or Cy 20", "attack Bob and Cy with 10", "attack Bob 20 or 30", "20ish on Bob", "not 20 on Bob",
        "20 on Bob \u274c", "attack Bob 20 twice", "10 each", "20 on Mantisman", "block 30", "20 on Bob (if he attacks)",
        "attack everyone except Bob with 10", "half", "everything", "attack Ban 20, unless Cy", "no attack on Bob 20",
        "use 20 to defend Bob", "defend 30 against Bob", "attack myself 20", "keep 20 for Bob", "20 of 30 on Bob",
        "attack Bob 20?", "20-30 on Bob", "Bob 20+", "+20 on Bob", "20 more on Bob", "twice 20 on Bob", "they defend 30",
        "attack Bob with one", "attack Bob -20", "Bob 20%", "[ ] attack Bob 20", "\u2610 attack Bob 20", "defend 30 instead of 20",
        "Cy spends 20", "Bob hit me for 20 last time", "I owe Bob 20", "Bob put in 30 last round", "Cy has 20 left",
        "Bob is 40 on Friday", "see you at 20:00 Bob", "1 beer for Bob", "Bob 3 - 2 Cy",
    ],
)  # fmt: skip
def test_what_is_not_clear_is_asked_about(line: str) -> None:
    """Nothing of it is taken."""
    found, complaints = read(state_in(), line)
    assert not found and complaints


@pytest.mark.parametrize("condition", ["if Bob attacks me", "If he attacks,", "when Cy is out", "unless Bob defends"])
def test_what_follows_from_a_condition_on_the_line_above_is_not_taken_without_it(condition: str) -> None:
    """A `then` goes on with it."""
    found, complaints = read(state_in(), condition, "then defend 30")
    assert "defend 30" not in found and (complaints or found == ("if Cy is out: defend 30",))


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (("all defence", "20 on Bob"), ("attack Bob 20",)),
        (("rest on Bob", "rest on defence"), ()),
        (("half on Bob", "20 on Cy"), ("attack Cy 20",)),
        (("rest on Bob", "frobnicate 20"), ()),
        (("if my energy > 20: defend 10", "rest on Bob"), ("if my energy > 20: defend 10",)),
        (("attack Bob 120", "rest on defence"), ("attack Bob 120",)),
    ],
)
def test_shares_beside_what_makes_them_unclear_are_asked_about(lines: tuple[str, ...], kept: tuple[str, ...]) -> None:
    """All beside something, two rests, a half beside a number, a line that is not read, an if, nothing left."""
    found, complaints = read(state_in(), *lines)
    assert found == kept
    assert complaints


@given(
    mark=st.sampled_from(("", "* ", "- ", "\u2022 ", "1. ", "(2) ", "#1 ")),
    form=st.sampled_from(("power {}: {}", "power: {}\n{mark}text: {}")),
)
def test_the_mark_of_a_list_does_not_change_what_a_power_is_called(mark: str, form: str) -> None:
    """Behind a bullet or a number the words of a power's own form mean what they mean without it."""
    line = mark + form.format("Ink Cloud", "Spend 15: ignore one Attack on you.", mark=mark)
    parsed = inventing.invented([OrderLine(number, row) for number, row in enumerate(line.split("\n"), 1)])
    assert [(one.name, one.text) for one in parsed.orders if isinstance(one, Invent)] == [
        ("Ink Cloud", "Spend 15: ignore one Attack on you.")
    ]
    assert not parsed.complaints


LISTED = (
    "{name}: {text}", "{name} - {text}", "{name} = {text}", "2. {name} ({text})", "**{name}**\n{text}", "*{name}*: {text}",
    "**{name}:** {text}", "- {name} ({text})", "1. {name}: {text}", "{name}\n{text}", "- {name}: {text}", "{name} -> {text}",
)  # fmt: skip
INVENTED = ("Tough Hide", "Clumsy", "Ray of the Sun", "X-Ray Eyes", "Last Laugh")
TEXTS = (
    "+15 to your Defence.",
    "You cannot attack at all.",
    "Spend 10: drain 5 Energy of a Hero.",
    "Your Attacks count double.",
)


@given(
    st.sampled_from(LISTED),
    st.lists(st.tuples(st.sampled_from(INVENTED), st.sampled_from(TEXTS)), min_size=1, max_size=3, unique_by=lambda one: one[0]),
    st.sampled_from(("\n", "\n\n")), st.sampled_from(("", "My powers:\n", "Here are my powers:\n\n")),
)  # fmt: skip
def test_powers_are_read_as_people_list_them(
    form: str, powers: list[tuple[str, str]], between: str, before: str
) -> None:
    """By name and text, however they are set apart; each is one power, and none is lost."""
    rows = before + between.join(form.format(name=name, text=text) for name, text in powers)
    parsed = inventing.invented([OrderLine(number, row) for number, row in enumerate(rows.split("\n"), 1)])
    assert [(one.name, one.text) for one in parsed.orders if isinstance(one, Invent)] == powers
    assert not parsed.complaints


@pytest.mark.parametrize(
    "said",
    [
        "Note: your attack is fine", "Question: does my attack count?", "My idea\nyour attack is doubled", "Hi Gwen\nyou know my power",
        "Best regards\nyour hero", "PS: your powers are great", "Re: your powers", "Dear Gwen: your bids are in",
        "* * *", "** **\nyour attack", "Objet : Round 3", "Mada: Re: [game-1] Round 3",
    ],
)  # fmt: skip
def test_talk_about_the_game_is_no_power(said: str) -> None:
    """However it is set."""
    parsed = inventing.invented([OrderLine(number, row) for number, row in enumerate(said.split("\n"), 1)])
    assert parsed.orders == ()


@pytest.mark.parametrize(
    "line", ["May 20", "Sun, May 20", "20 May", "Dec 6", "Jan 12", "on May 20", "Sunny and May 20"]
)
def test_a_hero_who_is_called_as_a_month_is_attacked_in_so_many_words(line: str) -> None:
    """A name with a number that may be a day is asked about; with a verb it is an attack."""
    state = state_in(others={"bo": "May", "cy": "Sunny", "dee": "Decimator", "eve": "Janus"})
    assert read(state, line)[0] == () and read(state, line)[1]
    assert read(state, "hit May 20")[0] == ("attack May 20",)


OFTEN = {
    1: ("", "once", "x1"),
    2: ("x2", "2x", "x 2", "2 times", "twice", "two times"),
    3: ("x3", "3 times", "thrice", "three times"),
    7: ("x7", "7x", "seven times"),
}
ZAPS = (
    Power(1, "Zap", "Spend 3: an opponent loses 1.", owner=ADA),
    Power(2, "Twice Born x2", "You do something.", owner=ADA),
)


@given(st.sampled_from(sorted(NAMES.values())), st.sampled_from(sorted(OFTEN)), st.data())
def test_how_often_a_power_is_used_may_stand_before_or_behind_whom_it_is_aimed_at(
    name: str, many: int, data: st.DataObject
) -> None:
    """In figures or in words, with a comma or without; a power's own name may hold such words too."""
    state = msgspec.structs.replace(state_in(), powers=ZAPS)
    often = data.draw(st.sampled_from(OFTEN[many]))
    power = data.draw(st.sampled_from(ZAPS)).name
    form = data.draw(
        st.sampled_from(("use {p} {o} on {n}", "use {p} on {n} {o}", "use {p} on {n}, {o}", "use {p}, {o}, on {n}"))
    )
    said = form.format(p=power, o=often, n=name) if often else f"use {power} on {name}"
    wanted = read(state, f"use {power} on {name}{f' x{many}' if many > 1 else ''}")
    assert wanted[0] and not wanted[1]
    assert read(state, said) == wanted, said
