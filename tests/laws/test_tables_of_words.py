"""Law: each table of numbers, ordinals, signs and directions is read and written back whole, by another reckoning."""

import calendar
import math
import pkgutil
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from functools import cache
from importlib import import_module
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest

import pbem.rulesets
import pbem.speech
import pbem.table
from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.language import nouns, phrases
from pbem.language.parses import Parses
from pbem.language.tokens import WIDE, cut
from pbem.letters.dresses import text as dress
from pbem.rulesets.brawl import words as brawl_words
from pbem.rulesets.brawl.language import meanings as brawl_meanings
from pbem.rulesets.brawl.language import parts as brawl_parts
from pbem.rulesets.brawl.language import rounds as brawl_rounds
from pbem.rulesets.brawl.language import words as brawl_words_of
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.order import Delay
from pbem.rulesets.discs.grid import bearings
from pbem.rulesets.discs.language import meanings as discs_meanings
from pbem.rulesets.discs.language import names
from pbem.rulesets.discs.language import parts as discs_parts
from pbem.rulesets.discs.language import words as discs_words
from pbem.rulesets.discs.language.lists import language as discs_language
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order, write_test
from pbem.rulesets.discs.model.order import Line, Move, Recall, Throw
from pbem.rulesets.discs.play import play
from pbem.rulesets.discs.play.setting_up import begin
from pbem.rulesets.rumble.effects import do_lines, power_rulings
from pbem.rulesets.rumble.language import words as rumble_words_of
from pbem.rulesets.rumble.language.rounds import language
from pbem.rulesets.rumble.orders import conditions as rumble_conditions
from pbem.rulesets.rumble.powers.engine import scene
from pbem.rulesets.rumble.powers.language import expressions, numbers
from pbem.rulesets.rumble.powers.language.expressions import Join, Not, Number, Reader
from pbem.rulesets.rumble.powers.language.runnable import abilities
from pbem.rulesets.rumble.powers.wording import descriptions, phrasing
from pbem.rulesets.rumble.shown import power_facts
from pbem.speech import change_forms, small_talk, typed
from pbem.table.model.calendar import instants, rules, spans
from tests.hall.test_changes import HANDS, on_hand, sent, with_set
from tests.reckoners.words import (
    ARITHMETIC,
    CARDINALS,
    CARDS,
    CASES,
    COMPARED,
    COMPARED_IN_BRAWL,
    COUNTS,
    DOES,
    DROPS,
    FIFTHS,
    HOLDS,
    NONE,
    OF_MINE,
    ONES,
    ORDINALS,
    PLACES,
    RECALLS,
    RESIZED,
    SHORT,
    SIDES,
    SIGNED,
    SIGNS,
    SIZED,
    SIZES,
    TIMES,
    UNITS,
    USES,
    WALLS,
    holding,
    points,
)  # fmt: skip
from tests.rulesets import brawl_scene, rumble_scene


class Table(NamedTuple):
    """
    A table of words, and what each means by a reckoning that is not the program's.

    Shape: `says` puts a word into a sentence; `reads` returns what the program takes a sentence for, and the sentence
    by which it writes that. What the reckoning does not know, or the table has not, is a difference.
    """

    words: Collection[Any]
    means: Mapping[Any, Any]
    reads: Callable[[str], tuple[Any, str]]
    says: Callable[[Any], str] = str


@cache
def discs() -> Any:
    """Return a battle of four at its beginning."""
    return begin({Seat(name.lower()): name for name in ("Ada", "Bo", "Cy", "Di")}, {}, Dice(bytes(32)))


@cache
def brawl() -> Any:
    """Return a brawl in which Bo declares before Ada, who has a die of each face."""
    given = ("bo: Bo ba 7 bd 8 e 20 h 10 dice 6 4", "ada: Ada ba 7 bd 8 e 20 h 10 dice 1 2 3 4 5 6")
    return brawl_scene.lay(given, {}, Dice(bytes(32)))


@cache
def rumble() -> Any:
    """Return a round of two heroes."""
    return rumble_scene.lay(("ada: Ada 50", "bo: Bo 50"), {}, Dice(bytes(32)))


