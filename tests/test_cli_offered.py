"""The terminal's commands for what a ruleset keeps in a library: listed, shown, checked, explained."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner, Result

from pbem import cli
from pbem.rulesets.rumble.powers.archive import Archived, archive

POWERS = archive()


def run(*words: str, stdin: bytes = b"") -> Result:
    """Run a command in this process; no arena is there, and none is needed."""
    return CliRunner().invoke(cli.pbem, ["--arena", "/nowhere", *words], input=stdin)


def test_the_commands_that_the_help_names_are_there() -> None:
    """The last words of `pbem --help` say where they are listed; a word that nobody offers is no command."""
    listed = run(*re.findall(r"pbem (new) (--help)", cli.EPILOG)[0]).output.partition("Commands of rulesets:\n")[2]
    named = set(re.findall(r"^  (\w+)", listed, re.MULTILINE))
    assert named == {"powers", "power"}
    context = Context(cli.pbem)
    assert [cli.pbem.get_command(context, name) for name in named].count(None) == 0
    assert cli.pbem.get_command(context, "pwoers") is None
    assert " ".join(cli.EPILOG.split("\n\b\n")[1].split()) in " ".join(run("--help").output.split())


def test_the_help_asks_no_ruleset() -> None:
    """Without one of their words no ruleset is loaded, so that the help is fast."""
    look = "import sys, pbem.cli as c; c.pbem(['--help'], standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True, timeout=30)
    assert "pbem.cli.ruleset_commands" in done.stderr.split() and "pbem.rulesets" not in done.stderr.split()


def test_the_list_has_a_row_for_each_power() -> None:
    """By number, with name, type, tier and author, in 80 columns."""
    heading, *rows = run("powers").output.rstrip("\n").split("\n")
    assert heading.split() == ["NO", "NAME", "TYPE", "TIER", "AUTHOR"]
    assert [int(row.split()[0]) for row in rows] == list(range(1, 58))
    for row, power in zip(rows, POWERS, strict=True):
        assert power.name in row and f" {power.type} " in row and f" {power.tier} " in row
        assert (power.author or "-")[:19] in row
    assert max(map(len, rows)) <= 80


def test_words_behind_the_list_choose_from_it() -> None:
    """Those in which all of them stand, in any case; where there are none it says so."""
    assert [line.split()[0] for line in run("powers", "ADVANCED").output.split("\n")[1:-1]] == ["44", "45"]
    assert [row["number"] for row in json.loads(run("powers", "advanced", "swap", "--json").output)] == [45]
    none = run("powers", "advanced", "zeppelin")
    assert none.exit_code == 0 and none.output == "No power holds advanced and zeppelin. To list all: pbem powers\n"


def test_programs_are_told_everything() -> None:
    """The JSON of the list holds every fact of every power, and that of one power is its row."""
    rows = json.loads(run("powers", "--json").output)
    assert len(rows) == 57
    for row, power in zip(rows, POWERS, strict=True):
        assert row == {name: _plain(getattr(power, name)) for name in power.__struct_fields__}
    shown = json.loads(run("power", "show", "Laser Eyes", "--json").output)
    assert rows[47].items() <= shown.items() and shown["differences"] == ["With it Bo loses 25, without it 20."]
    assert json.loads(run("powers", "zeppelin", "--json").output) == []


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "power",
    [pytest.param(one, marks=[pytest.mark.sweep] if n % 6 else [], id=one.name) for n, one in enumerate(POWERS)],
)
def test_a_power_is_shown_with_all_that_is_known_of_it(power: Archived) -> None:
    """Name, number, author, aspect, type, tier, text, note, lines, rulings, order and default; in 72 columns."""
    facts = {name: getattr(power, name) for name in power.__struct_fields__}
    done = run("power", "show", str(facts["number"]))
    assert done.exit_code == 0, done.output
    words = " ".join(done.output.split())
    for name in ("name", "aspect", "type", "tier", "text", "note", "order"):
        assert " ".join(facts[name].split()) in words, name
    assert f"No. {facts['number']}" in words and facts["author"].rstrip(".") in words
    assert facts["default"][1:] in words
    assert all(ruling in words for ruling in facts["rulings"])
    assert all(f"\n  {line}\n" in done.output for line in facts["lines"].split("\n") if line)
    wide = [line for line in done.output.split("\n") if len(line) > 72 and line.strip() not in facts["lines"]]
    assert wide == []


@pytest.mark.parametrize("said", [["Laser Eyes"], ["laser", "eyes"], ["LASER"], ["Lasre Eyes"], ["48"], ["#48"]])
def test_a_power_is_found_as_people_name_it(said: list[str]) -> None:
    """With or without quotes, by a beginning, with a slip, by its number."""
    assert run("power", "show", *said).output.startswith("Laser Eyes\n==========\nNo. 48, by Kevan.\n")


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("precog", '"precog" could be Precognition or Precognition (2003).'),
        ("zzzzzz", "There is no power of that name. To list them: pbem powers"),
        ("Reflex Trainnng Cmp", "Did you mean"),
        ("58", "The powers have the numbers 1 to 57."),
    ],
)
def test_a_power_that_is_not_there_is_a_wrong_command_line(said: str, heard: str) -> None:
    """It says what would have worked, and where the list is."""
    done = run("power", "show", said)
    assert done.exit_code == 2 and heard in done.output
    assert done.output.endswith("To list them: pbem powers\n")


def test_lines_that_run_come_back_in_canonical_words(tmp_path: Path) -> None:
    """From a file or from standard input, with any line ends; exit code 0."""
    file = tmp_path / "mine.txt"
    file.write_bytes(b"\xef\xbb\xbfdo: defence(ME)+=10\r\nCOST: spend 10\r\n\r\n\r\nwhen: round start\r\ndo: gain me 5")
    wanted = "cost: spend 10\ndo: defence(me) += 10\n\nwhen: round start\ndo: gain me 5\n\nIt reads and runs.\n"
    for done in (run("power", "check", str(file)), run("power", "check", "-", stdin=file.read_bytes())):
        assert done.exit_code == 0 and done.output.startswith(wanted)
        assert "\n  Effect        your Defence goes up by 10\n" in done.output


def test_lines_that_read_and_would_not_be_done_so_are_complained_of() -> None:
    """Each with its number and the reason, in 72 columns; what the game would refuse has exit code 1 here too."""
    said = (
        b"power P01 =\ncost: spend 10\n\nwhen: after damage\nif: energy(me) < 40\ndo: deal 10 to me\nend because so\n"
    )
    done = run("power", "check", "-", stdin=said)
    assert done.exit_code == 1 and max(map(len, done.output.split("\n"))) <= 72
    assert done.output.startswith("line 5: if: energy(me) < 40\n  Energy is still what it was before the blows here")
    assert "All of it reads, and is not done as it is read." in " ".join(done.output.split())
    assert done.output.replace("\n", " ").endswith(
        "This runs: cost: spend 10; also; when: after damage; do: deal 10 to me "
    )
    told = json.loads(run("power", "check", "-", "--json", stdin=said).output)
    assert [one["line"] for one in told["complaints"]] == [5, 0]


def test_lines_that_run_are_checked_with_an_example_and_a_trial() -> None:
    """What they mean, what differs with them, what a trial showed; those that break the trial are refused."""
    done = run("power", "check", "-", stdin=b"cost: spend X\ndo: gain me 20 * X")
    assert done.exit_code == 0 and max(map(len, done.output.split("\n"))) <= 72
    assert "With it Ann gains 155, without it Ann loses 45." in done.output
    assert done.output.endswith("\nMind: In a trial it brings more than 100 Energy in a single round.\n")
    told = json.loads(run("power", "check", "-", "--json", stdin=b"do: attack(me, any) += 5").output)
    assert told["lines"] == "do: attack(me, any) += 5" and told["warnings"] == []
    assert told["abilities"][0][1] == {"head": "Effect", "says": ["each of your Attacks goes up by 5"]}
    loop = run("power", "check", "-", "--json", stdin=b"when: damage to me\ndo: deal 5 to me unblockable")
    assert loop.exit_code == 1 and "would not end" in json.loads(loop.output)["complaints"][0]["because"]


def test_lines_that_do_not_read_are_complained_of_one_by_one() -> None:
    """The line with its number, below it what would have worked; exit code 1."""
    done = run("power", "check", "-", stdin=b"cost: spend 10\nchoose: T = hero\ndo: deel 5 to T\n\ndo: gain T 5\n")
    assert done.exit_code == 1
    assert done.output.startswith('line 3: do: deel 5 to T\n  I know none that begins with "deel". Did you mean deal ')
    assert done.output.endswith("\nline 5: do: gain T 5\n  T stands for nothing yet: no line says what it is.\n")
    assert max(map(len, done.output.split("\n"))) <= 72


def test_what_concerns_no_line_is_said_without_one() -> None:
    """An empty file is no power."""
    done = run("power", "check", "-")
    assert done.exit_code == 1 and done.output == "There are no lines. Such as do: defence(me) += 10\n"


def test_a_file_that_cannot_be_read_is_a_wrong_command_line(tmp_path: Path) -> None:
    """It is not there, is a folder, or holds bytes that are no text."""
    (tmp_path / "old.txt").write_bytes(b'do: gain me 5\nask: "Caf\xe9?"\n')
    for name, heard in (
        ("nowhere.txt", "nowhere.txt cannot be read: No such file or directory. Name a text file, or - for"),
        (".", "cannot be read: Is a directory."),
        ("old.txt", "old.txt is no UTF-8 from line 2 on. Save it as UTF-8, or as plain ASCII."),
    ):
        done = run("power", "check", str(tmp_path / name))
        assert done.exit_code == 2 and heard in done.output, done.output
    done = run("power", "check", "-", stdin=b"\xff")
    assert done.exit_code == 2 and "The standard input is no UTF-8 from line 1 on." in done.output


def test_the_manual_is_printed() -> None:
    """The same that is sent by mail."""
    done = run("power", "manual")
    assert done.exit_code == 0 and done.output.startswith("THE LANGUAGE OF POWERS\n")
    assert "\n| do: deal 5 to T unblockable\n" in done.output


def test_each_command_says_what_it_takes() -> None:
    """Their help is there, and a wrong word behind them is told."""
    assert "List the powers of Rumble" in run("powers", "--help").output
    assert all(word in run("power", "--help").output for word in ("show", "check", "manual"))
    for words in (["power", "sow"], ["power", "show"], ["power", "check"], ["powers", "--jsn"]):
        assert run(*words).exit_code == 2
