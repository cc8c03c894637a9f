"""Lays out the scenes of Rumble's cases: from `given` lines to a state, from `expect` lines to claims."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import Outcome, Seat
from pbem.language.phrases import Unread, find
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import Hero, Power, PowerKind, State, unnumbered
from pbem.rulesets.rumble.powers import archive
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import runs

_POWER = re.compile(r"(pool of \w+|\w+): (?:(handed) )?(power|flaw|curse) (.+?)(?: (\d+))?(?:: (.*))?$")


def lay(given: Sequence[str], house: Mapping[str, str], dice: Dice) -> State:
    """
    Build a state.

    Shape: `ada: Mantisman 80` is a hero, `ada: Mantisman out 2` one who fell in round 2, `ada: power Flight 22`
    a power of strength 22, `pool: flaw Clumsy` a power nobody has (`pool of ada:` one that she invented); `phase auction`, `round 3` and `quiet 2` say
    where the game stands (round 2 where nothing is said). `P01: Bucky 50` is a Sidekick, which that power is. A power's text follows a colon; with `archive` there it is
    that of the archive, and runs as far as powers do; behind ` = ` stand formal lines. `ada attacked bo` is what happened the round before, and
    `Flight used 2 spent 40` what became of a power.
    """
    heroes: list[Hero] = []
    powers: list[Power] = []
    state = State(house={**DEFAULTS, **house}, phase="round", round=2)
    for line in (line for line in given if line.strip()):
        if line.startswith("phase "):
            state = msgspec.structs.replace(state, phase=line.removeprefix("phase "), round=0)
        elif line.startswith(("round ", "quiet ")):
            state = msgspec.structs.replace(state, **{line[:5]: int(line[6:])})
        elif match := re.match(r"(\w+) attacked (\w+)$", line):
            heroes = [msgspec.structs.replace(h, attacked=(match[2],)) if h.seat == match[1] else h for h in heroes]
        elif match := re.match(r"(.+) used (\d+) spent (\d+)$", line):
            past = {"used": int(match[2]), "spent": int(match[3])}
            powers = [msgspec.structs.replace(p, **past) if p.name == match[1] else p for p in powers]
        elif match := _POWER.match(line):
            powers.append(_power(len(powers) + 1, match))
        elif match := re.match(r"(\w+): (.+?) (?:out (\d+)|(\d+))$", line):
            out = int(match[3]) if match[3] else -1
            is_power = re.fullmatch("P[0-9]+", match[1])
            seat, power = (f"sidekick_{match[1]}", match[1]) if is_power else (match[1], "")
            energy, step = int(match[4] or 0), 2 if match[3] else 0
            heroes.append(Hero(Seat(seat), match[2], energy, out, step, power=power))
        else:
            raise AssertionError(f'a scene cannot be given "{line}"')
    return msgspec.structs.replace(state, heroes=tuple(heroes), powers=tuple(powers))


def _power(number: int, match: re.Match[str]) -> Power:
    kind: PowerKind = match[3]  # type: ignore[assignment]
    owner, author = (
        ("", match[1].removeprefix("pool").removeprefix(" of ")) if match[1].startswith("pool") else (match[1], "")
    )
    strength = int(match[5] or 0)
    text = match[6] or "It does what it says."
    lines = ""
    if text == "archive":
        found = archive.find(unnumbered(match[4]))
        assert not isinstance(found, Unread), found
        text, lines = found.text, found.lines
    elif " = " in text:
        text, _, said = text.partition(" = ")
        lines = reading.from_one_line(said)
        assert runs(lines), lines
    return Power(number, match[4], text, author, kind, owner, strength, bool(match[2]), lines=lines)


def claims(line: str, state: State, outcome: Outcome[Any] | None) -> str | None:
    """
    Hold a claim of this game against a state: "" if it is true, what is so if not, None if it is no such claim.

    Shape: `Mantisman 70`, `Mantisman out`, `Mantisman out on -5`, `Mantisman has Flight`,
    `Mantisman has no Flight`, `nobody has Flight`, `Flight strength 22`, `quiet 2`, `ada is called Mantisman`.
    """
    if match := re.match(r"(.+?) has (no )?(.+)$", line):
        return _owns(state, match[1], match[3], no=bool(match[2]))
    if match := re.match(r"(.+) strength (\d+)$", line):
        strengths = [power.strength for power in state.powers if power.name == match[1]]
        return "" if int(match[2]) in strengths else f"strength {strengths}"
    if match := re.match(r"quiet (\d+)$", line):
        return "" if state.quiet == int(match[1]) else f"quiet {state.quiet}"
    if match := re.match(r"(\w+) is called (.+)$", line):
        name = state.hero(match[1]).name
        return "" if name == match[2] else f"{match[1]} is called {name}"
    if match := re.match(r"(.+?) (out on (-?\d+)|out|\d+)$", line):
        hero = _hero(state, match[1])
        if match[2].startswith("out"):
            right = not hero.is_in and (match[3] is None or hero.energy == int(match[3]))
        else:
            right = hero.is_in and hero.energy == int(match[2])
        return "" if right else f"{hero.name} {'' if hero.is_in else 'out on '}{hero.energy}"
    return None


def _hero(state: State, said: str) -> Hero:
    seat = find(said, state.names, "hero")
    assert not isinstance(seat, Unread), f"{said}: {seat}"
    return state.hero(seat)


def _owns(state: State, said: str, power: str, *, no: bool) -> str:
    owners = [state.names[p.owner] for p in state.powers if p.name == power and p.owner and p.in_play]
    if said == "nobody":
        return f"{owners} have it" if owners else ""
    has = _hero(state, said).name in owners
    return "" if has != no else f"{owners or 'nobody'} has it"
