"""The power language: what can be written reads back, what cannot is told in words, and nothing of it runs as Python."""

import re
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ruleset import Complaint
from pbem.rulesets.rumble.powers.archive import Archived, archive
from pbem.rulesets.rumble.powers.language import expressions, forms, hindrances, lines, nouns, reading, sense
from pbem.rulesets.rumble.powers.language.expressions import Call, Expression, Join, Name, Not, Number, Quoted, Where
from pbem.rulesets.rumble.powers.language.forms import Blank, Formed
from pbem.rulesets.rumble.powers.language.lines import Ability, Does
from pbem.rulesets.rumble.powers.language.runnable import runs

# What can be written: expressions of each kind, then lines by their forms, then abilities.

HEROES = ("me", "H", "T")
SETS = ("all", "others", "opponents")
NUMBERS = ("round", "ties", "bids")
KEYS = ("energy", "attack", "defence", "allocated_attack", "allocated_defence", "powers", "uses")


@cache  # drawn anew for each place where a kind may stand, they are sixty thousand
def of_kind(kind: str, depth: int = 2) -> st.SearchStrategy[Expression]:
    """Draw an expression of a kind, with H and T for heroes, P for a power, A for an Attack, U for a use."""
    simple = _simple(kind)
    if depth == 0 or kind in ("key", "text", "span", "use", "attack", "power", "anybody", "whose", "hero"):
        return simple
    calls = [_call(word, noun, depth) for word, noun in nouns.NOUNS.items() if noun.kind == kind and noun.of]
    return st.one_of(simple, *calls, *_joins(kind, depth))


def _simple(kind: str) -> st.SearchStrategy[Expression]:
    words = {
        "hero": HEROES, "anybody": (*HEROES, "any"), "whose": (*SETS, *HEROES),
        "heroes": (*SETS, *HEROES), "power": ("this", "P"), "key": KEYS,
        "attack": ("A",), "use": ("U",), "span": ("this_round", "last_round", "game"),
    }  # fmt: skip
    if kind == "number":
        return st.one_of(st.integers(0, 999).map(Number), st.sampled_from(NUMBERS).map(Name))
    if kind == "text":
        return st.sampled_from(["Flight", "Big, Gnashy Claws", "Tai-Chi"]).map(Quoted)
    if kind == "test":
        return st.just(Call("alive", (Name("me"),)))
    return st.sampled_from(words[kind]).map(Name)


def _call(word: str, noun: nouns.Noun, depth: int) -> st.SearchStrategy[Expression]:
    few = [of_kind(kind, depth - 1) for kind in noun.of]
    many = [of_kind(kind, depth - 1) for kind in noun.of + noun.more]
    return st.one_of(st.tuples(*few), st.tuples(*many)).map(lambda parts: Call(word, parts))


def _joins(kind: str, depth: int) -> list[st.SearchStrategy[Expression]]:
    number, test = of_kind("number", depth - 1), of_kind("test", depth - 1) if kind != "number" else st.nothing()
    if kind == "number":
        return [st.builds(Join, st.sampled_from("+-*/"), number, number)]
    if kind == "test":
        compared = st.builds(Join, st.sampled_from(expressions.COMPARISONS), number, number)
        return [compared, st.builds(Join, st.sampled_from(["and", "or"]), test, test), st.builds(Not, test)]
    return [st.builds(Where, of_kind("heroes", depth - 1), test)]


def formed(kind: Any) -> st.SearchStrategy[Any]:
    """Draw a part of a line, with what may be left out left out or not."""
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for part in forms.form(kind.FORM):
        if part.field:
            fields[part.field] = st.booleans()
        for piece in part.pieces:
            if isinstance(piece, Blank):
                filled = _filled(piece)
                left_out = st.just("") if piece.words else st.none()
                fields[piece.field] = st.one_of(left_out, filled) if part.perhaps else filled
    return st.builds(kind, **fields)


def _filled(blank: Blank) -> st.SearchStrategy[Any]:
    if blank.words:
        return st.sampled_from(blank.words)
    if blank.what == "party":
        among = of_kind("heroes").map(lambda found: Join("in", Name("H"), found))
        return st.one_of(among, of_kind("hero"), st.just(Name("any")))
    special: dict[str, st.SearchStrategy[Any]] = {
        "new": st.sampled_from(["H", "T", "P", "A", "U"]),
        "count": st.integers(1, 99),
        "most": st.one_of(st.none(), of_kind("number")),
    }
    return special[blank.what] if blank.what in special else of_kind(blank.what)