def taken_out(said: str) -> tuple[list[int], str]:
    """Read which line is to go, 0 for the last."""
    (out,) = (way for way in change_forms.ways(said) if isinstance(way, change_forms.Out))
    (number,) = out.numbers
    return [number], f"drop line {number}" if number else "drop the last line"


def shifted(said: str) -> tuple[int, str]:
    """Read by how much an amount is to rise, or to fall."""
    (way,) = (way for way in change_forms.ways(said) if isinstance(way, change_forms.Shift))
    assert way.where == "Bo"
    return way.by, f"{abs(way.by)} {'more' if way.by > 0 else 'less'} on Bo"


def counted_off(said: str) -> tuple[set[int], str]:
    """Read which number a word of somebody's language stands for."""
    return {number for number in range(1, 10) if said in small_talk.ordinals((str(number),))}, said


def comparing(words: Any) -> set[str]:
    """Return the words of a room's tables that compare."""
    return {" ".join(said) for name in ("UNDER", "MOST", "IS", "LEAST", "OVER") for said in words.classes[name]}


def brawl_test(said: str) -> Any:
    """Read a test of a brawl."""
    found: Any = Parses(brawl_rounds.language(brawl(), "ada"), cut(said, frozenset())).whole("test")
    (test,) = found
    return test


def compared_in_brawl(said: str) -> tuple[Any, str]:
    """Read a comparison of a brawl."""
    test = brawl_test(said)
    return frozenset(filter(test.holds, range(12))), test.write(brawl())


def compared_in_rumble(said: str) -> tuple[Any, str]:
    """Read a comparison of a round."""
    found: Any = Parses(language(rumble(), "ada"), cut(said, frozenset())).whole("test")
    (test,) = found
    return frozenset(filter(test.holds, range(12))), rumble_conditions.write_test(test, "Bo")


def cards(said: str) -> tuple[Any, str]:
    """Read how many cards somebody is to hold."""
    test = of_discs(said)
    return frozenset(filter(test.compares, range(12))), write_test(discs(), test)


def disc_test(said: str) -> tuple[Any, str]:
    """Read a test of the discs, by its kind."""
    test = of_discs(said)
    return test.kind, write_test(discs(), test)


def of_discs(said: str) -> Any:
    """Read a condition of a list."""
    (test,) = set(Parses(discs_language(discs(), "ada"), cut(said)).whole("test"))
    return test


def disc_line(said: str) -> tuple[Any, str]:
    """Read a line of the discs, by what a word of it stands for."""
    found = LISTS.hear(discs(), "ada", [OrderLine(1, said)])
    order: Any = found.orders[0] if len(found.orders) == 1 else found
    match order:
        case Recall(when):
            meant: Any = when
        case Line(Throw(way) | Move(way)):
            meant = way.bearing if way.how == "bearing" else way.off or (way.place.kind, way.place.name)
        case _:
            return order, ""  # a refusal, with its reason
    return meant, write_order(discs(), order)


def about(said: str) -> tuple[Any, str]:
    """Read a test of a brawl, by what it is about."""
    test = brawl_test(said)
    return (test.kind, test.what), test.write(brawl())


def die(said: str) -> tuple[Any, str]:
    """Read which die is meant, by its face."""
    found: Any = brawl_words.find_die(brawl().fighter("ada"), said)
    return found.value, found.letter


def use(said: str) -> tuple[Any, str]:
    """Read what a die is kept for, or to what a given one is added."""
    orders: Any = ROUNDS.parse(brawl(), "ada", [OrderLine(1, said)]).orders
    (order,) = orders
    return (order.use if isinstance(order, Delay) else (order.uses[0].to, order.uses[0].number)), order.write(brawl())


def doubled(said: str) -> tuple[Any, str]:
    """Double the number of a power that stands in its text and in its lines; the number that it was."""
    for value in range(1, 11):
        lines = numbers.changed_lines(said, f"do: gain me {value}", str(value), "double", {})
        if not isinstance(lines, phrases.Unread):
            assert lines == f"do: gain me {2 * value}"
            return value, f"Gain {value}."
    return None, said


