"""What people's words for numbers, ordinals, signs and directions mean, and other small words of orders."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = {"thir": 3, "four": 4, "fif": 5, "six": 6, "seven": 7, "eigh": 8, "nine": 9}
TENS = TEENS | {"twen": 2, "for": 4}
CARDINALS = (
    dict(zip((*ONES, "ten", "eleven", "twelve"), range(13), strict=True))
    | {f"{head}teen": 10 + unit for head, unit in TEENS.items()}
    | {f"{head}ty": 10 * tens for head, tens in TENS.items() if head != "four"}
    | {
        f"{head}ty{between}{ONES[unit]}": 10 * tens + unit
        for head, unit, between in product(TENS, range(1, 10), " -")
        if (tens := TENS[head]) and head != "four"
    }
    | dict.fromkeys(("hundred", "a hundred", "one hundred"), 100)
)
"""The whole numbers to a hundred, built of tens and units."""
NONE = dict.fromkeys(("no", "none", "nothing"), 0)
TIMES = {"once": 1, "single": 1, "twice": 2, "both": 2} | dict.fromkeys(
    ("double", "doubled", "half", "halve", "halved"), 2
)
SHORT = {f"{number}{end}": number for number, end in enumerate(("st", "nd", "rd", *["th"] * 6), 1)}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9} | {
    f"{ONES[number]}th": number for number in (4, 6, 7)
}
LANGUAGES = """
one two three four five, first second third fourth fifth, eins zwei drei vier fünf, erste zweite dritte vierte fünfte,
ersten zweiten dritten vierten fünften, - deux trois quatre cinq, premier deuxième troisième quatrième cinquième,
première - - - -, primera segunda tercera cuarta quinta, primer segundo tercer cuarto quinto, primo secondo terzo quarto
quinto, prima seconda terza quarta quinta, eerste tweede derde vierde vijfde, primeira segunda terceira quarta quinta,
pierwsza druga trzecia czwarta piąta, pierwszą drugą trzecią czwartą piątą, první druhé - - -, первый второй третий четвертый
пятый
"""
"""How twelve languages count, and count off."""
HOLDS: Mapping[str, Callable[[int], bool]] = {
    **dict.fromkeys(("at least", "or more", ">="), lambda over: over >= 0),
    **dict.fromkeys(("at most", "or fewer", "or less", "<="), lambda over: over <= 0),
    **dict.fromkeys(("more than", "above", "over", ">"), lambda over: over > 0),
    **dict.fromkeys(("fewer than", "less than", "below", "under", "<"), lambda over: over < 0),
    **dict.fromkeys(("exactly", "", "=", "=="), lambda over: not over),
    **dict.fromkeys(("not", "!="), bool),
}
"""What a comparison says of how far one number is above another."""


def holding(sign: str, number: int = 5) -> frozenset[int]:
    """Return the numbers of which a comparison with another one holds, which is what it means."""
    return frozenset(value for value in range(12) if HOLDS[sign](value - number))


def points(count: int) -> dict[str, int]:
    """Return points of the compass, each called by those between which it lies, and so many equal steps apart."""
    turn = ["N", "E", "S", "W"]
    while len(turn) < count:
        between = (_between(one, other) for one, other in zip(turn, [*turn[1:], turn[0]], strict=True))
        turn = [point for both in zip(turn, between, strict=True) for point in both]
    return {point: math.floor(place * 360 / count) for place, point in enumerate(turn)}


def _between(one: str, other: str) -> str:
    """Name the middle of two points: by the shorter name first, and by north and south before east and west."""
    return "".join(sorted((one, other), key=lambda point: (len(point), point in "EW")))


SIDES = {"top": "north", "upper": "north", "lower": "south", "bottom": "south", "left": "west", "right": "east"}
WALLS = {"N": "north", "E": "east", "S": "south", "W": "west"}
FOES = ("", " foe", " enemy", " player")
PLACES = (
    {f"{near}{foe}": "nearest" for near in ("nearest", "closest") for foe in FOES}
    | dict.fromkeys(("nearest program", "nearest opponent", "anyone", "anybody"), "nearest")
    | {f"weakest{foe}": "weakest" for foe in ("", " foe", " enemy", " program")}
    | dict.fromkeys(("my disc", "my disk", "own disc"), "my disc")
    | {f"{middle}{of}": "centre" for middle in ("centre", "center", "middle") for of in ("", " of the grid")}
)
RECALLS = (
    dict.fromkeys(("when away", "if away", "away", "always", "yes"), "away")
    | dict.fromkeys(("never", "no", "off", "don't", "dont"), "never")
    | {f"{when} nobody {ahead}": "nobody ahead" for when in ("if", "when") for ahead in ("ahead", "is ahead")}
)
DEEDS = {
    "counter": ("counters",), "advantage": ("takes advantage",), "maneuver": ("maneuvers", "manoeuvres"),
    "regain": ("regains",), "coop": ("coops", "helps"), "move": ("moves",), "charge": ("charges",), "bind": ("binds",),
    "pickup": ("picks up",), "drink": ("drinks",),
}  # fmt: skip
ALSO = {
    "maneuver": ("manoeuvre", "maneuvre"),
    "coop": ("co-op", "give"),
    "pickup": ("pick up", "item"),
}
DROPS = {said: deed for deed in DEEDS for said in (deed, *ALSO.get(deed, ()))}
DOES = {said: deed for deed, does in DEEDS.items() for said in does}
FIFTHS = {number: [row.split()[number - 1] for row in LANGUAGES.split(",")] for number in range(1, 6)}
COUNTS = {word: value for word, value in CARDINALS.items() if 0 < value <= 10}
SIGNED = {f"{head}{sign}".strip(): sign for sign in HOLDS for head in ("", "is ")}
RESIZED = {"all": 1, "a quarter": Fraction(1, 4), "quadruple": 4, "single": 1}
ARITHMETIC: Mapping[str, Callable[[int, int], Any]] = {
    "+": lambda one, other: one - -other, "-": lambda one, other: one + -other,
    "*": lambda one, other: sum([one] * other), "/": lambda one, other: Fraction(one, other) if other else 0,
}  # fmt: skip
CASES = (str.lower, str.upper, str.title)
SIZES = {"half": Fraction(1, 2), "double": Fraction(2)}
SIZED = {"double": Fraction(2), "halve": Fraction(1, 2)}
OF_MINE = (
    dict.fromkeys(("out", "flying", "thrown", "in flight"), "disc out")
    | {"away": "disc away"}
    | dict.fromkeys(("here", "in hand", "in my hand"), "disc in hand")
)
USES = {"attack": "attack", "damage": "damage"} | dict.fromkeys(("defend", "defence", "defense"), "defense")
SIGNS = ("==", "!=", ">=", "<=", ">", "<")
COMPARED = {
    *SIGNS, "=", "is", "below", "under", "less than", "is below", "at most", "is at most", "at least", "is at least",
    "above", "over", "more than", "is above",
} - {"!="}  # fmt: skip
COMPARED_IN_BRAWL = {"is under", "is less than", "is over", "is more than"}
CARDS = ("", "exactly", "at least", "at most", "more than", "fewer than", "less than", "or more", "or fewer", "or less")
UNITS = {"week": 7 * 24 * 60, "day": 24 * 60, "hour": 60, "minute": 1}