ABILITIES = st.builds(
    Ability,
    costs=st.lists(st.one_of(*map(formed, lines.PRICES)), max_size=2).map(tuple),
    at_reveal=st.booleans(),
    when=st.one_of(st.none(), *map(formed, lines.EVENTS)),
    instead=st.one_of(st.none(), formed(lines.Damage), formed(lines.Death)),
    each=st.one_of(st.none(), formed(lines.EachHero), formed(lines.EachAttack)),
    nth=st.one_of(st.none(), formed(lines.Nth)),
    choices=st.lists(formed(lines.Choose), max_size=2).map(tuple),
    tests=st.lists(of_kind("test"), max_size=2).map(tuple),
    optional=st.booleans(),
    ask=st.sampled_from(["", "Is it so?"]),
    does=st.lists(st.builds(Does, st.one_of(*map(formed, lines.EFFECTS)), st.one_of(st.none(), of_kind("test")))).map(
        tuple
    ),
)
"""Abilities whose lines are written rightly, whether or not they make sense together."""


@given(ABILITIES)
def test_whatever_can_be_written_reads_back(ability: Ability) -> None:
    """Each line that `write` gives is read as what it was written from, whatever the ability as a whole is worth."""
    fields: dict[str, Any] = {}
    for line in reading.write((ability,)).split("\n"):
        if line:
            found = reading._line(line, fields)
            assert not hasattr(found, "because"), (line, found)
    assert Ability(**fields) == _without_idle_any(ability)


def _without_idle_any(ability: Ability) -> Ability:
    """Return an ability without `to any`, which is as good as not said where a line can do without."""
    changed = {}
    for field in ("when", "instead"):
        event = getattr(ability, field)
        if isinstance(event, lines.Damage) and event.to == Name("any"):
            changed[field] = msgspec.structs.replace(event, to=None)
    return msgspec.structs.replace(ability, **changed)


@pytest.mark.parametrize("power", archive(), ids=lambda power: power.name)
def test_the_archive_is_written_as_the_language_writes_it(power: Archived) -> None:
    """Every power reads, makes sense, and stands in the archive in the very words that `write` has for it."""
    effects = reading.read(power.lines)
    assert effects and isinstance(effects[0], Ability), effects
    assert reading.write(effects) == power.lines


def test_every_form_and_every_word_is_used_by_the_archive() -> None:
    """What no power needs is a concept too many."""
    text = "\n".join(power.lines for power in archive())
    used = {type(part) for power in archive() for ability in reading.read(power.lines) for part in _parts(ability)}
    assert {kind for kind in (*lines.EFFECTS, *lines.EVENTS, *lines.PRICES) if kind not in used} == UNUSED_FORMS
    assert {word for word in nouns.NOUNS if not re.search(rf"\b{word}\b", text)} == UNUSED_WORDS


UNUSED_FORMS = {lines.SetEnergy}
UNUSED_WORDS = {"alive", "floor", "least", "min", "max", "others"}
"""There for the sake of those that are: greatest and least, a gain and a set, a test of each thing, others beside opponents."""


def _parts(ability: Any) -> list[Formed]:
    event = ability.when or ability.instead
    return [*ability.costs, *(one.effect for one in ability.does), *([event] if event else [])]