def resized(said: str) -> tuple[Any, str]:
    """Double or halve what is doubled or halved in a text."""
    what, how = said.split()
    return RESIZED[numbers.changed_text(f"{what} of it", what, how, {}).removesuffix(" of it")], said


def joined(said: str) -> tuple[Any, str]:
    """Work out a sign of the powers' language between 5 and each number."""
    found: list[Any] = []
    for value in range(12):
        tokens: Any = expressions.tokens(f"5 {said} {value}")
        whole: Any = expressions.read(Reader(tokens), "test")
        found.append(scene.evaluate(whole, None) if said in "+-*/" else scene.true(whole, None))  # type: ignore[arg-type]
    return found, expressions.write(whole).split()[1]


def worded(said: str) -> tuple[Any, str]:
    """Say a comparison of a power in words, and its contrary."""
    whole = Join(said, Number(5), Number(5))
    plain, no = (phrasing.true(one, {}) for one in (whole, Not(whole)))
    return [holding(one.removeprefix("5 is").removesuffix("5").strip()) for one in (plain, no)], said


def changed(said: str) -> tuple[Any, str]:
    """Read how a ruling changes a Defence."""
    effect: Any = do_lines.read(rumble(), said)
    return effect.sign, power_rulings.write(effect)


def span(said: str) -> tuple[Any, str]:
    """Read a span of time."""
    found = spans.parse_span(said)
    return found, spans.show_span(found) if isinstance(found, timedelta) else ""


def weekdays(said: str) -> tuple[Any, str]:
    """Read on which days of the week a phase is due."""
    rule: Any = rules.parse_rule(said, "UTC")
    found = [moment.weekday for moment in rule.moments]
    return found, f"every {' '.join(calendar.day_name[day] for day in found)} 20:00"


def month(said: str) -> tuple[Any, str]:
    """Read the month of a date."""
    day: Any = instants.parse_date(said)
    return day.month, instants._show_date(day)


def straight(said: str) -> tuple[Any, str]:
    """Read a letter that has a plain one."""
    plain = typed._with_plain_digits(said)
    return plain, plain


def itself(table: Mapping[Any, Any]) -> Callable[[str], tuple[Any, str]]:
    """Return a reader of a table that a whole game is set up by."""
    return lambda said: (table[said], said)


