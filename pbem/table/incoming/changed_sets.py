"""Every set that a change leads to, of the one on hand; knows no game."""

import re
from collections.abc import Iterator, Sequence

from pbem.speech import change_forms
from pbem.speech.change_forms import Exchange, Give, Keep, Move, Out, Put, Shift, Spot, Stay, Way
from pbem.table.incoming.set_on_hand import ARTICLE, Reader, Slots, Unit, has_no_other_number, parts, places_of


def results(reader: Reader, text: str, adds: str, slots: Slots) -> list[Slots]:
    """Return all sets that a change can lead to, each once; `adds` are the orders that its text adds, if it does."""
    if adds:
        reader.has_added = True
        units = reader.read_behind(slots, adds)
        if not units:
            return []
        is_there = any(unit in slots for unit in units)  # said again, or wanted twice
        return [(*slots, *units), *[slots] * is_there]
    made = (after for way in change_forms.ways(text) for after in _made(reader, way, slots))
    stays = any(isinstance(way, Stay) for way in change_forms.ways(text))
    found = list(dict.fromkeys(after for after in made if after != slots or reader.is_asked or stays))
    return found or _by_pieces(reader, text, slots)


def _by_pieces(reader: Reader, text: str, slots: Slots) -> list[Slots]:
    """Return the set that the pieces of a line lead to, one after the other; none unless each leads to one."""
    pieces = change_forms.pieces(text)
    for piece in pieces:
        added = change_forms.added(piece)
        found = results(reader, piece, reader.adding(added) if added else "", slots)
        if len(found) != 1:
            return []
        slots = found[0]
    return [slots] if pieces else []


def _made(reader: Reader, way: Way, slots: Slots) -> Iterator[Slots]:
    match way:
        case Out():
            yield from _without(reader, way, slots)
        case Put() if (numbers := Out(way.old).numbers) and not Out(way.old).is_bare:
            places = places_of(reader, numbers[0]) if len(numbers) == 1 and not reader.has_added else ()
            units = reader.read(way.new)
            if places and all(slots[place] for place in places) and units:
                rest = [() if place in places else unit for place, unit in enumerate(slots)]
                yield (*rest[: places[0]], *units, *rest[places[0] + 1 :])
        case Put():
            fit = [not way.is_told or (bool(unit) and reader.says_deed(way.where, unit)) for unit in slots]
            found = [
                (shares, (*slots[:place], *units, *slots[place + 1 :]))
                for place, unit in enumerate(slots)
                if fit[place]
                for shares, units in (_put(reader, way, unit) if unit and _is_where(reader, way, place) else ())
                if not set(units) & set(slots[:place] + slots[place + 1 :])
            ]
            best = max((shares for shares, _ in found), default=False)
            yield from (after for shares, after in found if shares == best)
        case Keep(""):
            yield tuple(() for _ in slots)
        case Keep():
            kept = _named_together(reader, way.what, slots)
            if kept:
                yield tuple(unit if place in kept else () for place, unit in enumerate(slots))
        case Stay():
            if _named_together(reader, way.what, slots):
                yield slots
        case Exchange():
            yield from _exchanged(reader, way, slots)
        case Move():
            yield from _moved(reader, way, slots)
        case Give():
            yield from _given(reader, way, slots)
        case Shift():
            for place, unit in enumerate(slots):
                for one in _shifted(reader, way, unit) if len(unit) == 1 else ():
                    yield (*slots[:place], one, *slots[place + 1 :])


