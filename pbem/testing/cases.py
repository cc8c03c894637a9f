"""Runs the scenes of a ruleset's case files, and holds its numbered rules against them; knows no game."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from pbem.ground import rulebook
from pbem.ground.chance import Dice
from pbem.ground.terms import EVERYONE, Complaint, Event, Fact, Given, Only, OrderLine, Outcome, Seat
from pbem.hall.store.catalogue import words_of
from pbem.language.phrases import Unread
from pbem.testing.scenes import NUMBER, Scene, Step, scenes


class Casebook(msgspec.Struct, frozen=True):
    """
    A ruleset with its cases.

    Shape: `folder` has the case files; `lay` makes a state of a scene's `given` lines, its house rules and dice;
    `claims` holds an `expect` line of the game's own against a state and an outcome: "" if it is true, what is so if
    not, None if it is no such claim. `worked` begin the numbers of examples that are no rules of RULES.md.
    """

    ruleset: Any
    folder: Path
    lay: Callable[[Sequence[str], Mapping[str, str], Dice], Any]
    claims: Callable[[str, Any, Outcome[Any] | None], str | None]
    worked: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The ruleset's name."""
        return str(self.ruleset.name)

    @property
    def code(self) -> Path:
        """The folder with the ruleset's code, and its RULES.md."""
        return Path(inspect.getfile(type(self.ruleset))).parent

    def rules(self) -> dict[str, str]:
        """Return every numbered rule of the ruleset, with its words."""
        return dict(rulebook.rules(self.ruleset))


