"""The house: floors import downwards, wings keep apart, pure rooms have no doors, no game's name leaks."""

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2 import nodes

from pbem.hall.mail.outgoing.views import ArenaView
from pbem.hall.mail.outgoing.wording import PARTS
from pbem.table.clock.views import BaseView

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pbem"
FILES = sorted(PACKAGE.rglob("*.py"))
PURE = ("ground", "language", "speech", "table", "simulation", "letters", "rulesets", "game.py", "ruleset.py")
DOORS = {
    "os", "sys", "io", "pathlib", "socket", "subprocess", "random", "secrets", "time", "logging", "smtplib", "shutil",
    "tempfile", "sqlite3", "uuid", "threading",
}  # fmt: skip
ASKS = {"now", "today", "utcnow", "open", "print", "input", "getenv"}

FLOOR_2 = {"ground", "language", "speech", "game", "ruleset"}
MAY: dict[str, set[str]] = {
    "ground": {"ground"},
    "language": {"ground", "language"},
    "speech": {"ground", "language", "speech"},
    "game": {"ground", "language", "speech"},
    "ruleset": {"ground", "language", "speech", "game"},
    "table": FLOOR_2 | {"table"},
    "simulation": FLOOR_2,
    "letters": FLOOR_2 | {"letters"},
    "world": FLOOR_2 | {"world"},
    "hall": FLOOR_2 | {"table", "simulation", "letters", "rulesets", "world", "hall"},
    "daemon": FLOOR_2 | {"hall", "world"},
    "demo": FLOOR_2 | {"hall", "world", "letters", "daemon", "demo"},
    "cli": FLOOR_2 | {"hall", "world", "daemon", "demo", "cli"},
    "testing": FLOOR_2 | {"hall", "table", "letters", "world", "cli", "testing"},
    "__main__": {"ground", "cli"},
    "__init__": set(),
}

FLOORS: dict[str, tuple[str, ...]] = {
    "hall": ("__init__", "store", "chat", "mail", "site", "sweep", "commands", "keeping"),
    "hall/chat": ("__init__", "messages", "saying"),
    "hall/site": ("__init__", "guard", "panels", "told", "deadlines", "law", "pages", "build"),
    "hall/store": (
        "__init__", "append_only", "letters", "pausing", "tokens", "catalogue", "people", "ledger", "game_folder", "published", "edits", "arena",
    ),
    "hall/mail": ("__init__", "outgoing", "incoming"),
    "hall/mail/incoming": ("__init__", "unpack", "desk", "arrival", "checks"),
    "table": ("__init__", "model", "clock", "rulings", "requests", "fold", "incoming", "outgoing"),
    "table/model": ("__init__", "calendar", "coming_words", "coming", "likely", "charter", "sets", "table", "audience", "seating", "hands", "first_format", "threads"),
    "table/clock": ("__init__", "second_thought", "game_terms", "schedule", "views", "late"),
    "table/fold": (
        "__init__", "handing_on", "deputies", "journal", "closing", "following", "approving", "talking", "replay",
    ),
    "rulesets/brawl": (
        "state", "words", "order", "options", "facts", "sets", "language", "round", "figures", "absent", "shown", "happened", "changes",
        "charts", "bots", "cast", "game", "__init__",
    ),
    "rulesets/brawl/language": (
        "__init__", "words", "nouns", "meanings", "parts", "gist", "rounds", "drops", "legality", "reading",
    ),
    "rulesets/brawl/round": (
        "__init__", "rolling", "declarations", "answering", "silence", "choosing", "declaring", "old_turn", "asking", "dropping",
        "blows", "knocks", "ruled", "ending", "news", "farewell", "adjudication",
    ),
    "rulesets/discs": (
        "grid", "model", "sight", "language", "orders", "play", "shown", "facts", "amending", "changes", "bots", "cast", "game", "__init__",
    ),
    "rulesets/rumble": (
        "model", "effect", "genres", "house", "powers", "effects", "orders", "language", "round", "auction", "shown", "rehearsal",
        "bots", "changes", "facts", "game", "__init__",
    ),
    "rulesets/rumble/model": ("__init__", "rounding", "state", "order", "names"),
    "rulesets/rumble/house": ("__init__", "options", "presets"),
    "rulesets/rumble/orders": (
        "__init__", "conditions", "hero_names", "captions", "plans", "writing", "commands", "allocation", "shares",
        "said_twice", "no_effect_checks", "sets",
    ),
    "rulesets/rumble/auction": (
        "__init__", "silent_bids", "purses", "sales", "bid_reports", "wishes", "said_of_bids", "bids_gist", "tables", "bids", "won_powers", "dead_bidders", "power_lines", "power_layout", "made_powers", "inventing", "powers_phase",
        "amendments", "second_thoughts", "keeps", "closing",
    ),
    "rulesets/rumble/shown": ("__init__", "figures", "power_facts", "happened", "exhibits", "charts", "open_phase"),
    "rulesets/rumble/rehearsal": ("__init__", "examples", "trials", "explanations", "power_library", "guesses"),
    "rulesets/rumble/powers": ("__init__", "spelling", "archive", "language", "wording", "engine", "deck"),
}  # fmt: skip
"""The rooms of folders that have floors, by the folder's path under pbem/: files and folders, the lowest first."""