COUNTED_SHORT = [word for word, nth in SHORT.items() if nth < 7]
TABLES = {
    "lines": Table(
        [*nouns.ORDINALS, *COUNTED_SHORT, "last"],
        {word: [nth] for word, nth in (ORDINALS | SHORT | {"last": 0}).items() if nth < 7},
        taken_out, "drop the {} line".format,
    ),
    "bare lines": Table(
        [*nouns.ORDINALS, *COUNTED_SHORT],  # the last may be the last mail
        {word: [nth] for word, nth in (ORDINALS | SHORT).items() if nth < 7},
        taken_out, "drop the {}".format,
    ),
    "more": Table(COUNTS, COUNTS, shifted, "{} more on Bo".format),
    "fewer": Table(COUNTS, {word: -value for word, value in COUNTS.items()}, shifted, "{} fewer on Bo".format),
    "added": Table(COUNTS, COUNTS, shifted, "add {} to Bo".format),
    "lowered": Table(COUNTS, {word: -value for word, value in COUNTS.items()}, shifted, "lower Bo by {}".format),
    "other languages": Table(
        [word for said in small_talk._ORDINALS.values() for word in said.split()],
        {word: {number} for number, words in FIFTHS.items() for word in words if word != "-"},
        counted_off,
    ),
    "compared in a brawl": Table(
        comparing(brawl_words_of.WORDS), {sign: holding(plain) for sign, plain in SIGNED.items() if sign in COMPARED | COMPARED_IN_BRAWL},
        compared_in_brawl, "my health {} 5".format,
    ),
    "compared in a round": Table(
        comparing(rumble_words_of.WORDS), {sign: holding(plain) for sign, plain in SIGNED.items() if sign in COMPARED},
        compared_in_rumble, "my energy {} 5".format,
    ),
    "cards": Table(
        [*CARDS], {sign: holding(sign) for sign in CARDS}, cards,
        lambda sign: f"Bo holds 5 {sign}" if sign.startswith("or ") else f"Bo holds {sign} 5",
    ),
    "cards by count": Table(
        [*(ONES[1:6]), *NONE, "a card"],
        {word: frozenset((value,)) for word, value in ({word: CARDINALS[word] for word in ONES[1:6]} | NONE).items()}
        | {"a card": frozenset(range(1, 12))},
        cards, "Bo holds {}".format,
    ),
    "a disc of mine": Table([*OF_MINE], OF_MINE, disc_test, "my disc is {}".format),
    "recalls": Table([*RECALLS], RECALLS, disc_line, "recall: {}".format),
    "points": Table(bearings.BEARINGS, points(16), disc_line, "throw {}".format),
    "points by their order": Table(bearings.POINTS, points(16), disc_line, "throw {}".format),
    "walls": Table(
        [*bearings.WALLS, *bearings.WALLS.values()],
        {said: ("wall", wall) for letter, wall in WALLS.items() for said in (letter, wall)}, disc_line, "throw at {} wall".format,
    ),
    "sides": Table(bearings.SIDES, {said: ("wall", wall) for said, wall in SIDES.items()}, disc_line, "throw at the {} wall".format),
    "banks": Table(
        [*bearings.WALLS, *bearings.SIDES],
        {said: (wall,) for said, wall in (WALLS | SIDES).items()}, disc_line, "throw at Bo off {}".format,
    ),
    "corners": Table(
        bearings.CORNERS, {point: ("corner", point) for point in points(8) if len(point) > 1}, disc_line, "throw at {} corner".format,
    ),
    "places": Table(names.PLAIN, {said: (place, "") for said, place in PLACES.items()}, disc_line, "move to {}".format),
    "directions": Table(
        play.DIRECTIONS,
        {str(n): tuple(math.floor(step * 360 / n) for step in range(n)) for n in (6, 8, 16)} | {"any": tuple(range(360))},
        itself(play.DIRECTIONS),
    ),
    "faces": Table(brawl_words.FACES, {said: n for n in range(1, 7) for said in (ONES[n], str(n))}, die, "the {}".format),
    "drops": Table(DROPS, {said: ("drops", deed) for said, deed in DROPS.items()}, about, "Bo drops {}".format),
    "deeds": Table(DOES, {said: ("drops", deed) for said, deed in DOES.items()}, about, "Bo {}".format),
    "uses": Table(USES, USES, use, "delay a {}".format),
    "uses of a given die": Table(USES, {said: (role, 2) for said, role in USES.items()}, use, "coop: add to {} 2".format),
    "numbers of powers": Table(numbers._COUNTS, COUNTS | TIMES, doubled, "Gain {}.".format),
    "signs of powers": Table(
        scene._SIGNS,
        {sign: [does(5, value) for value in range(12)] for sign, does in ARITHMETIC.items()}
        | {sign: [HOLDS[sign](5 - value) for value in range(12)] for sign in SIGNS}, joined,
    ),
    "comparisons of powers": Table(
        expressions.COMPARISONS, {sign: [HOLDS[sign](5 - value) for value in range(12)] for sign in SIGNS}, joined
    ),
    "comparisons in words": Table(
        phrasing._COMPARED, {sign: [holding(sign), frozenset(range(12)) - holding(sign)] for sign in SIGNS}, worded
    ),
    "contraries": Table(
        phrasing._CONTRARY, {sign: [holding(sign), frozenset(range(12)) - holding(sign)] for sign in SIGNS}, worded
    ),
    "resized": Table(
        [" ".join(pair) for pair in numbers._WORDS],
        {f"{what} {how}": size * by for (what, size), (how, by) in product(SIZES.items(), SIZED.items())}, resized,
    ),
    "rulings": Table(
        [f"{sign}{equal}" for sign in "+-*/x" for equal in ("", "=") if sign + equal != "x"],
        {said: f"{sign}=" for sign in "+-*/" for said in (sign, f"{sign}=")} | {"x=": "*="}, changed, "defence(Bo) {} 3".format,
    ),
    "spans": Table(
        spans._UNITS, {unit[0]: timedelta(minutes=3 * many) for unit, many in UNITS.items()}, span, "3 {}".format
    ),
    "days": Table(
        [*rules._GROUPS, *rules._DAYS, *instants.WEEKDAYS],
        {"day": [*range(7)], "daily": [*range(7)], "weekday": [*range(5)], "weekend": [5, 6]}
        | {name: [day] for day in range(7) for name in (calendar.day_name[day], calendar.day_abbr[day])},
        weekdays, "every {} 20:00".format,
    ),
    "months": Table(
        [name[:most] for name in instants.MONTHS for most in range(3, len(name) + 1)],
        {calendar.month_name[n][:most]: n for n in range(1, 13) for most in range(3, len(calendar.month_name[n]) + 1)},
        month, "7 {} 2026".format,
    ),
    "wide and round letters": Table(
        [chr(letter) for letter in WIDE],
        {chr(0xFEE0 + plain): f"of{chr(plain)}it" for plain in range(0x21, 0x7F)}
        | {letter: f"of({unicodedata.numeric(letter):.0f}) it" for letter in map(chr, range(0x2460, 0x2474))},
        straight, "of{}it".format,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_each_word_of_a_table_is_read_as_what_it_means_and_written_back(name: str) -> None:
    """None is left out, on either side, and what is written of each is read as the same."""
    table = TABLES[name]
    found = {word: table.reads(table.says(word)) for word in table.words}
    assert {word: meant for word, (meant, _) in found.items()} == table.means
    assert {word: table.reads(written) for word, (_, written) in found.items()} == found


def test_no_table_of_numbers_signs_or_directions_is_left_out_here() -> None:
    """Whatever maps three such words or more, in any room that reads orders or talk, is one of those above."""
    known = {*CARDINALS, *ORDINALS, *SHORT, *SIGNED, *points(16), *SIDES, *SIDES.values(), *ARITHMETIC} - {"", "is"}
    held = {id(table.words) for table in TABLES.values()}
    held |= {id(one) for one in (small_talk._ORDINALS, phrases._HOLDS, bearings.WALLS)}  # their parts
    held |= {
        id(one)
        for one in (brawl_parts.PARTS, brawl_meanings._WORDS, discs_parts.PARTS, discs_meanings.ACTS, discs_words.WALLS)
    }  # of acts, which nobody writes
    found = {
        f"{module.__name__}.{name}": value
        for module in (phrases, *rooms(pbem.rulesets), *rooms(pbem.speech), *rooms(pbem.table))
        for name, value in vars(module).items()
        if isinstance(value, Mapping) and not name.startswith("__") and len(known.intersection(map(str, value))) > 2
    }
    assert len(found) > 12
    assert not {name for name, value in found.items() if id(value) not in held}


def rooms(package: Any) -> Iterator[Any]:
    """Yield the modules of a package."""
    return (import_module(one.name) for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))


def test_points_of_the_compass_are_read_however_they_are_spelt_and_every_bearing_is_written_back() -> None:
    """In letters and words, with hyphens, blanks or nothing between; a bearing that no point has in degrees, or hours."""
    for point, bearing in points(16).items():
        words = [WALLS[letter] for letter in point]
        spelt = {case(said) for said in (point, *(between.join(words) for between in ("", "-", " "))) for case in CASES}
        assert {bearings.read_bearing(said) for said in spelt} == {bearing}
        assert (bearings.word_of(bearing), bearings.point_of(bearing)) == (point, point)
    for bearing in range(360):
        near = {point: abs((bearing - 22.5 * step + 180) % 360 - 180) for step, point in enumerate(points(16))}
        assert bearings.point_of(bearing) == min(near, key=near.__getitem__)
        meant, written = disc_line(f"throw {bearing} degrees")
        assert meant == disc_line(written)[0] == bearings.read_bearing(bearings.word_of(bearing)) == bearing
    for quarter in range(48):
        hour = f"{quarter // 4 or 12}:{15 * (quarter % 4):02}"
        read = bearings.read_bearing(hour)
        assert read == math.floor(quarter * 7.5) and bearings.hour_of(read) == hour
    for up, side in product(("top", "upper", "bottom", "lower"), ("left", "right")):
        corner = SIDES[up][0].upper() + SIDES[side][0].upper()
        assert disc_line(f"throw at {up} {side} corner")[0] == ("corner", corner)


def test_what_is_counted_for_people_is_what_these_words_mean() -> None:
    """In letters up to twelve, and in digits above; how often, and for which time."""
    small = CARDINALS | NONE
    for number in range(130):
        said = dress.spelled(number)
        assert (int(said) if said.isdigit() else small[said]) == number
        assert said.isdigit() is (number > 12)
    for number in range(1, 130):
        for often in (phrasing.times_of(number), power_facts._times(number)):
            assert (int(often.removesuffix(" times")) if often[0].isdigit() else TIMES[often]) == number
        last = 0 if number // 10 % 10 == 1 else number % 10
        short = f"{number}{[*SHORT][last - 1][1:] if last else 'th'}"
        nth = next((word for word, place in ORDINALS.items() if place == number < 4), short)
        (((slot, *_),),) = [descriptions.describe(abilities(f"when: won\nnth: {number} each game\ndo: gain me 1"), {})]
        assert slot["says"] == [f"only the {nth} time in the whole game"]


def test_who_goes_first_and_last_in_a_brawl_is_read_and_written_back() -> None:
    """And who is fastest, and slowest."""
    for kind, most in (("first", "fastest"), ("last", "slowest")):
        for said in ("I am {0}", "I am the {0}", "my init {0}", "my initiative is {0}", "i am {1}", "I am the {1}"):
            assert about(said.format(kind, most)) == ((kind, ""), f"I am {kind}") == about(f"I am {kind}")


def test_the_last_order_may_be_the_last_mail_and_is_no_line() -> None:
    """As `drop the last line` is; by its number it could be another."""
    assert change_forms.Out("the last line").numbers == (0,)
    assert {change_forms.Out(said).numbers for said in ("last", "the last", "my last order", "the last one")} == {()}


def test_what_leads_from_one_order_to_the_next_is_no_part_of_it_and_says_which_card_it_is_for() -> None:
    """Where orders have an order of their own nothing is meant by it; a card's number is read in each way to say it."""
    leads = [said for word, n in ORDINALS.items() for said in (word, f"{word}ly") if n < 5] + [*SHORT]
    assert {typed.tidied(f"{lead}: defend 30") for lead in leads} == {"defend 30"}
    for one, other in pairwise(range(1, 5)):
        ways = [[f"card {said}" for said in (n, ONES[n])] for n in (one, other)]
        short, long = (
            [f"{word} card" for n in (one, other) for word, place in how.items() if place == n]
            for how in (SHORT, ORDINALS)
        )
        for first, second in (*zip(*ways, strict=True), short, long):
            found = LISTS.parse(discs(), "ada", [OrderLine(1, f"{first}: hold and {second}: pass")])
            assert [write_order(discs(), order) for order in found.orders] == [
                f"card {one}: hold",
                f"card {other}: pass",
            ]


@pytest.mark.parametrize("said", ["drop the {}", "Drop the {} one.", "forget about my {} order", "remove the {} line"])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_the_order_that_goes_is_the_one_that_was_counted_off(nth: int, said: str) -> None:
    """In a word and in digits, of a set on hand of three."""
    words = [word for word, place in (ORDINALS | SHORT).items() if place == nth]
    before = with_set("brawl", *HANDS["brawl"])
    orders = on_hand(before)
    for word in words:
        _, table = sent(before, said.format(word))
        assert on_hand(table) == (*orders[: nth - 1], *orders[nth:])
