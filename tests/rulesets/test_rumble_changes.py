"""What has changed in the rules of Rumble: told where it can matter, and of powers in play their lines too."""

import re
from pathlib import Path

import msgspec
import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import Change, Complaint
from pbem.rulesets.rumble import RULESET, changes
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.powers import archive
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import runs
from tests.rulesets.rumble_scene import lay

ALL = [one for dated in changes._CHANGES.values() for one in dated]
RULES = (Path(changes.__file__).parent / "RULES.md").read_text(encoding="utf-8")


def test_every_change_cites_a_rule_and_is_one_sentence() -> None:
    """And none is of a version that is not there yet."""
    assert max(changes._CHANGES) == RULESET.version
    for one in ALL:
        assert f"- **{one.rule}** " in RULES, one
        assert one.says.endswith(".") and len(one.says) <= 170, one


@pytest.mark.parametrize("one", [one for one in ALL if one.lines], ids=lambda one: one.lines)
def test_a_change_of_powers_is_told_where_such_a_power_is_in_play(one: changes._Dated) -> None:
    """In a game that has every power of the archive each is told, in one that has none, none."""
    given = [*(f"phase {phase}" for phase in one.phases[-1:]), "ada: Ada 50", "bo: Bo 50"]
    house = dict([one.house] if one.house[0] else [])
    held = [f"ada: power {power.name} 5: archive" for power in archive.archive()]
    told = RULESET.changed(lay([*given, *held], house, Dice(b"x")), 3)
    assert one.says in [change.says for change in told]
    told = RULESET.changed(lay(given, house, Dice(b"x")), 3)
    assert one.says not in [change.says for change in told]
    assert RULESET.changed(lay([*given, *held], house, Dice(b"x")), RULESET.version) == ()


def test_a_power_that_stops_running_is_told_before_its_round_is_played() -> None:
    """Else its owner orders as if it ran; where all run, nothing is said of it."""
    state = lay(["ada: Ada 50", "bo: Bo 50", "ada: power Grudge 5: Gain. = do: defence(me) += 5"], {}, Dice(b"x"))
    for when, is_told in (("after damage", True), ("round end", False)):
        lines = f"when: {when}\nif: energy(me) < 50\ndo: gain me 5"
        grudge = msgspec.structs.replace(state.powers[0], lines=lines)
        told = RULESET.changed(msgspec.structs.replace(state, powers=(grudge,)), 3)
        said = 'P01 "Grudge" no longer runs by itself; the moderator says what it does.'
        assert (Change(said, "B16") in told) == is_told


def test_a_power_of_a_game_that_goes_on_runs_by_the_lines_of_today() -> None:
    """Those that an older release had for it read still, are others than those of today, and are replaced."""
    old = [(power, lines) for power in archive.archive() for lines in power.formerly]
    assert old
    for power, lines in old:
        parts = re.sub(r" (when|if|do|cost|each|nth|choose|instead|at|optional|ask)\b(:?)", r"\n\1\2", lines)
        assert not any(isinstance(one, Complaint) for one in reading.read(parts)), parts
        state = lay([f"ada: power {power.name} 5: archive"], {}, Dice(b"x"))
        (held,) = state.powers
        before = RULESET.dump(state)
        before["powers"][0]["lines"] = parts
        assert application.with_todays_lines(RULESET.load(before, RULESET.version)).powers == (held,) and runs(
            held.lines
        )
        assert parts != held.lines


def test_what_is_dealt_and_not_shown_yet_is_told_to_nobody() -> None:
    """Before the pool is shown, what is told is the same whatever lies in it."""
    names = ["phase powers", "ada: Ada 100", "bo: Bo 100"]
    dealt = [f"pool: power {power.name}: archive" for power in archive.archive()]
    bare, full = (lay([*names, *powers], {"pool": "mixed"}, Dice(b"x")) for powers in ([], dealt))
    assert RULESET.changed(bare, 3) == RULESET.changed(full, 3) != ()


@pytest.mark.parametrize(
    ("how", "begins"), [("", "Whoever wrote ask me is"), ("always", "Whoever has a power"), ("never", "")]
)
def test_how_heroes_are_asked_now_is_told_where_they_are(how: str, begins: str) -> None:
    """Also where the house says nothing of it, as states do of a default that is younger than they."""
    state = lay(["ada: Ada 50", "bo: Bo 50"], {"reveal_phase": how} if how else {}, Dice(b"x"))
    if not how:
        state = msgspec.structs.replace(state, house={"round": "down"})
    told = [change.says for change in RULESET.changed(state, 4) if change.rule == "C2"]
    assert [one.startswith(begins) for one in told] == ([True] if begins else [])