def complaints(text: str) -> list[str]:
    """Read lines that cannot be, and return what is said of each."""
    found = reading.read(text)
    assert all(isinstance(one, Complaint) for one in found), found
    return [one.because for one in found if isinstance(one, Complaint)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There are no lines. Such as do: defence(me) += 10"),
        ("gain me 10", "A line begins with cost:, at:, when:, instead:, each:, nth:, choose:, if:, optional, ask: or do:."),
        ("do gain me 10", "A line begins with cost:"),
        ("do: gane me 10", 'I know none that begins with "gane". Did you mean gain HEROES NUMBER?'),
        ("do: steal 10 from me", 'I know none that begins with "steal". The nearest are '),
        ("do: gain me", "I expected a number, a hero or a quantity, and saw the end of the line. It is gain HEROES NUMBER."),
        ("do: gain 10", "I expected a number, a hero or a quantity, and saw the end of the line."),
        ("do: gain 10 10", "I expected heroes and saw a number."),
        ("do: gain me 10 twice", 'I did not expect "twice".'),
        ("do: deal 5 me", 'I expected to and saw "me". It is deal NUMBER to HEROES [unblockable] [from nobody]'),
        ("do: deal me to 5", "I expected a number and saw a hero."),
        ("do: gain me energi(me)", "There is no energi(...) here. Did you mean energy(HERO)?"),
        ("do: gain me energy", "Say of what: energy(HERO)"),
        ("do: gain me energy(me, all)", "It is energy(HERO)."),
        ("do: gain me energy(all)", "I expected a hero and saw heroes."),
        ("do: gain T 5", "T stands for nothing yet: no line says what it is."),
        ("do: gain me X", "X is what a use spends, as cost: spend X says."),
        ("do: gain me amount", "amount is known of damage alone."),
        ("do: damage = 0", "Damage can be changed under instead: damage to HEROES, nowhere else."),
        ("do: revive me 10", "Somebody is revived under when: death of HEROES, or instead: death of HEROES."),
        ("do: move attack to defence", "That is done at the reveal, for a cost."),
        ("at: reveal\ndo: move attack to defence", "What is done at the reveal has a cost."),
        ("at: dawn\ncost: spend 1", "It is at: reveal"),
        ("do: draw a power", "That is done when the power is won."),
        ("nth: 1 each round\ndo: gain me 1", "nth counts something that happens, such as when: damage to me"),
        ("nth: 0 each round\nwhen: won\ndo: gain me 1", 'I expected 1 to 1000, saw "0".'),
        ("when: won\nwhen: after damage\ndo: gain me 1", "One ability has one line when. For another ability, leave a line blank."),
        ("when: won\ninstead: death of me\ndo: gain me 1", "An ability has when or instead, not both."),
        ("when: dawn\ndo: gain me 1", 'I know none that begins with "dawn". It is round start, round end [after wins]'),
        ("optional", "This ability does nothing. Add a line such as do: gain me 10"),
        ("choose: T = thing\ndo: gain T 1", 'I expected hero, opponent, power, attack or use and saw "thing".'),
        ("choose: target = hero\ndo: gain me 1", 'I expected a name of one capital letter and saw "target".'),
        ("choose: P = power\ndo: discard P", "Say whose power: choose: P = power of me"),
        ("choose: A = attack\ndo: ignore A", "Say on whom: choose: A = attack on me"),
        ("cost: spend 10 burn 5\ndo: gain me 1", 'I did not expect "burn".'),
        ("cost: pay 10\ndo: gain me 1", 'I know none that begins with "pay". It is spend NUMBER, burn NUMBER'),
        ("if: energy(me)\ndo: gain me 1", "I expected a test and saw a number."),
        ("if: energy(me) > 5 > 3\ndo: gain me 1", 'I did not expect ">".'),
        ("if: round = 5\ndo: gain me 1", 'I did not expect "=". Equal is written ==, as in round == 5.'),
        ("if: me == 5\ndo: gain me 1", "I expected a hero and saw a number."),
        ("if: rank(energy(me), me) == 1\ndo: gain me 1", "Name a quantity of one hero, without brackets: energy, attack,"),
        ("ask: is it so?\ndo: gain me 1", 'Write the question in quotes: ask: "Is it so?"'),
        ("do: gain me 5 $ 3", '"$" means nothing here.'),
        ("do: gain me __import__(5)", '"_" means nothing here.'),
        ("do: gain me 5.5", 'I did not expect ".".'),
        ("do: gain me -5", "I expected a number, a hero or a quantity, and saw the end of the line."),
        ("do: attack(me, any) *= 2 unblockable", "Unblockable points are added: attack(me, H) += 20 unblockable"),
        ("do: gain me " + "(" * 20 + "5" + ")" * 20, "More than 12 brackets stand inside each other."),
        ("do: gain me " + "1 + " * 500 + "1", "A line has at most 120 words and signs. Part it in two."),
        ("do: gain me 1\n" * 50, "A power has at most 40 lines."),
        ("do: gain me 99999999999999", "999999999... is more than anybody can have. Use 0 to 1000000."),
    ],
)  # fmt: skip
def test_lines_that_cannot_be_are_told_in_words(text: str, said: str) -> None:
    """Each complaint says what was seen, and what would have been legal there."""
    assert any(one.startswith(said) for one in complaints(text)), complaints(text)