def room(path: Path) -> str:
    """Return the room of a file: its top folder, or its own name."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    """Return a file taken apart."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, dotted."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def at_fault(faults: Callable[[Path], Iterable[str]], paths: Sequence[Path] = FILES) -> dict[str, list[str]]:
    """Return the files that have faults, with these; one test looks at all files, since a test takes longer than that."""
    found = {str(path.relative_to(ROOT)): sorted(faults(path)) for path in paths}
    return {path: those for path, those in found.items() if those}


def test_every_room_imports_downwards_only() -> None:
    """What a file imports of ours is on a floor below it, or in its own wing."""

    def upwards(path: Path) -> set[str]:
        ours = {name.split(".")[1] for name in imports(path) if name.startswith("pbem.")}
        return ours - (MAY[room(path)] if room(path) != "rulesets" else {"ruleset", "rulesets"})

    assert at_fault(upwards) == {}


@pytest.mark.parametrize("folder", FLOORS)
def test_no_room_imports_one_of_a_higher_floor(folder: str) -> None:
    """In a folder that has floors, each of its files and folders has one, and imports only from those below."""
    floors = FLOORS[folder]
    package = f"pbem.{folder.replace('/', '.')}."
    inside = [path for path in FILES if path.is_relative_to(PACKAGE / folder)]
    rooms = {path: path.relative_to(PACKAGE / folder).parts[0].removesuffix(".py") for path in inside}
    assert set(rooms.values()) == set(floors)
    found = {
        (rooms[path], target if target in floors else "__init__")
        for path in inside
        for target in (name.removeprefix(package).split(".")[0] for name in imports(path) if name.startswith(package))
    }
    assert [f"{low} imports {high}" for low, high in sorted(found) if floors.index(low) < floors.index(high)] == []


def test_a_ruleset_imports_no_other_ruleset() -> None:
    """Deleting one ruleset's folder breaks no other."""

    def others(path: Path) -> set[str]:
        here = path.relative_to(PACKAGE).parts[1]
        return {name.split(".")[2] for name in imports(path) if name.startswith("pbem.rulesets.")} - {here}

    assert at_fault(others, [path for path in FILES if room(path) == "rulesets"]) == {}


def test_pure_rooms_have_no_doors() -> None:
    """No clock, disk, network or chance in the core: neither the modules nor the calls."""

    def doors(path: Path) -> set[str]:
        called = {
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Call)
        }
        return ({name.split(".")[0] for name in imports(path)} & DOORS) | (called & ASKS)

    assert at_fault(doors, [path for path in FILES if path.relative_to(PACKAGE).parts[0] in PURE]) == {}


