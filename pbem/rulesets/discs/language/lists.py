"""What may be written in a list: the tables, what can be named as the game stands, and the lines that it means."""

from functools import partial

import msgspec

from pbem.ruleset import Language, Names, Noun, Numbers, Reason, Stranger, Whose, one_word_names
from pbem.rulesets.discs.language.gist import gist_of
from pbem.rulesets.discs.language.meanings import ACTS
from pbem.rulesets.discs.language.names import begun, written
from pbem.rulesets.discs.language.nouns import Bearings, Corners, Lengths, Ordinals, Points, Short, Spans, Squares
from pbem.rulesets.discs.language.parts import PARTS
from pbem.rulesets.discs.language.words import SHAPES, WORDS
from pbem.rulesets.discs.model.state import State

SAMPLES = {
    "number": "1", "inches": "12", "name": "NAME", "whose": "NAME's", "square": "F4", "point": "13.5,7",
    "bearing": "135", "compass": "NE", "place": "NAME", "tests": "NAME within 12", "ordinal": "2nd",
    "test": "NAME within 12",
}  # fmt: skip
"""What examples have in a slot."""
RULES = {
    "throw": "D14", "attack": "D8", "move": "D12", "hold": "D4", "pass": "T-c", "stand": "D13", "carded": "M2",
    "bound": "M5", "test": "M5", "place": "M3", "bearing": "M4", "on_disc": "M8", "on_attack": "M8", "catch": "M8",
    "recall": "D19", "begin": "T-ff", "with": "T-yy",
}  # fmt: skip
"""The rules that are cited for what could not be read."""
UNSHOWN = frozenset(
    (
        "begun", "cards", "both", "nearby", "holding", "which", "having", "wait", "flat", "unblocked", "him", "me",
        "some", "range", "sequence", "rows", "no_line", "unsure", "bare", "carded",
        "somebody", "shared", "instead", "fetch", "hanging", "kept",
    )
)  # fmt: skip
"""The acts that are no examples."""


def language(state: State, seat: str) -> Language:
    """Return what a seat may write as the game stands."""
    names = {str(one.seat): one.name for one in state.programs}
    said = {key: written(state, key) for key in names}
    others = frozenset(str(one.seat) for one in state.others(seat))
    programs = Names(names, said, rather=others, thing="Program")
    nouns: dict[str, Noun] = {
        "number": Numbers(),
        "ordinal": Ordinals(),
        "span": Spans(),
        "short": Short(),
        "inches": Lengths(),
        "bearing": Bearings(),
        "compass": Corners(),
        "square": Squares(partial(begun, state, seat)),
        "point": Points(int(state.house["grid"])),
        "name": programs,
        "whose": Whose(programs),
    }
    found = Language(
        words=WORDS,
        shapes=SHAPES,
        nouns=nouns,
        acts=ACTS if state.phase == "place" else ACTS | {"begun": lambda place: None},
        parts=PARTS,
        names=one_word_names(frozenset((*names.values(), *said.values())), WORDS, SHAPES),
        samples=SAMPLES,
        unshown=UNSHOWN if state.phase == "place" else UNSHOWN | {"begin", "with"},
        rules=RULES,
        joining=frozenset(("ON", "WITH", "THE", "I", "OTHER", "OTHER_CARDS", "EACH_CARD")),
        things=frozenset(("name", "bearing", "square", "point", "compass")),
        deeds=("done", "free"),
    )
    found = msgspec.structs.replace(found, gist=gist_of(found, state, seat), has_amounts=False)
    nouns |= {
        "stranger": Stranger(lambda: found.known),
        "reason": Reason(lambda: found),
    }
    return found