def _without(reader: Reader, way: Out, slots: Slots) -> Iterator[Slots]:
    """Take orders out by their numbers, or the one that words name."""
    verb = way.verb.partition(" ")[0]
    begins_orders = reader.table.begins_order(verb)
    if begins_orders and (way.is_bare or not (way.numbers or ARTICLE.match(way.what))):
        return
    if way.numbers:
        is_known = way.verb and not reader.has_added  # else it may be a line of the mail
        rows = [places_of(reader, number) for number in way.numbers] if is_known else [()]
        if not all(places and all(slots[place] for place in places) for places in rows):
            return
        gone = {place for places in rows for place in places}
        yield tuple(() if place in gone else unit for place, unit in enumerate(slots))
    if (way.numbers and not way.is_bare) or not (way.numbers or re.search(r"[^\W\d]", way.what)):
        return
    named = [place for place, unit in enumerate(slots) if unit and reader.names(way.what, unit)]
    if change_forms.is_hard(way.verb):  # as in a fight: stop that Bo
        named = [place for place in named if reader.says_deed(way.what, slots[place])]
    whole = [place for place in named if change_forms.words(" ".join(slots[place])) == change_forms.words(way.what)]
    for place in whole or ([] if change_forms.begins_on(way.what) else named):
        yield (*slots[:place], (), *slots[place + 1 :])


def _which(reader: Reader, what: str, slots: Slots) -> tuple[int, ...]:
    """Return the orders that words may name, by a number of the letter or by what stands in them."""
    if numbers := Out(what).numbers:
        rows = [places_of(reader, number) for number in numbers] if not reader.has_added else [()]
        is_known = all(places and all(slots[place] for place in places) for places in rows)
        return tuple(place for places in rows for place in places) if is_known else ()
    if not re.search(r"[^\W\d]", what):
        return ()
    named = tuple(place for place, unit in enumerate(slots) if unit and reader.names(what, unit))
    whole = tuple(one for one in named if change_forms.words(" ".join(slots[one])) == change_forms.words(what))
    return whole or named


def _named_together(reader: Reader, what: str, slots: Slots) -> frozenset[int]:
    """Return the orders that words name one by one, each clearly: `1 and the laser`; none where any is not."""
    found: set[int] = set()
    for one in change_forms.each(what):
        places = _which(reader, one, slots)
        if not places or (len(places) != 1 and not Out(one).numbers):
            return frozenset()
        found.update(places)
    return frozenset(found)


def _exchanged(reader: Reader, way: Exchange, slots: Slots) -> Iterator[Slots]:
    """Yield the set with two lines in each other's place, or with two names in each other's place in every line."""
    one, other = (_which(reader, what, slots) for what in (way.one, way.other))
    if Out(way.one).numbers and Out(way.other).numbers and len(one) == len(other) == 1:
        places = {one[0]: other[0], other[0]: one[0]}
        yield tuple(slots[places.get(place, place)] for place in range(len(slots)))
        return
    first, second = (ARTICLE.sub("", what) for what in (way.one, way.other))
    made: list[Unit] = []
    for unit in slots:
        texts = [_with_names_exchanged(line, first, second) for line in unit]
        read = reader.read("\n".join(texts)) if texts != list(unit) else (unit,)
        if len(read) != 1:
            return
        made.append(read[0])
    is_both = all(any(_has_phrase(" ".join(unit), name) for unit in slots) for name in (first, second))
    if tuple(made) != slots and is_both:
        yield tuple(made)


def _has_phrase(line: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line, re.IGNORECASE) is not None


def _with_names_exchanged(line: str, first: str, second: str) -> str:
    """Put each of two names of a line in place of the other."""
    either = rf"(?<!\w)(?:({re.escape(first)})|{re.escape(second)})(?!\w)"
    return re.sub(either, lambda found: second if found[1] else first, line, flags=re.IGNORECASE)


def _moved(reader: Reader, way: Move, slots: Slots) -> Iterator[Slots]:
    """Yield the set with an order in another place of it, or with a new one there; where the order of lines counts."""
    if not reader.table.ruleset.is_in_order(reader.table.state):
        return
    places = _which(reader, way.what, slots)
    new = () if places else reader.read(way.what)
    if len(places) > 1 or not (places or new):
        return
    units = tuple(slots[place] for place in places) or new
    rest = [unit for place, unit in enumerate(slots) if place not in places]
    at = _spot(reader, way.to, slots, rest)
    if at is not None:
        yield (*rest[:at], *units, *rest[at:])