def test_the_first_line_says_what_the_room_is_for() -> None:
    """Line one of each file is one sentence in a docstring."""

    def silent(path: Path) -> list[str]:
        first, second, *_ = [*path.read_text(encoding="utf-8").split("\n", 2), ""]
        is_said = first.startswith('"""') and len(first.rstrip()) >= 20
        return [] if is_said or (first == '"""' and second.endswith(".")) else [first]

    assert at_fault(silent) == {}


def test_there_is_no_circle_among_the_files() -> None:
    """No file imports itself by way of others."""
    known = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
    graph = {
        name: {
            target
            for found in imports(path)
            for target in (found, found.rpartition(".")[0])
            if target in known and target != name
        }
        for name, path in known.items()
    }
    packages = {name for name, path in known.items() if path.name == "__init__.py"}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, f"circle: {' -> '.join((*way[way.index(name) :], name))}"
        if name not in done:
            for target in sorted(graph[name] - packages):
                visit(target, (*way, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_no_game_is_named_outside_its_folder() -> None:
    """`pbem/` outside `rulesets/` knows no ruleset by name."""
    names = [path.name for path in (PACKAGE / "rulesets").iterdir() if path.is_dir() and path.name != "__pycache__"]
    for path in FILES:
        if room(path) == "rulesets":
            continue
        text = path.read_text(encoding="utf-8").lower()
        assert not [name for name in names if name in text], path


WORDED = [
    path
    for path in sorted((ROOT / "templates").rglob("*.j2"))
    if path.name != "news.j2" and path.parent.name not in ("site", "html")
]
"""Templates whose lines are sent as they stand; what a report leads with is wrapped where it is used."""


def test_no_plain_line_of_a_letter_is_wider_than_it_may_be() -> None:
    """What a template says as it stands has 56 columns at most; what it makes is wrapped as it is made."""

    def wide(path: Path) -> list[str]:
        made = re.compile(r"{[{%#].*?[}%#]}", re.DOTALL)
        outside = made.sub(lambda match: "\n" * match[0].count("\n"), path.read_text(encoding="utf-8"))
        return [line for line in outside.split("\n") if len(line) > 56]

    assert at_fault(wide, WORDED) == {}


def test_no_template_imports_what_it_does_not_use() -> None:
    """Nor imports another with its own facts, which builds that one anew each time; only pages do."""
    words = jinja2.Environment(extensions=["jinja2.ext.do"])

    def in_vain(path: Path) -> list[str]:
        tree = words.parse(path.read_text(encoding="utf-8"))
        used = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "load"}
        is_page = path.parent.name == "site"
        return [
            one.target
            for one in tree.find_all(nodes.Import)
            if one.target not in used or (one.with_context and not is_page)
        ]

    assert at_fault(in_vain, sorted((ROOT / "templates").rglob("*.j2"))) == {}


def below(view: type[Any]) -> list[type[Any]]:
    """Return a class with all that derive from it."""
    return [view, *(other for one in view.__subclasses__() for other in below(one))]


def test_no_part_of_a_ruleset_takes_the_place_of_a_fact_of_a_letter() -> None:
    """Both go into a letter by name; the part wins, so a field of that name would be lost without a word."""
    views = below(BaseView)
    assert len(views) > 30
    clashes = {f"{view.__name__}.{field}" for view in views for field in view.__struct_fields__ if field in PARTS}
    assert not clashes


def test_each_letter_has_its_view() -> None:
    """And each view its template; what is no letter by itself stands in others."""
    seen = {view.template for base in (BaseView, ArenaView) for view in below(base)[1:] if hasattr(view, "template")}
    shared = {"echo_body", "pieces", "public", "rulings"}
    assert seen == {file.stem for file in (ROOT / "templates").glob("*.j2")} - shared
