"""Orders in the words that we write ourselves: the first shape of each, from the same tables that read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem.language.parses import Language, Meaning
from pbem.language.shapes import Choice, Class, Element, Literal, Repeat, Shape, Slot


class UnwritableError(ValueError):
    """No first shape says what is meant; a fault of whoever wrote the table."""


def write(language: Language, meaning: Meaning, kind: str = "") -> str:
    """
    Write what is meant as we do, in the first shape of its act.

    Shape: what may be left out is left out, unless it holds a slot that has something to say.
    Errors: `UnwritableError` where no shape of the kind, which is that of one order, says this.
    """
    kind = kind or language.order
    text = _of_kind(language, kind, meaning)
    if text is None:
        raise UnwritableError(f"no shape of the kind {kind} says {meaning!r}")
    return text


def form(language: Language, shape: Shape, said: Sequence[tuple[str, str]] = ()) -> str:
    """
    Return a shape as an example of what may be written.

    Shape: `said` are texts for some of its slots, by the slots' names; in the others stand samples.
    """
    slots = _Slots({name: tuple(text for slot, text in said if slot == name) for name, _ in said})
    return _joined([*_form(language, shape.elements, slots)])


def examples(language: Language, most: int = 0) -> tuple[str, ...]:
    """
    Return an example of each order, in its first shape; of what is written as something else none.

    Shape: none at all where there are more than so many.
    """
    shapes = language.in_first_shapes.shapes.that_may_be(language.order)
    shown = [shape for shape in shapes if (shape.act or shape.kind) not in language.unshown]
    return () if 0 < most < len(shown) else tuple(dict.fromkeys(form(language, shape) for shape in shown))


def _form(language: Language, elements: Sequence[Element], slots: _Slots) -> Iterator[str]:
    for element in elements:
        match element:
            case Literal(text, as_written):
                yield as_written or text
            case Class(name):
                yield language.words.canonical(name)
            case Slot(name, kind):
                yield slots.take(name) or sample(language, kind)
            case Choice(options):
                chosen = next((one for one in options if slots.has(one)), options[0])
                yield from _form(language, chosen, slots)
            case Repeat(options):
                while chosen := next((one for one in options if slots.has(one)), ()):
                    yield from _form(language, chosen, slots)


def sample(language: Language, kind: str) -> str:
    """Return what may stand in a slot of a kind."""
    if kind in language.samples:
        return language.samples[kind]
    shapes = language.in_first_shapes.shapes.of.get(kind, ())
    return form(language, shapes[0]) if shapes else kind.upper()


def said_as(language: Language, kind: str, meaning: Meaning) -> str | None:
    """Write what fills a slot of a kind as we do; None where it is none."""
    return _of_kind(language, kind, meaning)


def _of_kind(language: Language, kind: str, meaning: Meaning) -> str | None:
    if kind in language.nouns and (said := language.nouns[kind].write(meaning)) is not None:
        return said
    for shape in language.in_first_shapes.shapes.of.get(kind, ()):
        slots = _parts(language, shape, meaning)
        said = None if slots is None else _sequence(language, shape.elements, _Slots(slots))
        if said is not None:
            return said
    return None


def _parts(language: Language, shape: Shape, meaning: Meaning) -> Mapping[str, Any] | None:
    """Return what fills the slots of a shape where it means this; None where it means something else."""
    name = shape.act or shape.kind
    if name in language.parts:
        return language.parts[name](meaning)
    act = language.acts.get(name)
    names = tuple(dict.fromkeys(slot.name for slot in _slots(shape.elements)))
    if isinstance(act, type) and issubclass(act, msgspec.Struct):
        return _fields(meaning, names) if isinstance(meaning, act) else None
    return {names[0]: meaning} if act is None and len(names) == 1 else None


def _fields(record: msgspec.Struct, names: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the fields of a record by name; None where one that has no slot says something."""
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        is_default = field.default is not msgspec.NODEFAULT and value == field.default
        if field.name not in names and not is_default:
            return None
    return {name: getattr(record, name) for name in names}


class _Slots:
    """What is left to be written of each slot."""

    def __init__(self, slots: Mapping[str, Any]) -> None:
        self.left = {name: list(value) if isinstance(value, tuple) else [value] for name, value in slots.items()}

    def take(self, name: str) -> Any:
        return self.left[name].pop(0) if self.left.get(name) else None

    def has(self, elements: Sequence[Element]) -> bool:
        """Say whether there is anything to say in some elements."""
        names = [slot.name for slot in _slots(elements)]
        return any(value is not None and value is not False for name in names for value in self.left.get(name, ())[:1])


def _sequence(language: Language, elements: Sequence[Element], slots: _Slots) -> str | None:
    """Write a sequence; None where one of its slots cannot be written."""
    pieces: list[str] = []
    for element in elements:
        match element:
            case Literal(text, written):
                pieces.append(written or text)
            case Class(name):
                pieces.append(language.words.canonical(name))
            case Slot(name, kind):
                piece = _of_kind(language, kind, slots.take(name))
                if piece is None:
                    return None
                pieces.append(piece)
            case Choice(options):
                chosen = next((one for one in options if slots.has(one)), options[0])
                piece = _sequence(language, chosen, slots)
                if piece is None:
                    return None
                pieces.append(piece)
            case Repeat(options):
                while any(slots.has(one) for one in options):
                    chosen = next(one for one in options if slots.has(one))
                    piece = _sequence(language, chosen, slots)
                    if piece is None:
                        return None
                    pieces.append(piece)
    return _joined(pieces)


def _joined(pieces: Sequence[str]) -> str:
    """Put pieces one behind another, marks close to what is before them."""
    text = ""
    for piece in pieces:
        is_close = not text or not piece or piece[0] in ",:;"
        text += piece if is_close else f" {piece}"
    return text


def _slots(elements: Sequence[Element]) -> Iterator[Slot]:
    for element in elements:
        if isinstance(element, Slot):
            yield element
        elif isinstance(element, Choice | Repeat):
            for option in element.options:
                yield from _slots(option)
