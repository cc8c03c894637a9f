"""Reads case files: scenes in order language, with what is expected of them; knows no game."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec


class Step(msgspec.Struct):
    """
    One phase of a scene: what everybody sent, what was ruled, what is expected.

    Shape: `answers` are what seats write who are asked something in its middle, each for the next time that it is;
    `at_proof` is ruled by somebody who has seen the orders.
    """

    orders: dict[str, list[str]] = {}
    answers: list[tuple[str, list[str]]] = []
    rulings: list[str] = []
    at_proof: list[str] = []
    expect: list[str] = []


class Scene(msgspec.Struct):
    """One case: the rules it is about, a title, the house, what is given, and its steps."""

    file: str
    line: int
    rules: tuple[str, ...]
    title: str
    house: dict[str, str] = {}
    given: list[str] = []
    steps: list[Step] = []
    text: str = ""

    @property
    def name(self) -> str:
        """Return what pytest calls it."""
        return f"{self.file}:{self.line} {' '.join(self.rules)} {self.title}"


NUMBER = r"[A-Z]{1,2}(?:-[a-z]{1,2}|-?[0-9][0-9.]*[a-z]?)"
"""What a rule's number looks like: R5, C31, K-qq, BK12."""
_HEAD = re.compile(rf"case ((?:{NUMBER}(?:, | )?)+)\s+(\S.*)$")


def scenes(folder: Path) -> Iterator[Scene]:
    """Yield every scene of a folder's case files."""
    for path in sorted(folder.glob("*.case")):
        yield from read(path.read_text(encoding="utf-8"), path.name)


def read(text: str, file: str) -> Iterator[Scene]:
    """
    Read a case file.

    Shape: a line at the margin opens a part (`case`, `house`, `given`, `orders SEAT`, `answers SEAT`, `rulings`,
    `at the proof`, `expect`), the lines under it are indented; `orders` or `rulings` after `expect` open the next
    phase. A `#` at the margin is a comment. A `house` line before the first case is of every case in the file.
    """
    scene: Scene | None = None
    every: dict[str, str] = {}
    part: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#") or (not line.strip() and scene is None):
            continue
        head = _HEAD.match(line)
        if head:
            if scene:
                yield scene
            scene = Scene(file, number, tuple(re.split(r"[, ]+", head[1].strip())), head[2].strip(), steps=[Step()])
            scene.house.update(every)
        elif scene is None and line.startswith("house "):
            name, _, value = line.removeprefix("house ").partition(" = ")
            every[name] = value
            continue
        assert scene, f"{file}:{number}: a case begins with: case RULE title"
        scene.text += line + "\n"
        if line.startswith(" ") or not line.strip():
            part.append(line[2:])
        elif not head:
            part = _part(scene, line, f"{file}:{number}")
    if scene:
        yield scene


def _part(scene: Scene, line: str, place: str) -> list[str]:
    """Open the part that a line at the margin names, and return the list its lines go to."""
    word, _, rest = line.partition(" ")
    step = scene.steps[-1]
    if word in ("orders", "rulings") and step.expect:
        step = Step()
        scene.steps.append(step)
    match word:
        case "house":
            name, _, value = rest.partition(" = ")
            scene.house[name] = value
            return []
        case "given":
            return scene.given
        case "orders":
            return step.orders.setdefault(rest, [])
        case "answers":
            step.answers.append((rest, []))
            return step.answers[-1][1]
        case "rulings":
            return step.rulings
        case "at" if rest == "the proof":
            return step.at_proof
        case "expect":
            return step.expect
        case _:
            raise AssertionError(f'{place}: no part of a case is called "{word}"')
