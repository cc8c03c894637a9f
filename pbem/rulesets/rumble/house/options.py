"""The house rules of Rumble, each with one sentence for the first letter; knows nothing of how they are played."""

from pbem.ruleset import Option
from pbem.rulesets.rumble.genres import genres_known

PLAIN = ' The plain words for it all ("attack", "defend") count too.'


def _option(
    name: str,
    rule: str,
    says: dict[str, str],
    missing_in: tuple[str, ...] = (),
    formerly: tuple[int, str] | None = None,
) -> Option:
    """Make an option whose first choice is the default; before some version of the rules it was another."""
    return Option(
        name=name,
        default=next(iter(says)),
        choices=tuple(says),
        says=says,
        rule=rule,
        missing_in=missing_in,
        also={theirs: value for value in says if (theirs := american(value)) != value},
        formerly=dict([formerly] if formerly else []),
    )


def american(word: str) -> str:
    """Spell a small word of ours as Americans do."""
    return word.replace("defence", "defense").replace("civilisation", "civilization")


OPTIONS: tuple[Option, ...] = (
    _option("must_allocate_all", "A1", {
        "no": "You need not allocate all of your Energy.",
        "yes": "All of your Energy must be allocated every round.",
    }),
    _option("left_over", "A1", {
        "defends": "Where whoever is silent defends, what your orders leave over goes into Defence too, "
        "unless you write idle on a line of its own.",
        "idle": "What your orders leave over is put nowhere, and stays yours.",
    }, formerly=(6, "idle")),
    _option("round", "A2", {
        "down": "Halves are rounded down.",
        "up": "Halves are rounded up.",
    }),
    _option("zero_attacks", "A5", {
        "no": "An Attack of 0 is no Attack.",
        "yes": "An Attack of 0 is an Attack, and carries what a power adds to it.",
    }),
    _option("last_fall", "A7", {
        "draw": "If the last heroes fall together, they share a draw.",
        "most_energy": "If the last heroes fall together, the one with the most Energy left wins.",
    }),
    _option("burn_is_damage", "A10", {
        "no": "Burning Energy is a loss, but not damage.",
        "yes": "Burning Energy counts as taking damage.",
    }),
    _option("block_default", "A12", {
        "smallest": "Your Defence blocks the smallest Attacks first, unless you say otherwise.",
        "pro_rata": "Your Defence is spread over all Attacks in proportion, unless you say otherwise.",
        "largest": "Your Defence blocks the largest Attacks first, unless you say otherwise.",
    }),
    _option("power_damage_blockable", "A13", {
        "yes": "Defence also stops damage from powers, unless it is unblockable.",
        "no": "Defence stops Attacks only; damage from powers goes past it.",
    }),
    _option("modifier_order", "A15", {
        "mul_add_set": "Powers multiply first, then add and take away, then set.",
        "add_mul_set": "Powers add and take away first, then multiply, then set.",
    }),
    _option("stalemate", "A20", {
        "told": "After three rounds in a row without any Energy lost the moderator is told, "
        "and may say how it goes on.",
        "fatigue": "From the third round in a row without any Energy lost, all lose 5, then 10, then 15.",
        "none": "Rounds without any Energy lost have no consequence.",
        "unused_defence_burn": "From the third round in a row without any Energy lost, "
        "Defence that blocked nothing is burnt.",
        "draw": "After three rounds in a row without any Energy lost, the game is a draw.",
    }, formerly=(4, "fatigue")),
    _option("nmr", "A21", {
        "defend": "Whoever sends no orders puts all Energy into Defence.",
        "hold": "Whoever sends no orders does nothing.",
        "random": "Whoever sends no orders attacks and defends as the dice say.",
    }, missing_in=("round",)),
    _option("resign", "A25", {
        "no": "Nobody may resign; the absent are dealt with as above.",
        "yes": "You may resign; your hero is then out at once.",
    }),
    _option("ties", "B2", {
        "rebid": "The tied bid again until they no longer tie; "
        "if none of them bids otherwise than before, a die decides.",
        "rebid_once": "Who is tied bids again, once each; if they tie again, a die decides.",
        "blind": "Who is tied bids again, once each, without being told against whom or what was bid; "
        "if they tie again, a die decides.",
        "shared": "The tied each get a copy, and each pay.",
        "random": "A die decides ties at once.",
    }, formerly=(4, "rebid_once")),
    _option("bids", "B4", {
        "open": "All bids are shown once they are in.",
        "leader": "Only the winning bid is shown.",
        "hidden": "Bids stay secret; only who won what is shown.",
    }),
    _option("overbid_rescue", "B5", {
        "no": "Nothing saves whoever bids too much.",
        "yes": "A power that saves its owner also does so at the auction.",
    }),
    _option("dead_bidder_powers", "B5", {
        "discard": "Powers of a hero whom the bids put out are discarded.",
        "next_bidder": "Powers of a hero whom the bids put out go to the next highest bidder.",
    }),
    _option("late_discard", "B6", {
        "yes": "Powers may be discarded at the auction and in any round.",
        "no": "Powers may be discarded at the auction only.",
    }),
    Option(
        name="nmr_bid", default="0", choices=(), rule="B9", missing_in=("auction",),
        says={"": "Whoever sends no bids bids {} on everything."},
    ),
    _option("flaw_all_zero", "B11", {
        "copies": "If everyone bids 0 on a Flaw, everyone gets a copy.",
        "discard": "If everyone bids 0 on a Flaw, it is discarded.",
    }),
    _option("maybe_discard", "N8", {
        "in_round": "A power that its winner said to discard perhaps can be discarded in the first round.",
        "waits": "The first round waits until winners have decided what they said to discard perhaps.",
    }),
    _option("sidekick_is_player", "A17", {
        "yes": "A power that speaks of players means every hero, Sidekicks too.",
        "no": "A power that speaks of players means those who play, and no Sidekick.",
    }),
    _option("orphan_effects", "A19", {
        "scheduled_only": "What a power has left for later rounds happens even if its hero is out by then.",
        "none": "What a power has left for later rounds is void once its hero is out.",
    }),
    _option("curse", "C6", {
        "winner_gives": "A Curse that says so is handed on by whoever wins it.",
        "keep": "A Curse stays with whoever wins it, even if it says that it is handed on.",
    }),
    _option("discount_min", "C12", {
        "0_then_1": "A power that makes others cheaper may bring the first payment of a round down to nothing.",
        "1": "A power that makes others cheaper brings no payment below 1.",
    }),
    _option("peb", "C11", {
        "winning": "The Energy bid on all powers is the sum of the winning bids.",
        "all": "The Energy bid on all powers is the sum of all bids, won or not.",
    }),
    _option("deck", "C10", {
        "archive": "A power drawn from the deck is one of the archive that is not in this game.",
        "unsold": "A power drawn from the deck is one of the pool that nobody won.",
    }),
    _option("amendments", "B18", {
        "no": "As soon as the pool is shown, all bid on it.",
        "yes": "Once the pool is shown you may amend the texts of what you invented; then all bid.",
    }),
    _option("pool", "C16", {
        "invented": "All powers of the pool are invented by you.",
        "dealt": "All powers of the pool are dealt from the printed set, two for each of you; nobody invents any.",
        "mixed": "You invent half of the pool; the other half is dealt from the printed set.",
    }),
    _option("tiers", "C16", {
        "all": "Where powers are dealt, they may be of any kind.",
        "intermediate": "Where powers are dealt, they are simple or intermediate ones.",
        "unsorted": "Where powers are dealt, they are simple ones.",
    }),
    _option("reveal_phase", "C2", {
        "on_request": "When all orders lie open, nobody is asked anything more, but who wrote ask me.",
        "always": "When all orders lie open, whoever has a power for that moment is asked.",
        "never": "When all orders lie open, nobody is asked anything more; conditions say it before.",
    }),
    _option("reveal_plans", "A27", {
        "no": "Plans and conditions that did not fire are never shown during the game.",
        "yes": "Plans and conditions are shown to all once the round is played.",
    }),
    _option("authors", "R17", {
        "told": "When the game is over all are told who invented which power, but for those who wrote unsigned.",
        "never": "Nobody is ever told who invented which power.",
    }, formerly=(5, "never")),
    _option("genre", "N14", {
        name: f"{genre.says}{'' if genre.is_neutral else PLAIN}" for name, genre in genres_known().items()
    }),
)  # fmt: skip

YOUNG = (
    "genre", "reveal_phase", "maybe_discard", "peb", "deck", "pool", "tiers", "orphan_effects", "curse", "discount_min",
    "sidekick_is_player", "amendments",
)  # fmt: skip
"""House rules that came later; their defaults are not noted, so that states are what they were before."""
DEFAULTS = {option.name: option.default for option in OPTIONS}
