"""Writes down verdict keys and effects as games in play have them: `python -m tests.rulesets.rumble_pins`."""

import hashlib
import re
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from pbem.ground.chance import Dice
from pbem.language.phrases import Unread
from pbem.ruleset import Fact, Given, Outcome
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.state import State
from pbem.testing.cases import play
from pbem.testing.scenes import Scene, Step, scenes
from tests.rulesets.rumble_scene import lay

ROOT = Path(__file__).parent.parent
CASES = ROOT / "cases" / "rumble"
GAMES = ROOT.parent / "games"
VERDICTS = Path(__file__).parent / "rumble_verdicts.txt"
EFFECTS = Path(__file__).parent / "rumble_effects.txt"
STOCK = ("ada: Mantisman 80", "bo: Plastiquegirl 50", "cy: Doctor Cuttlefish 100", "ada: power Grudge 10")
SPELLINGS = (
    "gain Mantisman 5", "gain Mantisman 5 Energy at the end of the round", "Mantisman gains 5", "Mantisman gain 5 at costs",
    "lose Mantisman 5", "Mantisman loses 5 energy at end", "deal 5 to Mantisman", "deal 5 damage to Mantisman by Plastiquegirl",
    "deal 5 unavoidable damage to Mantisman from Plastiquegirl", "Mantisman takes 5", "Mantisman take 5 unblockable damage",
    "Mantisman takes 5 damage by Plastiquegirl unblockable", "attack(Mantisman,Plastiquegirl)+=5", "attack (any, Mantisman) -= 5",
    "attack(Mantisman, all) *= 2", "attack(Mantisman, Plastiquegirl) x= 2", "attack(Mantisman, Plastiquegirl) / 2",
    "attack(Mantisman, Plastiquegirl) *= 1/2", "attack of Mantisman on any + 5", "attack by Mantisman against Plastiquegirl = 0",
    "attack from each on Mantisman - 5", "defence(Mantisman) += 5", "defense (Mantisman) *= 1/2", "defence of Mantisman = 5",
    "defense of Mantisman x= 2", "energy(Mantisman) = 5", "energy (Mantisman) += 5", "energy of Mantisman -= 5",
    "attack(Plastiquegirl, any) += 20", "shield Mantisman 5", "shield Mantisman all", "ignore attack of Mantisman on Plastiquegirl",
    "ignore the attack by Mantisman against Plastiquegirl", "ignore attack(Mantisman, Plastiquegirl)", "give P01 to Plastiquegirl",
    "give Grudge to Plastiquegirl", "discard P01", "veto P01", "reword P01: You fly.", "power P01 = do: attack(me, any) += 5",
    "P01 = do: attack(me, any) += 5", "use P01 as Flight", "use Grudge like Flight", "manual P01", "revive Mantisman 5",
    "revive Mantisman at 5", "revive Mantisman with 5 Energy", "eliminate Mantisman", "Mantisman is eliminated",
    "Mantisman is out", "keep Mantisman from losing", "win Mantisman", "Mantisman wins",
)  # fmt: skip
"""Every spelling of an effect, in a state with these heroes and this power."""


def verdicts_and_effects(share: int = 1) -> tuple[str, str]:
    """Return what the two files hold, from the cases and the specimens; or from a share of the files of cases."""
    shapes: set[str] = set()
    stock = lay(STOCK, {}, Dice(b"nothing is left to chance here !"))
    effects = {f"do {line} -> {RULESET.effect(stock, line)}" for line in SPELLINGS}
    digests: dict[str, Any] = {}
    files = [path.name for path in sorted(CASES.glob("*.case"))][::share]
    for scene in (scene for scene in scenes(CASES) if scene.file in files):
        digest = digests.setdefault(scene.file, hashlib.sha256())
        for read, outcome in _played(scene):
            effects |= read
            for verdict in outcome.verdicts:
                digest.update(f"{scene.title}: {verdict.key}\n".encode())
                shapes.add(_shape(verdict.key, outcome.state.names))
    for came in sorted(GAMES.glob("rumble-*/phase-*/outcome.toml")):
        effects |= _journaled(came.parent)
        shapes |= _judged(came)
    marks = [f"{file} {digest.hexdigest()[:16]}" for file, digest in digests.items()]
    return "\n".join([*marks, "", *sorted(shapes), ""]), "\n".join([*sorted(effects), ""])


def _played(scene: Scene) -> Iterator[tuple[set[str], Outcome[State]]]:
    """Play a scene; yield of each step the effects that were read, and what came of it."""
    dice = Dice(b"a seed for every scene of ours!!!")
    state = lay(scene.given, scene.house, dice)
    for step in scene.steps:
        state, given, read = _ruled(state, step)
        met = play(RULESET, state, step, given, dice)
        if met.outcome:
            yield read, met.outcome
        state = met.state


def _ruled(state: State, step: Step) -> tuple[State, Given, set[str]]:
    effects: list[str] = []
    pinned: dict[str, Fact] = {}
    read: set[str] = set()
    for verb, _, rest in (line.strip().partition(" ") for line in step.rulings if line.strip()):
        if verb == "do":
            effect = RULESET.effect(state, rest)
            assert not isinstance(effect, Unread), f"{rest}: {effect}"
            effects.append(effect)
            read.add(f"do {rest} -> {effect}")
            continue
        fact, _, said = rest.rpartition(" = ")
        key = RULESET.name_fact(state, fact)
        assert not isinstance(key, Unread), f"{rest}: {key}"
        value: Fact = said == "yes" if said in ("yes", "no") else int(said)
        if verb == "set":
            changed = RULESET.amend(state, key, value)
            assert not isinstance(changed, Unread), f"{rest}: {changed}"
            state = changed
        else:
            pinned[key] = value
    return state, Given(pinned, tuple(effects)), read


def _shape(key: str, seats: Collection[str]) -> str:
    """Return a key with words in place of seats, powers and numbers."""
    words = (
        "SEAT" if word in seats else re.sub(r"[0-9]+", "N", re.sub(r"^P[0-9]+$", "POWER", word))
        for word in re.split(r"(\W+)", key)
    )
    return "".join(words)


def _journaled(folder: Path) -> set[str]:
    """Return the effects that a phase's journal holds, each with its reading."""
    state = RULESET.load(tomllib.loads((folder / "state.toml").read_text())["state"], RULESET.version)
    entries = tomllib.loads((folder / "journal.toml").read_text())["entry"]
    said = [one["effect"] for entry in entries for one in entry.get("rulings", ()) if one["verb"] == "do"]
    return {f"do {line} -> {RULESET.effect(state, line)}" for line in said}


def _judged(outcome: Path) -> set[str]:
    """Return the shapes of a phase's verdicts."""
    came = tomllib.loads(outcome.read_text())
    after = outcome.parent.with_name(f"phase-{int(outcome.parent.name[-2:]) + 1:02d}") / "state.toml"
    seats = {hero["seat"] for hero in tomllib.loads(after.read_text())["state"]["heroes"]}
    return {_shape(verdict["key"], seats) for verdict in came["verdicts"]}


if __name__ == "__main__":
    verdicts, effects = verdicts_and_effects()
    VERDICTS.write_text(verdicts)
    EFFECTS.write_text(effects)
