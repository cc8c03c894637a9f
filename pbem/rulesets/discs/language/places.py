"""Reads a place by itself, for rulings that say where somebody is."""

from pbem.ruleset import Parses, Refused, cut
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.model.order import Place
from pbem.rulesets.discs.model.state import State

KNOWN = "a name, nearest, weakest, my disc, disc of NAME, centre, north wall, NE corner, a square (F4), inches (13.5,7)"


def read_place(state: State, said: str) -> Place | Refused:
    """
    Read a place.

    Errors: for what is none, with the places that there are; for a point or square that the Grid has not. Rule: D2, M3.
    """
    tables = language(state, "")
    found = Parses(tables, cut(said, tables.names)).whole("place")
    if len(found) == 1 and isinstance(found[0], Place | Refused):
        return found[0]
    fault = "ambiguous" if found else "unreadable"
    return Refused(fault, f'"{said}" is no place that I know. Places are {KNOWN}.', "M3")  # type: ignore[arg-type]
