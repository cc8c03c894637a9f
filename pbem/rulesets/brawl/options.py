"""The house rules of the brawl, each with one sentence for the first letter, and their presets; plays nothing."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from pbem.ruleset import Option, Preset


class Clash(NamedTuple):
    """
    House rules that contradict each other: which one is named, when, and why, with what would have worked.

    Shape: `instead` says how a game goes on that was founded with them before they were refused; "" if as before.
    """

    option: str
    of: Callable[[Mapping[str, str], int], object]
    because: str
    instead: str = ""


def _option(
    name: str,
    rule: str,
    says: dict[str, str],
    missing_in: tuple[str, ...] = (),
    formerly: tuple[int, str] | None = None,
) -> Option:
    """Make an option whose first choice is the default; `formerly` is what it was before a version of the rules."""
    return Option(
        name=name, default=next(iter(says)), choices=tuple(says), says=says, rule=rule, missing_in=missing_in,
        formerly=dict([formerly] if formerly else []),
    )  # fmt: skip


def _number(name: str, rule: str, default: int, says: str, zero: str) -> Option:
    """Make an option of a number, in which 0 means something of its own."""
    return Option(name=name, default=str(default), choices=(), says={"": says, "0": zero}, rule=rule)


OPTIONS: tuple[Option, ...] = (
    _option("game", "K2", {
        "pub": "It is a Pub Brawl: you may also help, move, bind, pick things up, and drink.",
        "bare": "It is a bare-knuckle fight: of the drop dice there are Counter, Advantage, Maneuver and Regain.",
    }),
    _option("declare", "M1", {
        "contingent": "All write at once; your lines may depend on what slower fighters do.",
        "sequential": "The slowest writes first; each next one sees what was declared before.",
        "blind": "All write at once, and nobody's lines may depend on what others do.",
    }),
    _option("boxing", "K28", {
        "no": "Each damage die also costs a point of Health while there is Endurance.",
        "yes": "You box with gloves: how many dice hit you costs no Health, and between rounds you get breath back.",
    }),
    _option("end", "K-z", {
        "last_standing": "The side that is alone in the fight at the end of a round wins.",
        "first_ko": "Whoever is knocked out first loses.",
        "rounds": "It lasts as many rounds as were agreed on, whoever is down.",
    }),
    _number(
        "police", "K28", 0, "The police come after round {}, and it is over.",
        "No round is agreed on after which the police come.",
    ),
    _number(
        "police_from", "K28", 0, "From round {} on a die is rolled after each: on a six the police come.", "",
    ),
    _number(
        "stall", "K-qq", 10, "After {} rounds in a row in which nobody is hurt, it breaks up.", "It never breaks up."
    ),
    _number(
        "teams", "K28", 0, "There are {} teams; seats are dealt into them in turn.", "It is everyone for themselves."
    ),
    _number(
        "handicap", "K28", 0,
        "In a smaller team all have {} dice more of Endurance and of Health for each fighter that it lacks.",
        "Teams with fewer fighters get nothing for that.",
    ),
    _option("groups", "K-aa", {
        "off": "All fight in one crowd.",
        "on": "Fights can part: with a Move you join another fighter's group, or step aside.",
    }),
    _option("tie", "K-d", {
        "d20": "Of equal initiatives, the higher d20 is faster.",
        "blind": "Who has the same initiative declares at the same time.",
    }),
    _option("match", "K-i", {
        "strong_strong": "Each defense meets the strongest attack that it stops, unless you say whom it is for.",
        "arrival": "Your first defense meets the fastest attacker, unless you say whom it is for.",
    }),
    _option("sets_boost_damage", "K-k", {
        "yes": "Doubles and triples also count for damage dice.",
        "no": "Damage dice are part of doubles and triples, but count only what they show.",
    }),
    _option("regain_cap", "K-r", {
        "start": "Regain brings Endurance back to where it began, not further.",
        "none": "Regain can bring Endurance above where it began.",
    }),
    _option("ko_check", "K-u", {
        "per_attack": "Who is below 0 Health rolls to stay up after every attack that hits.",
        "per_round": "Who is below 0 Health rolls to stay up once, after all attacks of the round.",
    }),
    _option("ko_at_15", "K-v", {
        "down": "To stay up takes more than 15.",
        "up": "To stay up takes 15 or more.",
    }),
    _option("hit_downed", "K-w", {
        "no": "Nobody hits a fighter who is down.",
        "yes": "Fighters who are down can be hit.",
    }),
    _option("downed_die", "K-x", {
        "any": "The die of a lucky six on the floor may be used for anything.",
        "drop": "The die of a lucky six on the floor may be dropped only, and not for a Move.",
    }),
    _option("bind", "K-bb", {
        "first": "Who is bound turns the first attack and the first defense to the binder.",
        "all": "Who is bound turns all attacks and defenses to the binder.",
    }),
    _option("nmr", "M3", {
        "defend": "Who sends nothing moves back in, defends with the two best dice, and maneuvers with the others.",
        "nothing": "Who sends nothing stands there.",
    }, missing_in=("round",)),
    _option("left_over", "M3", {
        "defends": "Where whoever is silent defends, dice that your lines leave over do what silence would with them, "
        "unless you write pass.",
        "idle": "Dice that your lines leave over do nothing.",
    }, formerly=(5, "idle")),
    _number(
        "level", "K28", 0, "Endurance and Health come of {} dice each.",
        "Endurance and Health come of one to three dice each, where nothing else is said.",
    ),
    _number("endurance_dice", "K28", 0, "Endurance comes of {} dice.", ""),
    _number("health_dice", "K28", 0, "Health comes of {} dice.", ""),
    _number("extra_endurance", "K1", 10, "On top of its dice Endurance gets {}.", ""),
    _number("endurance", "K28", 0, "Everybody's Endurance is {}.", ""),
    _number("health", "K28", 0, "Everybody's Health is {}.", ""),
    _number("base_attack", "K28", 0, "Everybody's Base Attack is {}.", ""),
    _number("base_defense", "K28", 0, "Everybody's Base Defense is {}.", ""),
)  # fmt: skip


def _are_said(names: tuple[str, ...], house: Mapping[str, str], seats: int) -> bool:
    """Say whether each of these rules has a number."""
    return all(int(house[name]) for name in names)


CLASHES: tuple[Clash, ...] = (
    Clash(
        option="teams",
        of=lambda house, seats: int(house["teams"]) == 1,
        because="one team has nobody to fight. Say how many teams there are, or 0 for everyone for themselves",
        instead="There is one team, which has nobody to fight, so it is everyone for themselves.",
    ),
    Clash(
        option="teams",
        of=lambda house, seats: int(house["teams"]) > seats,
        because="there are more teams than seats. Say how many teams there are, or 0 for everyone for themselves",
    ),
    Clash(
        option="end",
        of=lambda house, seats: house["end"] == "rounds" and not (int(house["police"]) or int(house["police_from"])),
        because="no number of rounds is agreed on, so it would never end. Say so too: --house police=10",
        instead="No number of rounds was agreed on, so it ends when one side stands alone.",
    ),
    Clash(
        option="groups",
        of=lambda house, seats: house["groups"] == "on" and house["game"] == "bare",
        because="nobody moves in a bare-knuckle fight, so nobody could leave the crowd. Leave it out, or say game=pub",
    ),
    Clash(
        option="police_from",
        of=lambda house, seats: int(house["police_from"]) > int(house["police"]) > 0,
        because="the police have come by then. Say an earlier round, or leave police out",
    ),
    *(
        Clash(
            option=f"{what}_dice",
            of=partial(_are_said, (what, f"{what}_dice")),
            because=f"{what} is fixed already, so no dice make it. Leave one of them out",
        )
        for what in ("endurance", "health")
    ),
    Clash(
        option="level",
        of=lambda house, seats: (
            int(house["level"])
            and all(int(house[what]) or int(house[f"{what}_dice"]) for what in ("endurance", "health"))
        ),
        because="it says how many dice make Endurance and Health, and of both that is said already. Leave one out",
    ),
)
"""What house rules cannot hold together: each is refused when a game is founded."""

DEFAULTS = {option.name: option.default for option in OPTIONS}


YOUNG = ("police_from", "endurance_dice", "health_dice", "handicap")
"""House rules that older games do not know, and so states do not note where they are the default."""


EVEN = {1: 20, 2: 7, 3: 4}
"""With how many dice a team of so many fighters is even with one of one more, as measured among equal programs."""


def advice(house: Mapping[str, str], seats: int) -> str:
    """Say that the larger team wins, and what evens it. Rule: K28."""
    sizes = _sizes(house, seats)
    if not sizes or max(sizes) == min(sizes) or int(house["handicap"]):
        return ""
    few, many = min(sizes), max(sizes)
    because = f"Teams are of {few} and of {many} here, and among equals the larger one hardly ever loses."
    dice = EVEN.get(few)
    how = f" To even that: --house handicap={dice}" if dice and many == few + 1 else " --house handicap=N evens it."
    return f"{because}{how}"


def _sizes(house: Mapping[str, str], seats: int) -> list[int]:
    """Return how many fighters each team has, [] where there are none."""
    teams = int(house["teams"])
    return [len(range(team, seats, teams)) for team in range(teams)]


def handicap(house: Mapping[str, str], seats: int, place: int) -> int:
    """Return how many dice more a fighter gets since their team has fewer than the largest. Rule: K28."""
    sizes = _sizes(house, seats)
    return int(house["handicap"]) * (max(sizes) - sizes[place % len(sizes)]) if sizes else 0


def clashes(house: Mapping[str, str], seats: int) -> list[Clash]:
    """Return the clashes among the house rules of a game with this number of seats."""
    whole = {**DEFAULTS, **house}
    return [clash for clash in CLASHES if clash.of(whole, seats)]


PRESETS: tuple[Preset, ...] = (
    Preset(name="bare-knuckle", says="two fighters, and who is knocked out first loses", house={
        "game": "bare", "end": "first_ko",
    }),
    Preset(name="boxing", says="a match with gloves, between two of the same level", house={
        "game": "bare", "end": "first_ko", "boxing": "yes", "level": "3",
    }),
    Preset(name="pub-brawl", says="everyone for themselves, until one is left standing"),
    Preset(name="police", says="two teams, until the police come after round 10", house={
        "teams": "2", "police": "10",
    }),
    Preset(name="duel", says="two who declare in turn, the slower first, with a day each", house={
        "game": "bare", "end": "first_ko", "declare": "sequential",
    }, rules={"default": "24h after opening"}),
)  # fmt: skip