@pytest.mark.parametrize(
    ("said", "near"),
    [
        ("steal 5 from hero", "deal NUMBER to HEROES"),
        ("hit any for 5", "gain HEROES NUMBER"),
        ("burns 5", "lose HEROES NUMBER"),
        ("kill T", "win HERO"),
        ("increase attack(me, any) by 5", "attack(ANYBODY, ANYBODY) +="),
    ],
)
def test_of_many_forms_the_nearest_three_are_shown(said: str, near: str) -> None:
    """By its words, and where it has numbers and heroes; the rest can be sent for."""
    (complaint,) = complaints(f"do: {said}")
    _, _, shown = complaint.partition(" The nearest are ")
    shown, _, more = shown.partition(". help ")
    known = [forms.spelled_out(kind) for kind in reading.KINDS["do"]]
    assert sum(form in shown for form in known) == reading.NEAREST and near in shown, complaint
    assert more == "powers sends all of them." and len(complaint) < 300


def test_each_wrong_line_has_a_complaint_with_its_number_and_its_words() -> None:
    """A line that is right has none."""
    found = reading.read("cost: spend 10\nchoose: T = hero\ndo: deel 5 to T\n\ndo: gain T 5\ndo: gain me 5")
    assert [(one.line, one.text) for one in found if isinstance(one, Complaint)] == [
        (3, "do: deel 5 to T"),
        (5, "do: gain T 5"),
    ]


@given(st.text(max_size=80) | st.lists(st.sampled_from(" :(),=+TX5\n") | st.sampled_from([
    "do", "gain", "me", "deal", "to", "if", "where", "not", "and", "cost", "spend", "when", "damage", "by", "in", "all",
]), max_size=30).map(" ".join))  # fmt: skip
def test_whatever_is_written_is_read_or_complained_of(text: str) -> None:
    """Nothing that anybody writes breaks the reader; what it reads, it writes and reads again."""
    found = reading.read(text)
    assert found
    if isinstance(found[0], Ability):
        assert reading.read(reading.write(found)) == found
    else:
        assert all(isinstance(one, Complaint) and one.because for one in found)


def test_case_blanks_and_a_line_that_says_also_make_no_difference() -> None:
    """People write as they like; the canonical lines are one."""
    loose = "DO:   Gain ME 5\nALSO\n  when :Round Start\nDo: lose me 3+2*X\ncost: spend X"
    assert reading.write(reading.read(loose)) == (  # type: ignore[arg-type]
        "do: gain me 5\n\ncost: spend X\nwhen: round start\ndo: lose me 3 + 2 * X"
    )