class Cases:
    """Tests of rulesets by their cases: a test class that inherits from this says in `books` which."""

    books: ClassVar[tuple[Casebook, ...]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each scene, and of each ruleset."""
        if "scene" in metafunc.fixturenames:
            told = [(book, scene) for book in self.books for scene in scenes(book.folder)]
            metafunc.parametrize(("book", "scene"), told, ids=[f"{book.name}/{scene.name}" for book, scene in told])
        else:
            metafunc.parametrize("book", self.books, ids=lambda book: book.name)

    def test_scene_comes_out_as_the_rules_say(self, book: Casebook, scene: Scene) -> None:
        """Every scene comes out as it expects."""
        dice = Dice(b"a seed for every scene of ours!!!")
        state = book.lay(scene.given, scene.house, dice)
        for step in scene.steps:
            assert step.expect, f"{scene.name}: nothing is expected"
            wrong, state = _play(book, state, step, dice)
            if wrong:
                numbered = book.rules()
                law = "\n".join(f"{rule}: {numbered.get(rule, 'no such rule')}" for rule in scene.rules)
                pytest.fail(f"{chr(10).join(wrong)}\n\n{law}\n\n{scene.text}", pytrace=False)

    def test_every_rule_has_a_case_and_every_case_a_rule(self, book: Casebook) -> None:
        """Every numbered rule is cited by a scene, and no scene cites a rule that is not there."""
        cited = {rule for scene in scenes(book.folder) for rule in scene.rules}
        numbered = set(book.rules())
        worked = {rule for rule in cited if any(re.match(rf"{begins}\d", rule) for begins in book.worked)}
        assert cited - numbered - worked == set()
        assert numbered - cited == set()

    def test_every_rule_that_code_cites_exists(self, book: Casebook) -> None:
        """Rule numbers in code, options and templates exist in RULES.md."""
        numbered = set(book.rules())
        cited: dict[str, str] = {}
        for path in sorted(book.code.glob("**/*.py")):
            text = path.read_text(encoding="utf-8")
            for quoted in re.findall(rf'"({NUMBER})"', text):
                cited.setdefault(quoted, path.name)
            for sentence in re.findall(r"Rule: ([^\n]+(?:\n(?!\s*\"\"\")[^\n]+)*)", text):
                for number in re.findall(rf"\b{NUMBER}\b", sentence):
                    cited.setdefault(number, path.name)
        for name, text in words_of([book.ruleset]).items():
            if name.startswith(f"{book.name}/"):
                for number in re.findall(rf'cite\("([^"]+)"\)|\[({NUMBER})\]', text):
                    cited.setdefault(number[0] or number[1], name)
        letters = {re.match("[A-Z]+", number)[0] for number in numbered}  # type: ignore[index]
        missing = {
            number: place
            for number, place in cited.items()
            if number not in numbered and re.match("[A-Z]+", number)[0] in letters  # type: ignore[index]
        }
        assert missing == {}, f"cited but not in RULES.md: {missing}"

    def test_every_value_of_every_house_rule_has_a_case(self, book: Casebook) -> None:
        """Each value of each option is set in a scene, or is a default in a scene that cites its rule."""
        told = list(scenes(book.folder))
        untold = []
        for option in book.ruleset.options:
            for value in option.choices or (option.default, "other"):
                chosen = [s for s in told if s.house.get(option.name) == value]
                if value == "other":
                    chosen = [s for s in told if option.name in s.house]
                default = [s for s in told if option.rule in s.rules and option.name not in s.house]
                if not (chosen or (value == option.default and default)):
                    untold.append(f"{option.name} = {value}")
        assert untold == []


def _play(book: Casebook, state: Any, step: Step, dice: Dice) -> tuple[list[str], Any]:
    """Play one phase; return which expectations were not met, and the state after it."""
    ruleset = book.ruleset
    state, given = _ruled(ruleset, state, (*step.rulings, *step.at_proof))
    given = msgspec.structs.replace(given, at_proof=sum(line.strip().startswith("do ") for line in step.at_proof))
    met = play(ruleset, state, step, given, dice)
    wrong = [said for line in step.expect if line.strip() for said in [_judge(met, book, line)] if said]
    unexpected = [
        f"not expected: {seat} line {c.line} {c.fault} {c.rule}: {c.because}"
        for seat, found in met.complaints.items()
        for c in found
        if not any(line.startswith(f"complaint {seat}") for line in step.expect)
    ]
    return wrong + unexpected, met.state


def play(ruleset: Any, state: Any, step: Step, given: Given, dice: Dice) -> "Met":
    """Play the phase of a step from a state; who says nothing, or nothing that is taken, does as the rules say."""
    met = Met(ruleset, state)
    met.taken = _sent(met, state, step.orders, dice)
    if not met.taken:
        return met
    left = list(step.answers)
    while (outcome := ruleset.adjudicate(state, met.taken, given, dice)).asks:
        met.asked.append(ruleset.phase(outcome.state).owing)
        assert len(met.asked) < 100, "the phase does not end for questions"
        said = {seat: lines for seat, lines in reversed(left) if seat in met.asked[-1]}
        left = [one for one in left if one[1] is not said.get(one[0])]
        given = msgspec.structs.replace(given, answers=(*given.answers, _sent(met, outcome.state, said, dice)))
    assert not left, f"{left[0][0]} is not asked what is answered"
    met.outcome, met.state = outcome, outcome.state
    return met


def _sent(met: "Met", state: Any, said: Mapping[str, Sequence[str]], dice: Dice) -> dict[Seat, Any]:
    """Read what seats say in a state, and return what counts of all who owe something; keep what is complained of."""
    ruleset = met.ruleset
    taken = {seat: ruleset.missing(state, seat, dice.at(seat)) for seat in ruleset.phase(state).owing}
    for name, lines in said.items():
        seat = Seat(name)
        parsed = ruleset.parse(state, seat, [OrderLine(n, line) for n, line in enumerate(lines, 1)])
        complaints = parsed.complaints or ruleset.check(state, seat, parsed.orders)
        met.complaints[seat] = (*met.complaints.get(seat, ()), *complaints)
        again = ruleset.format(state, parsed.orders)
        read = ruleset.parse(state, seat, [OrderLine(n, line) for n, line in enumerate(again, 1)])
        assert tuple(read.orders) == tuple(parsed.orders), f"{again} does not read back"
        if not complaints and seat in taken:
            taken[seat] = parsed.orders
    return taken


def _ruled(ruleset: Any, state: Any, lines: Sequence[str]) -> tuple[Any, Given]:
    """Read what was ruled: `do`, `overrule` and `set`."""
    effects: list[str] = []
    pinned: dict[str, Fact] = {}
    for line in (line.strip() for line in lines if line.strip()):
        verb, _, rest = line.partition(" ")
        if verb == "do":
            effect = ruleset.effect(state, rest)
            assert not isinstance(effect, Unread), f"{line}: {effect}"
            assert ruleset.effect(state, effect) == effect, f"{effect} does not read back"
            effects.append(effect)
            continue
        fact, _, said = rest.rpartition(" = ")
        key = ruleset.name_fact(state, fact)
        assert not isinstance(key, Unread), f"{line}: {key}"
        value = _value(ruleset, state, key, said)
        if verb == "set":
            state = ruleset.amend(state, key, value)
            assert not isinstance(state, Unread), f"{line}: {state}"
        else:
            assert verb == "overrule", f"no ruling is called {verb}"
            pinned[key] = value
    return state, Given(pinned, tuple(effects))


def _value(ruleset: Any, state: Any, key: str, said: str) -> Fact:
    """Read a fact's value; numbers below zero too, which rulings cannot give to all."""
    found: Fact | Unread = int(said) if re.fullmatch(r"-\d+", said) else ruleset.read_value(state, key, said)
    assert not isinstance(found, Unread), f"{said}: {found}"
    return found


class Met:
    """
    What came of a step, to be held against its expectations.

    Shape: `before` and `state` are those of the phase and behind it; `asked` are the seats that were asked something
    in its middle, for each time that it stopped.
    """

    def __init__(self, ruleset: Any, before: Any) -> None:
        """Begin with nothing."""
        self.ruleset, self.before, self.state = ruleset, before, before
        self.outcome: Outcome[Any] | None = None
        self.complaints: dict[str, Sequence[Complaint]] = {}
        self.taken: dict[Seat, Any] = {}
        self.asked: list[tuple[Seat, ...]] = []

    def seats(self, names: str) -> set[str]:
        """Return the seats that a list of names or seats means."""
        labels = {self.ruleset.label(self.state, seat): str(seat) for seat in self.taken}
        return {labels.get(name, name) for name in names.split(", ")}


def _judge(met: Met, book: Casebook, line: str) -> str:
    """Return "" if an expectation is met, else what is so instead."""
    word, _, rest = line.partition(" ")
    judge = _JUDGES.get(word)
    said = judge(met, rest) if judge else book.claims(line, met.state, met.outcome)
    assert said is not None, f'nothing can be expected in the words "{line}"'
    return f"expected {line}, but {said}" if said else ""


def _complaint(met: Met, rest: str) -> str:
    match = re.match(r"(\w+) line (\d+) (\w+) ([\w.-]+)(?:: (.+))?$", rest)
    assert match, f"write complaint SEAT line N FAULT RULE: WORDS (- for no rule), not {rest}"
    seat, line, fault, rule, words = match.groups()
    for one in met.complaints.get(seat, ()):
        if (one.line, one.fault, one.rule or "-") == (int(line), fault, rule) and (words or "") in one.because:
            return ""
    found = [f"line {c.line} {c.fault} {c.rule}: {c.because}" for c in met.complaints.get(seat, ())]
    return f"there was {'; '.join(found) or 'no complaint'}"


def _verdict(met: Met, rest: str) -> str:
    match = re.match(r"(.+?) = (-?\d+|[^:]+)(?:: (.+))?$", rest)
    assert match and met.outcome, f"write verdict FACT = VALUE: HOW, not {rest}"
    key = met.ruleset.name_fact(met.state, match[1])
    assert isinstance(key, str), f"{match[1]}: {key}"
    value = _value(met.ruleset, met.state, key, match[2])
    for verdict in met.outcome.verdicts:
        if verdict.key == key:
            right = verdict.value == value and (match[3] or "") in verdict.how
            return "" if right else f"it is {verdict.value}: {verdict.how}"
    return f"there is no verdict {key}"


def _winner(met: Met, rest: str) -> str:
    assert met.outcome
    if not met.outcome.result:
        return "the game goes on"
    won = {str(seat) for seat in met.outcome.result.winners}
    return "" if won == met.seats(rest) else f"the winners are {sorted(won)}"


def _goes_on(met: Met, rest: str) -> str:
    assert met.outcome and rest == "goes on"
    return f"it ended: {met.outcome.result.how}" if met.outcome.result else ""


def _event(met: Met, rest: str) -> str:
    match = re.match(r"(\w+) to ([\w, ]+?)(?:: (.+))?$", rest)
    assert match and met.outcome, f"write event KIND to all: WORDS, not {rest}"
    words = [word.strip() for word in match[3].split(";")] if match[3] else []
    for event in met.outcome.events:
        told = f"{event.facts}"
        if event.kind == match[1] and _to(event) == match[2] and all(word in told for word in words):
            return ""
    same = [f"to {_to(event)}: {event.facts}" for event in met.outcome.events if event.kind == match[1]]
    return f"there is {same or 'no such event'}"


def _to(event: Event) -> str:
    if event.to == EVERYONE:
        return "all"
    assert isinstance(event.to, Only)
    return ", ".join(event.to.seats) or "moderator"


def _no(met: Met, rest: str) -> str:
    word, _, what = rest.partition(" ")
    assert met.outcome and word in ("event", "verdict")
    if word == "event":
        return f"there is a {what}" if any(event.kind == what for event in met.outcome.events) else ""
    key = met.ruleset.name_fact(met.state, what)
    return f"there is a verdict {key}" if any(verdict.key == key for verdict in met.outcome.verdicts) else ""


def _phase(met: Met, rest: str) -> str:
    title = met.ruleset.phase(met.state).title
    return "" if title == rest else f"it is {title}"


def _owes(met: Met, rest: str) -> str:
    owing = set(met.ruleset.phase(met.state).owing)
    return "" if owing == set(rest.split(", ")) else f"those who owe are {sorted(owing)}"


def _asks(met: Met, rest: str) -> str:
    wanted = [] if rest == "nobody" else [set(stop.split(", ")) for stop in rest.split("; ")]
    found = "; ".join(", ".join(stop) for stop in met.asked)
    return "" if wanted == [set(stop) for stop in met.asked] else f"those who are asked are {found or 'nobody'}"


def _lacks(met: Met, rest: str) -> str:
    seat, _, what = rest.partition(": ")
    lacking = met.ruleset.lacks(met.before, Seat(seat), met.taken[Seat(seat)])
    return "" if lacking == what else f'it lacks "{lacking}"'


def _reads(met: Met, rest: str) -> str:
    seat, _, what = rest.partition(": ")
    lines = met.ruleset.format(met.before, met.taken[Seat(seat)])
    return "" if what in lines else f"it reads {list(lines)}"


def _stands(met: Met, rest: str) -> str:
    word, _, last = rest.rpartition(" ")
    can = met.ruleset.stands(met.before, Seat(last), met.taken[Seat(last)])
    return "" if can != (word == "not") else f"it can{'' if can else 'not'}"


_JUDGES = {
    "complaint": _complaint,
    "verdict": _verdict,
    "winner": _winner,
    "game": _goes_on,
    "event": _event,
    "no": _no,
    "phase": _phase,
    "owes": _owes,
    "asks": _asks,
    "lacks": _lacks,
    "reads": _reads,
    "stands": _stands,
}
