"""A report in another dress, for the terminal: as a page, or as text to paste into a forum."""

from pathlib import Path
from typing import Literal, TypeAlias

from pbem.hall.commands import replay_check
from pbem.hall.site import pages, told
from pbem.hall.site.guard import Guard
from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters import rendering
from pbem.letters.dresses import forum
from pbem.world.shelf import Shelf

Dress: TypeAlias = Literal["text", "html", "markdown", "bbcode"]


def report(folder: Path, number: int, text: str, dress: Dress, seed: bytes | None) -> str:
    """
    Return a phase's public report, which is a text, in a dress.

    Shape: `seed` is needed while a game runs; a finished one has it in its journal.
    Errors: ShelfError or CharterError where a file of the game cannot be read.
    """
    if dress == "text":
        return text
    if dress in ("markdown", "bbcode"):
        title = f"{folder.name}, {told.title_of(text)}"
        return forum.markdown(title, text) if dress == "markdown" else forum.bbcode(title, text)
    rulesets, shelf, place = rulesets_known(), Shelf(folder.parent), (folder.name,)
    templates = words_of(rulesets.values())
    seed = seed or replay_check.opened_seed(shelf, place)
    game = told.read(shelf, place, rulesets, seed, rendering.environment(templates, "marked"))
    phase = next(one for one in game.phases if one.number == number)
    return pages.Pages(templates, Guard(), "Play by mail").alone(game, phase)
