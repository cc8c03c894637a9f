"""The parts of `docs/` that follow from the program, and the pins of a release; `python -m tests.reference` writes them."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

import click
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pbem import cli
from pbem.ground import records
from pbem.ground.terms import Seat
from pbem.hall.mail.incoming.checks import intake
from pbem.hall.store.catalogue import rulesets_known
from pbem.language import forms, weighing
from pbem.language.parses import Language
from pbem.ruleset import LibraryRuleset, Option, PresetRuleset, Ruleset
from pbem.table.fold import journal
from tests.laws.test_long_lines import open_table

DOCS = Path(__file__).parent.parent / "docs"
BEGIN, END = "<!-- made by python -m tests.reference -->\n", "<!-- end -->\n"


def ours() -> dict[str, Ruleset[Any, Any]]:
    """Return the rulesets of this repository by name; others may be installed beside it."""
    known = sorted(rulesets_known().items())
    return {name: ruleset for name, ruleset in known if type(ruleset).__module__.startswith("pbem.rulesets.")}


def commands() -> str:
    """Return a section for each command, in the order of `pbem --help`, and the exit codes."""
    top = click.Context(cli.pbem, info_name="pbem")
    names = [*cli.pbem.list_commands(top), *_offered()]
    sections = [section for name in names for section in _command(_found(top, name), top)]
    codes = [(str(code), meaning) for code, meaning in cli.EXIT_CODES.items()]
    return "\n".join([*sections, "## Exit codes\n", _table("exit code", "means", codes)])


def _offered() -> Iterator[str]:
    """Name the commands that rulesets bring."""
    for ruleset in ours().values():
        if isinstance(ruleset, LibraryRuleset):
            yield from reversed(ruleset.pieces)


def _found(context: click.Context, name: str) -> click.Command:
    assert isinstance(context.command, click.Group)
    command = context.command.get_command(context, name)
    assert command, name
    return command


def _command(command: click.Command, above: click.Context) -> Iterator[str]:
    """Write a command and those below it: how it is called, what it does, each of its options."""
    context = click.Context(command, info_name=command.name, parent=above)
    yield f"## {context.command_path}\n\n    {' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n"
    yield f"{_plain(inspect.cleandoc(command.help or ''))}\n"
    options = [param for param in command.params if isinstance(param, click.Option)]
    rows = [
        (_code(name), _plain(says)) for name, says in filter(None, (one.get_help_record(context) for one in options))
    ]
    if rows:
        yield _table("option", "does", rows)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from _command(_found(context, name), context)


def house_rules() -> str:
    """Return the presets and the house rules of each ruleset, with what its letters say of each value."""
    sections = []
    for name, ruleset in ours().items():
        presets = ruleset.presets if isinstance(ruleset, PresetRuleset) else ()
        named = [(f"`{one.name}`", _plain(one.says)) for one in presets]
        rules = [row for option in ruleset.options for row in _values(option)]
        sections += [
            f"## {ruleset.title}, `{name}`\n",
            _table("preset", "plays", named),
            _table("house rule", "says", rules),
        ]
    return "\n".join(sections)


def _values(option: Option) -> Iterator[tuple[str, str]]:
    """Write a line for each value, and one for all numbers."""
    for value, says in option.says.items():
        default = " (default)" if value == option.default else ""
        if not value and option.default not in option.says:
            default = f" (default {option.default})"
        if says:
            yield f"`{option.name}={value or 'NUMBER'}`{default}", f"{says.replace('{}', 'NUMBER')} [{option.rule}]"


def formats() -> str:
    """Return what has a format or a version, each with its number now."""
    journals = "a game's journal, and the starts of its phases"
    files = "other files of an arena: state.toml of a game, people.toml, lists of what was sent, the index"
    rules = [(f"rules of `{name}`", str(ruleset.version)) for name, ruleset in ours().items()]
    return _table("what", "number", [(journals, str(journal.FORMAT)), (files, str(records.FORMAT)), *rules])


ROOMS = {
    "A round of Rumble": "round", "An auction of Rumble": "auction", "A round of the brawl": "brawl",
    "A list of Disc Battle": "list",
}  # fmt: skip
"""The kinds of phases whose tables are shown, and what an open table of each is called."""
MOST_WORDS = 12
"""The words of a class that are shown."""


def understanding() -> str:
    """Return the checks of a mail in their order, and what each kind of phase has in its tables."""
    done = [(f"{place}", _summary(check)) for place, check in enumerate(chain.from_iterable(intake.checks()), 1)]
    sections = ["## The checks, in their order\n", _table("", "claims a mail where", done)]
    for title, phase in ROOMS.items():
        table = open_table(phase)
        language = table.ruleset.reader(table.state).language(table.state, Seat("ada"))
        sections += [
            f"## {title}\n",
            "Written by us:\n",
            "\n".join(f"    {one}" for one in forms.examples(language)) + "\n",
            _table("we write", "and read too", _words(language)),
        ]
        if language.gist:
            deeds = {name: language.gist.words.classes[name] for name in weighing.own_classes(language)}
            weighty = [(f"`{name}`", _some(said)) for name, said in deeds.items()]
            sections += ["What weighs in a sentence that is offered, besides names and numbers:\n"]
            sections += [_table("class", "words", weighty)]
    return "\n".join(sections)


def _summary(check: Callable[..., object]) -> str:
    return _plain(inspect.cleandoc(check.__doc__ or "").split("\n")[0].rstrip("."))


def _words(language: Language) -> Iterator[tuple[str, str]]:
    for name, said in language.words.classes.items():
        if len(said) > 1:
            yield f"`{language.words.canonical(name)}`", _some([*said][1:])


def _some(said: Iterable[tuple[str, ...]]) -> str:
    """Write the words of a class, as many as a line has room for."""
    words = [_plain(" ".join(one)) for one in said]
    return ", ".join(words[:MOST_WORDS]) + (f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else "")


def _table(first: str, second: str, rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join([f"| {first} | {second} |", "|---|---|", *(f"| {one} | {other} |" for one, other in rows)]) + "\n"


def _code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"


def _plain(text: str) -> str:
    """Keep Markdown from taking what is meant as it stands for marks of its own."""
    return re.sub(r"([<>*_|])", r"\\\1", text)


PARTS = {
    "commands.md": commands,
    "formats.md": formats,
    "house-rules.md": house_rules,
    "understanding.md": understanding,
}


def made(page: str) -> str:
    """Return a page of `docs/` as it ought to be: what a person wrote, and the made part between its marks."""
    before, _, rest = (DOCS / page).read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{PARTS[page]().rstrip()}\n\n{END}{after}"


CONSTRAINTS = DOCS.parent / "deploy" / "constraints.txt"
ABOVE_PINS = """\
# What a release is installed with: the versions that its tests ran with. `pip install -c deploy/constraints.txt .`
# Made by `python -m tests.reference`, in the environment in which all tests have passed.
"""


def pins() -> str:
    """Return all that pbem needs while it runs, with its extras "metrics" and "pictures", as it is installed here."""
    found: dict[str, str] = {}
    open_names = [("pbem", "metrics"), ("pbem", "pictures")]
    while open_names:
        name, extra = open_names.pop()
        for line in metadata.requires(name) or ():
            needed = Requirement(line)
            if not needed.marker or any(needed.marker.evaluate({"extra": one}) for one in ("", extra)):
                if canonicalize_name(needed.name) not in found:
                    open_names.append((needed.name, ""))
                found[canonicalize_name(needed.name)] = metadata.version(needed.name)
    return "".join(f"{name}=={version}\n" for name, version in sorted(found.items()))


if __name__ == "__main__":
    CONSTRAINTS.write_text(ABOVE_PINS + pins(), encoding="utf-8")
    for name in PARTS:
        (DOCS / name).write_text(made(name), encoding="utf-8")
