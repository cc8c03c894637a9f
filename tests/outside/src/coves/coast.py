"""The coast, what a ship can do along it, and the state of a hunt."""

import msgspec

from pbem.ruleset import Placed, Seat

COVES = ("Anchor", "Bell", "Crab", "Drift", "Ember", "Fog", "Gull", "Heron")
WINDS = {"east": 1, "west": -1}


class Order(Placed, frozen=True, eq=False):
    """What a ship does in a day: so many coves to the east, or to the west if it is less than 0; or it digs."""

    coves: int = 0
    digs: bool = False


class Sea(msgspec.Struct, frozen=True):
    """Who lies where, what they have learnt, the treasure, and the wind; `clues` are coves with their distance from it."""

    names: dict[Seat, str]
    place: dict[Seat, str]
    clues: dict[Seat, dict[str, int]]
    treasure: str
    wind: str
    house: dict[str, str]
    day: int = 1
