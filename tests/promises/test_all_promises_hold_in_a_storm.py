"""All promises at once: whatever comes, breaks and comes again, the games are those of a world in which nothing broke."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.conftest import Room
from tests.depth import DEPTH
from tests.promises import traces
from tests.promises.calm import GAMES, PLAYERS, base
from tests.promises.posts import AtDovecot, InMemory, PostFor
from tests.promises.storm import EVE, FAULTS, MORE
from tests.promises.traces import Traced
from tests.servers import Dovecot, installed, running

SEED = int(os.environ.get("PBEM_STORM", "1"))
"""Of which storms there are: another number in PBEM_STORM lets others come."""

WHO, GAME, COINS = st.sampled_from(sorted(PLAYERS)), st.sampled_from(GAMES), st.integers(0, 30)
FAULT, AT = st.sampled_from(FAULTS), st.integers(1, 60)
STEPS: dict[str, dict[str, Any]] = {
    "order": {"game": GAME, "who": WHO, "coins": COINS, "more": st.sampled_from(MORE)},
    "order_without_token": {"game": GAME, "who": WHO},
    "confirm": {"who": WHO},
    "ruling": {"game": GAME, "who": WHO, "coins": COINS},
    "overrule": {"game": GAME, "who": WHO, "coins": COINS},
    "approve": {"game": GAME, "fault": FAULT, "at": AT},
    "repeat": {"which": st.integers(0, 99), "how": st.sampled_from(["same", "received", "line ends", "base64"])},
    "forge": {"game": GAME, "who": st.sampled_from([*sorted(PLAYERS), "moderator"]), "by": st.sampled_from([EVE, PLAYERS["bo"]])},
    "robot": {"kind": st.sampled_from(["vacation", "bounce", "list"]), "game": GAME},
    "again": {},
    "renumber": {},
    "edit": {"game": GAME, "who": WHO, "coins": COINS, "fault": FAULT, "at": AT},
    "spoil": {"game": GAME, "who": WHO, "fault": FAULT, "at": AT},
    "wait": {"minutes": st.integers(1, 400), "fault": FAULT, "at": AT},
    "leap": {"hours": st.integers(-48, 48), "fault": FAULT, "at": AT},
}  # fmt: skip


def _step(name: str, drawn: dict[str, Any]) -> Any:
    def step(self: Any, **said: Any) -> None:
        self.traced.do(name, **said)

    step.__name__ = name
    return rule(**drawn)(step)  # type: ignore[no-untyped-call]


class Weather(RuleBasedStateMachine):
    """Whatever may happen next, at every step."""

    begun: Room
    post_for: Callable[[Room], Any]

    @initialize()
    def begin(self) -> None:
        """Take the games as they stand in their first tide."""
        self.traced = Traced(type(self).begun, type(self).post_for)

    def teardown(self) -> None:
        """Let all settle, and check every promise."""
        if hasattr(self, "traced"):
            self.traced.end()


for _name, _drawn in STEPS.items():
    setattr(Weather, _name, _step(_name, _drawn))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Two games in their first tide, played so far once."""
    return base(tmp_path_factory.mktemp("begun"))


def weather(begun: Room, post: PostFor, examples: int, steps: int) -> str:
    """Let storms come, and say which."""
    tonight = type("Tonight", (Weather,), {"begun": begun, "post_for": staticmethod(post)})
    wanted = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=False,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    run_state_machine_as_test(seed(SEED)(tonight), settings=wanted)
    return f"{examples} storms of up to {steps} steps, seed {SEED}"


def test_a_few_storms(begun: Room) -> None:
    """In memory, short ones."""
    weather(begun, InMemory, examples=4, steps=10)


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_many_storms(begun: Room, record_property: Callable[[str, object], None]) -> None:
    """In memory, long ones."""
    record_property("tried", weather(begun, InMemory, examples=30 * DEPTH, steps=40))


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_storms_around_a_real_mail_server(begun: Room, record_property: Callable[[str, object], None]) -> None:
    """The mailbox lies at Dovecot, behind a wire that is cut at any byte; numbers change, and mail is moved back."""
    with installed(), running(Dovecot()) as dovecot:
        said = weather(begun, lambda room: AtDovecot(dovecot, room), examples=20 * DEPTH, steps=20)
    record_property("tried", f"{said}, around a real mail server")


def test_a_storm_that_breaks_something_leaves_a_trace(
    begun: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its every step is saved, the failure says where, and played again the same thing breaks."""
    monkeypatch.setenv("PBEM_TRACES", str(tmp_path))
    steps: list[traces.Step] = [
        ("order", {"game": "tide-1", "who": "ada", "coins": 3, "more": ""}),
        ("wait", {"minutes": 200, "fault": "crash twice", "at": 9}),
    ]
    traces.play(begun, InMemory, steps)
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(InMemory, "deliver", lambda self, raw, at: None)
    with pytest.raises(AssertionError) as failed:
        traces.play(begun, InMemory, steps)
    (saved,) = tmp_path.iterdir()
    assert str(saved) in failed.value.__notes__[0]
    assert traces.load(saved) == steps
