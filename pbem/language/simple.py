"""Tables of a game whose orders stand by themselves: what is around them is given, only the orders are the game's."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from pbem.language.nouns import Reason, Stranger
from pbem.language.parses import Language, Meaning, Noun, one_word_names
from pbem.language.shapes import Shapes, TableError
from pbem.language.words import FRAME_WORDS, FRAMES, WordClasses, table

_AROUND = table("pbem.language", "tables/simple.shapes")


class SimpleTables:
    """
    The words and shapes of such a game.

    Shape: `words` are lines such as `SAIL sail sails go`, `shapes` such as `order.sail: SAIL way:way [number:number]`;
    the first shape of each act is how we write it. `nouns` are the kinds of slots that the game fills.
    """

    def __init__(self, words: str, shapes: str, nouns: Collection[str] = ()) -> None:
        """Check the tables, so that a slip in one is seen as the game is loaded."""
        self.words = WordClasses(words, FRAME_WORDS)
        self.shapes = Shapes(shapes, f"{_AROUND}\n{FRAMES}")
        self.shapes.check(self.words, (*nouns, "stranger", "reason"))
        self.nouns = tuple(nouns)

    def language(
        self,
        acts: Mapping[str, Callable[..., Meaning | None]],
        nouns: Mapping[str, Noun],
        *,
        values: Mapping[str, Meaning] | None = None,
        names: Collection[str] = (),
        parts: Mapping[str, Callable[[Any], Mapping[str, Any] | None]] | None = None,
        **more: Any,
    ) -> Language:
        """
        Return what may be written.

        Errors: `TableError` for an act that no shape has, and a kind of slot that nothing fills.
        Shape: `acts` make an order of the slots of a shape, by the act's name, and `parts` the slots of an order, which
        a record whose fields are the slots needs not; `values` are the meanings of acts without slots. `names` are
        those that may stand in orders; `more` are other fields of a `Language`, such as `samples` and `rules`.
        """
        fixed = dict(values or {})
        acts_of_shapes = {shape.act or shape.kind for shape in self.shapes.all}
        if odd := sorted({*acts, *fixed, *(parts or {})} - acts_of_shapes):
            raise TableError(f"No shape has the act {odd[0]}.")
        if odd := sorted(set(self.nouns) - set(nouns)):
            raise TableError(f"Nothing fills slots of the kind {odd[0]}.")
        known: dict[str, Noun] = dict(nouns)
        found = Language(
            words=self.words,
            shapes=self.shapes,
            nouns=known,
            acts={**_ACTS, **{act: partial(_same, value) for act, value in fixed.items()}, **acts},
            parts={**{act: partial(_is_same, value) for act, value in fixed.items()}, **(parts or {})},
            names=one_word_names(frozenset(names), self.words, self.shapes),
            **more,
        )
        known |= {
            "stranger": Stranger(lambda: found.known),
            "reason": Reason(lambda: found),
        }
        return found


def _same(value: Meaning) -> Meaning:
    return value


def _is_same(value: Meaning, meant: Any) -> Mapping[str, Any] | None:
    return {} if meant == value and isinstance(meant, type(value)) else None


_ACTS: Mapping[str, Callable[..., Meaning | None]] = {
    "acts": lambda more: tuple(order for orders in more for order in orders),
    "alone": lambda order, why="": (order,),
}