@pytest.mark.parametrize(
    "text",
    [
        "cost: spend 5\ndo: defence(me) += 10\n\ncost: burn 20\ndo: gain me 5",
        "cost: spend energy(T)\nchoose: T = hero\ndo: deal 5 to T",
        "when: won\nchoose: T = hero\ndo: give this to T",
        "when: won\nchoose: T = opponent where energy(it) > 5\ndo: give this to T",
        "when: won\nchoose: T = opponent\ndo: give this to T\ndo: gain me 5",
        "when: won\nchoose: P = power of me\noptional\ndo: edit P",
        "when: won\ndo: draw a power",
        "when: won\ndo: deal 5 to all",
        "when: won\nif: bids > 50\ndo: gain me 5",
        "when: won\ndo: gain me allocated_attack(me)",
        "when: round end\ndo: gain me bids",
        "when: round end\nif: defence(me) < 10\ndo: win me",
        "when: after damage\nif: dealt(opponents, me, this_round) > 0\ndo: gain me 5",
        "if: lost(me, this_round) > 0\ndo: defence(me) += 5",
        "instead: death of me\nif: round > 50\ndo: discard this\ndo: revive me 50",
        "cost: spend 5\ninstead: death of me",
        "cost: spend 5\ninstead: damage to T\nchoose: T = hero\nchoose: V = hero\nchoose: W = hero\ndo: damage += 5",
        "cost: discard this\ndo: gain me 5",
        "cost: discard P\nchoose: P = power of opponents\ndo: gain me 5",
        "cost: drain X\ndo: defence(me) += X",
        "cost: drain 5\nat: reveal\nchoose: U = use on me\nchoose: T = hero where it != me\ndo: retarget U to T",
        "cost: spend 5\nat: reveal\nchoose: U = use on me\nchoose: T = hero\ndo: retarget U to T",
        "optional\nat: reveal\ndo: shield me all",
        "cost: burn 5\nat: reveal\ndo: move attack to defence\ndo: gain me 5",
        "do: costs(H) -= 5\neach: H in opponents",
        "if: round > 3\ndo: keep me from losing",
        "cost: spend 5\ndo: keep me from losing",
        "when: death of me\ndo: deal 30 to others\ndo: revive me 1",
        "when: death of me\ndo: deal 30 to others in each of the next 2 rounds\ndo: revive me 1\ndo: discard this",
        "instead: death of me\ndo: deal 30 to others\ndo: revive me 1\ndo: discard this",
        "when: attack by me to H\noptional\ndo: attack(me, H) += 20 unblockable",
        "when: attack by me to H\ndo: attack(me, H) += 20 unblockable\ndo: give this to H",
        "when: attack by me to H\noptional\ndo: attack(me, any) += 20 unblockable\ndo: give this to H",
        "when: round end after wins\ndo: win me",
        "cost: spend 5\ndo: require attack by T on me of 5\nchoose: T = hero",
        "choose: A = attack on T\noptional\nchoose: T = hero\ndo: ignore A",
        "instead: damage to opponents\noptional\ndo: damage = 0",
        "instead: damage to me\noptional\ndo: damage -= 5",
        "cost: spend 5\nwhen: round end\nchoose: P = power of opponents where powers(me) > 2\ndo: discard P",
        "cost: spend 5\ninstead: damage to T\nchoose: T = hero where energy(it) > 5\ndo: damage += 5",
        "when: damage to me\nchoose: A = attack on me\ndo: gain me A",
        "when: attack by H to me\nnth: 1 each game per H\ndo: gain me 5",
        "cost: spend X\ndo: defence(me) *= 1 / X",
        "do: defence(me) = 30",
        "cost: spend 5\nchoose: T = hero\ndo: attack(me, T) = 20 final",
        "do: deal ceil(30 / ties) to most(energy, opponents)",
        "each: H in targets(me)\ndo: ignore defence(me) for attack(me, H)",
        "instead: damage to me\ndo: damage += 10\ndo: damage *= 2",
        "when: round start\ndo: lose me 5",
        "if: spent(this, this_round) > 5\ndo: defence(me) += 5",
        "do: forbid attack by all",
        "do: deal 2 to all in each of the next 2 rounds",
        "optional\ndo: defence(me) += 5",
    ],
)
def test_what_is_not_done_as_it_reads_does_not_run(text: str) -> None:
    """Such lines are read, and the whole power stays with the moderator: half a power is nobody's."""
    found = reading.read(text)
    assert isinstance(found[0], Ability), found
    assert not runs(text)


def test_all_kinds_of_parts_are_known_to_the_tables() -> None:
    """A type that was added to the union and not to its table would never be read."""
    assert set(get_args(lines.Effect)) == set(lines.EFFECTS)
    assert set(get_args(lines.Event)) == set(lines.EVENTS)
    assert set(get_args(lines.Price)) == set(lines.PRICES)
    assert sense.known(Ability()) == {}


@pytest.mark.parametrize("amount", ["2", "ties", "(2 + ties)"])
@pytest.mark.parametrize("what", ["attack(me, any)", "defence(me)"])
def test_a_value_is_divided_as_moderators_say_it(what: str, amount: str) -> None:
    """`/= 2` is read, and written back, as the one canonical `*= 1 / 2`, whatever it is divided by."""
    divided, times = (reading.read(f"do: {what} {said}") for said in (f"/= {amount}", f"*= 1 / {amount}"))
    assert divided == times and f"{what} *= 1 / {amount}" in reading.write(divided)  # type: ignore[arg-type]


WHO = ("me", "others", "opponents", "all", "players", "H")


@pytest.mark.parametrize("what", ["hero", "opponent", "power", "attack", "use"])
@pytest.mark.parametrize("behind", ["of", "on", "of and on"])
def test_a_choice_says_whose_or_on_whom_only_where_it_is_heard(what: str, behind: str) -> None:
    """`choose: T = hero of others` let its owner choose themselves; what is not heard is refused, and told why."""
    heard = {"power": "of", "attack": "on", "use": "on"}.get(what, "")
    for who in WHO:
        said = " ".join(f"{word} {who}" for word in behind.split(" and "))
        text = f"cost: spend 5\nchoose: T = {what} {said}\ndo: gain me 5"
        found = reading.read(text if who != "H" else f"each: H in all\n{text}")
        if isinstance(found[0], Complaint):
            continue  # of several heroes, or of no one's
        (ability,) = found
        deaf = [one for one in hindrances.of_ability(ability) if one.because.startswith(("of says", "on says"))]
        assert bool(deaf) == (behind != heard), text