def _spot(reader: Reader, to: Spot, slots: Slots, rest: Sequence[Unit]) -> int | None:
    """Return before which of the other orders a place is, None where that is not clear."""
    match to.how:
        case "top":
            return 0
        case "end":
            return len(rest)
        case "nth":
            return to.n - 1 if 0 < to.n <= len(rest) + 1 else None
    named = _which(reader, to.what, slots)
    if len(named) != 1 or slots[named[0]] not in rest:
        return None
    return rest.index(slots[named[0]]) + (to.how == "after")


def _given(reader: Reader, way: Give, slots: Slots) -> Iterator[Slots]:
    """Yield the set with so much of one order in another, or in a new one that the words for it make."""
    sources = _which(reader, way.source, slots)
    for source in sources if len(sources) == 1 and len(slots[sources[0]]) == 1 else ():
        numbers = [int(word) for word in slots[source][0].split() if word.isdecimal()]
        by = way.by or (numbers[-1] if len(numbers) == 1 else 0)
        if not by:
            continue
        less = list(_shifted(reader, Shift("", -by), slots[source])) if way.by else [()]
        targets = [place for place in _which(reader, way.target, slots) if place != source]
        for left in less:
            cut = (*slots[:source], left, *slots[source + 1 :])
            for target in targets:
                for more in _shifted(reader, Shift("", by), slots[target]) if len(slots[target]) == 1 else ():
                    yield (*cut[:target], more, *cut[target + 1 :])
            if not targets:
                made = [unit for unit in reader.read(f"{by} on {way.target}") if unit not in cut]
                yield from [(*cut, *made)] if len(made) == 1 else ()


def _is_where(reader: Reader, way: Put, place: int) -> bool:
    """Say whether an order may be the one in which something is put, where that is said by its number."""
    numbers = Out(way.where).numbers if not Out(way.where).is_bare else ()
    return not numbers or place in places_of(reader, numbers[0])


def _put(reader: Reader, way: Put, unit: Unit) -> Iterator[tuple[bool, Slots]]:
    """
    Yield what an order becomes with new words in it, or in its place where those are whole orders.

    Shape: with it, whether the new words begin as the order does, which then is the one that is meant: `throw at Cy
    instead`. Where old words name it, that makes no difference.
    """
    is_numbered = bool(Out(way.where).numbers) and not Out(way.where).is_bare
    if way.where and not is_numbered and not reader.names(way.where, unit):
        return
    if re.search(r"[^\W\d]", way.old) and reader.names(way.old, unit) and (whole := reader.read(way.new)):
        yield from [(True, whole)] * has_no_other_number(whole, (way.new,))
    if len(unit) != 1:
        return
    tokens, said = unit[0].split(), way.new.split()
    for start, end in reader.spans(way.old, unit) if way.old else parts(len(tokens)):
        for count in range(len(said)):
            if count and not reader.begins(said[:count], tokens[:start], unit):
                break
            read = reader.read(" ".join((*tokens[:start], *said[count:], *tokens[end:])))
            is_said = len(read) == 1 == len(read[0]) and has_no_other_number(read, (*unit, way.new))
            if is_said and (way.old or _is_one_thing(unit[0], read[0][0])):
                yield bool(way.old) or count > 0, read


def _is_one_thing(before: str, after: str) -> bool:
    """Say whether two orders differ in one number, or in words and no number."""
    old, new = before.split(), after.split()
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if len(old) == len(new) == 1 and old[0].isdigit() and new[0].isdigit():
        return True
    return not any(word.isdigit() for word in (*old, *new))


def _shifted(reader: Reader, way: Shift, unit: Unit) -> Iterator[Unit]:
    """Yield an order with a number of it raised or lowered."""
    if way.where and not reader.names(way.where, unit):
        return
    tokens = unit[0].split()
    for at, token in enumerate(tokens):
        if token.isdecimal() and int(token) + way.by >= 0:
            read = reader.read(" ".join((*tokens[:at], str(int(token) + way.by), *tokens[at + 1 :])))
            if len(read) == 1:
                yield read[0]
