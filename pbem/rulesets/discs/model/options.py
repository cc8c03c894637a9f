"""The house rules of the discs, each with one sentence for the first letter, and what of them cannot hold together."""

from collections.abc import Mapping

from pbem.ruleset import Option, Preset, phrases
from pbem.rulesets.discs.grid.ring import fits

SMALLEST, LARGEST = 12, 96
"""The sides that a Grid may have, in inches (D2)."""
TEAM = range(2, 5)
"""How many Programs a team has (T-yy)."""


def _option(name: str, rule: str, says: dict[str, str]) -> Option:
    """Make an option whose first choice is the default."""
    return Option(name=name, default=next(iter(says)), choices=tuple(says), says=says, rule=rule)


def _number(name: str, rule: str, default: int, says: str, zero: str = "", expects: str = "a whole number") -> Option:
    """Make an option of a number, in which 0 may mean something of its own."""
    sentences = {"": says} | ({"0": zero} if zero else {})
    return Option(name=name, default=str(default), choices=(), says=sentences, rule=rule, expects=expects)


OPTIONS: tuple[Option, ...] = (
    _number(
        "grid", "D2", 24, "The Grid is {} inches square.",
        expects="the inches of one side, such as 24: a Grid is square, and an oblong one cannot be had",
    ),
    _option("pace", "M1", {
        "half": "You write for half a turn: half of the cards, and then for the rest of them.",
        "turn": "You write for a whole turn of cards.",
        "beat": "You write for as many cards as there are Programs standing.",
        "card": "You write for one card at a time.",
    }),
    _option("hold", "T-a", {
        "2": "Nobody holds more than two cards.",
        "3": "Nobody holds more than three cards.",
        "1": "Nobody holds more than one card.",
    }),
    _number(
        "closing", "T-hh", 6, "From turn {} on all walls come in by an inch before each turn.", "The walls stay put."
    ),
    _option("sizes", "T-b", {
        "2x6": "A Disc flies 8 inches at a time: 6, and the 2 of its Marker.",
        "4x8": "A Disc flies 12 inches at a time: 8, and the 4 of its Marker.",
    }),
    _option("dirs", "T-p", {
        "8": "The direction die has eight sides, N, NE, E and so on.",
        "6": "The direction die has six sides, 0, 60, 120 degrees and so on.",
        "16": "The direction die has sixteen sides, N, NNE, NE and so on.",
        "any": "The direction die has a side for each of 360 degrees.",
        "owner": "There is no direction die: a Disc is sent back to its owner.",
    }),
    _option("walls", "T-q", {
        "reflect": "Discs come off walls at the angle at which they met them.",
        "die": "Discs lie where they meet a wall, as the direction die says.",
    }),
    _option("passage", "T-oo", {
        "once": "A Disc that you let by cannot cross you again until it has left your Base.",
        "each": "A Disc that you let by crosses you again with its next flight, if it is still there.",
    }),
    _option("dive_attack", "T-f", {
        "no": "Without a card nobody escapes an Attack.",
        "yes": "Without a card you escape an Attack by falling Prone.",
    }),
    _option("ghost_cards", "T-e", {
        "move": "While the Disc of a De-Rezzed Program flies, its cards stay in the deck and move all Discs.",
        "remove": "The cards of a De-Rezzed Program leave the deck at once.",
    }),
    _option("friendly_fire", "T-cc", {
        "yes": "Discs and Attacks strike team mates too.",
        "no": "Neither Discs nor Attacks strike team mates.",
    }),
    _option("stack", "T-y", {
        "no": "Programs stay 2 inches apart from middle to middle.",
        "yes": "Programs may move as near to each other as they like.",
    }),
    _option("stall", "T-hh", {
        "force": "After a turn without an action every card of the next one has to be used for one.",
        "free": "Nobody is ever forced to use a card.",
    }),
    _number(
        "lull", "T-ab", 20, "After {} turns in a row in which nobody is De-Rezzed it is a draw.",
        "It goes on for as long as it takes, even if nobody is De-Rezzed.",
    ),
    _option("setup", "T-ff", {
        "even": "Programs begin evenly around the middle; the dice say who begins where.",
        "choose": "You choose where you begin, in an order that the dice draw.",
    }),
    _number(
        "teams", "T-yy", 0, "There are {} teams.", "Everyone is alone.",
        expects="how many teams there are, such as 2, or 0. Seats are dealt into them in turn, unless teams_by says "
        "otherwise; once the game has begun its moderator can say otherwise: set team of NAME",
    ),
    _option("teams_by", "T-yy", {
        "seats": "Where there are teams, seats are dealt into them in turn.",
        "dice": "The dice say who is on which team.",
        "choice": "You say with whom you want to be on a team, and the dice say the rest.",
    }),
    _option("team_talk", "T-yy", {
        "no": "Nobody is shown the lines of team mates.",
        "yes": "Team mates are shown each other's lines when the cards have been turned.",
    }),
)  # fmt: skip

PRESETS: tuple[Preset, ...] = (
    Preset(
        name="attack",
        says="on a smaller Grid nobody holds more than one card, so that waiting does not pay; for two to six",
        house={"hold": "1", "grid": "20"},
    ),
)

DEFAULTS = {option.name: option.default for option in OPTIONS}


def clash(house: Mapping[str, str], seats: int) -> tuple[str, str] | None:
    """
    Return the first house rule that clashes with others or with the seats, and why, or None.

    Rule: D2, D3, T-ww, T-yy.
    """
    whole = {**DEFAULTS, **house}
    side, teams = int(whole["grid"]), int(whole["teams"])
    if not SMALLEST <= side <= LARGEST:
        return "grid", f"a Grid has sides of {SMALLEST} to {LARGEST} inches, such as --house grid=24"
    if not fits(side, seats):
        room = next(other for other in range(side, LARGEST + 1) if fits(other, seats))
        return (
            "grid",
            f"{side} inches have no room for {seats} Programs with a Base between them. Say grid={room} or more",
        )
    if teams == 1:
        return "teams", "one team has nobody to fight. Say how many teams there are, or 0 for everyone alone"
    if teams and not _are_teams(teams, seats):
        some = [str(count) for count in range(2, seats) if _are_teams(count, seats)]
        instead = f"teams={phrases.listed(some)}" if some else f"at least {2 * TEAM[0]} seats"
        least, most = seats // teams, -(-seats // teams)
        sizes = f"{least} to {most}" if least != most else str(most)
        because = f"{seats} seats would make {teams} teams of {sizes}, and a team has {TEAM[0]} to {TEAM[-1]} Programs"
        return "teams", f"{because}. Say {instead}, or 0 for everyone alone"
    for name in ("team_talk", "teams_by"):
        if not teams and whole[name] != DEFAULTS[name]:
            return name, "there are no teams. Say how many, as in teams=2, or leave it out"
    return None


def _are_teams(teams: int, seats: int) -> bool:
    """Say whether seats that are dealt into so many teams make teams of the size that they have. Rule: T-yy."""
    return seats // teams in TEAM and -(-seats // teams) in TEAM
