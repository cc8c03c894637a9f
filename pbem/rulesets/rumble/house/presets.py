"""Named sets of house rules and terms for the kinds of games that people play; knows no rule but by its option."""

from pbem.ruleset import Preset

PRESETS: tuple[Preset, ...] = (
    Preset(
        name="classic",
        says="the rules of 2003, with open bids, the tied bid again until they no longer tie, who wrote ask me may "
        "answer when all orders lie open, and nothing happens by itself where nobody is hurt; so it is where nobody "
        "says otherwise",
        house={"bids": "open", "ties": "rebid", "stalemate": "told", "reveal_phase": "on_request"},
    ),
    Preset(
        name="print-and-play",
        says="what the Print and Play of 2021 says where it leaves a choice: the texts of the pool are gone over and "
        "amended before anybody bids, the tied bid again until they no longer tie, nothing saves whoever bids too "
        "much, a Flaw on which everyone bids 0 goes to everyone, and who wrote ask me has 24 hours to answer when all "
        "orders lie open",
        house={
            "ties": "rebid",
            "overbid_rescue": "no",
            "flaw_all_zero": "copies",
            "reveal_phase": "on_request",
            "maybe_discard": "waits",
            "amendments": "yes",
        },
        rules={"reveal": "24h after opening", "keep": "24h after opening"},
    ),
    Preset(
        name="blognomic",
        says="open bids, the tied bid again until they no longer tie, all talk in public, nobody resigns, and the "
        "absent put all Energy into Defence",
        house={"bids": "open", "ties": "rebid", "resign": "no", "nmr": "defend"},
        terms={"press": "public"},
    ),
    Preset(
        name="long-distance",
        says="72 hours a phase and no deadline at a weekend, each phase open until its deadline, and ties settled by "
        "replacement bids before anybody has to bid again; what you send for a round stands for later rounds too, and "
        "nobody is asked at the reveal",
        house={"ties": "rebid_once", "reveal_phase": "never"},
        terms={"close": "at deadline", "standing": ("round",)},
        rules={"default": "72h after opening, not on Sat Sun"},
    ),
)
