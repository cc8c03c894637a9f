"""Simulated games: fair to every seat, within the rules, and the same on any number of cores."""

import json
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from pbem import cli
from pbem.ground.terms import Seat
from pbem.hall.commands import simulation
from pbem.hall.store.catalogue import rulesets_known
from pbem.ruleset import Dice, Given, OrderLine, Outcome, Phase, SimulatedRuleset
from pbem.simulation.matches import BROKEN_OFF, LONGEST, Match, bias, figures, play
from tests.depth import some
from tests.harbour import HarbourRules

SEED = bytes(range(32))


def rumble() -> SimulatedRuleset[Any, Any]:
    """Return the ruleset that brings bots."""
    return simulation.ruleset_to_simulate("rumble")


@pytest.mark.parametrize(
    "bot", ["weakest", *(pytest.param(name, marks=pytest.mark.sweep) for name in ("anybody", "leader"))]
)
def test_equal_bots_win_alike_in_every_seat(bot: str) -> None:
    """Each seat's share of the wins is the same, within three standard errors; a tie broken by seat would show."""
    match = Match(seats=4, bots=(bot,))
    dice = Dice(SEED)
    found = figures(match, [play(rumble(), match, dice.at(f"game-{number}")) for number in range(120)])
    assert sum(share.won for share in found.seats) == pytest.approx(1)
    assert [share for share in found.seats if abs(share.won - 0.25) > 3 * share.error] == []
    assert BROKEN_OFF not in found.endings and sum(found.endings.values()) == 120


def test_a_round_that_nobody_reads_ends_like_one_that_is_told() -> None:
    """What is left out is the report alone: state, verdicts and winners are the same."""
    ruleset, dice = rumble(), Dice(SEED)
    seats = {Seat(f"seat-{place}"): f"Seat {place}" for place in range(1, 4)}
    dealt = {name: Seat(f"seat-{place % 3 + 1}") for place, name in enumerate(ruleset.dealable())}
    state = ruleset.begin(seats, {option.name: option.default for option in ruleset.options}, dealt, dice)
    for turn in range(6):
        now = dice.at(str(turn))
        orders = {seat: ruleset.bots["anybody"](state, seat, now.at(seat)) for seat in ruleset.phase(state).owing}
        told = ruleset.adjudicate(state, orders, Given(), now)
        untold = ruleset.advance(state, orders, Given(), now)
        assert (untold.state, untold.verdicts, untold.result) == (told.state, told.verdicts, told.result)
        assert len(untold.events) < len(told.events)
        state = told.state
        if told.result:
            break


@pytest.mark.parametrize("bot", ["regular", "boxer"])
def test_a_brawl_that_nobody_reads_ends_like_one_that_is_told(bot: str) -> None:
    """The same but for the report, and for which stories have been told, which the next report alone asks for."""
    ruleset, dice = rulesets_known()["brawl"], Dice(SEED)
    assert isinstance(ruleset, SimulatedRuleset)
    seats = {Seat(f"seat-{place}"): f"Seat {place}" for place in range(1, 5)}
    state = ruleset.begin(seats, {option.name: option.default for option in ruleset.options}, {}, dice)
    for turn in range(60):
        now, given, owing = dice.at(str(turn)), Given(), ruleset.phase(state).owing
        orders = {seat: ruleset.bots[bot](state, seat, now.at(seat)) for seat in owing}
        while (told := ruleset.adjudicate(state, orders, given, now)).asks:
            assert ruleset.advance(state, orders, given, now) == told
            asked = ruleset.phase(told.state).owing
            answers = {seat: ruleset.bots[bot](told.state, seat, now.at(f"asked {seat}")) for seat in asked}
            given = msgspec.structs.replace(given, answers=(*given.answers, answers))
        untold = ruleset.advance(state, orders, given, now)
        same = msgspec.structs.replace(told.state, stories=untold.state.stories)
        assert (untold.state, untold.verdicts, untold.result) == (same, told.verdicts, told.result)
        assert len(untold.events) < len(told.events)
        state = untold.state
        if told.result:
            return
    raise AssertionError("the brawl did not end")


def test_bots_send_what_the_rules_take() -> None:
    """With every power that runs on the table, each set passes the check, as do answers, and is read back from its lines."""
    ruleset, dice = rumble(), Dice(SEED)
    seats = {Seat(f"seat-{place}"): f"Seat {place}" for place in range(1, 4)}
    house = {option.name: option.default for option in ruleset.options} | {"reveal_phase": "always"}
    used: set[str] = set()
    stops = 0
    for number in range(8):
        dealt = {name: Seat(f"seat-{place % 3 + 1}") for place, name in enumerate(ruleset.dealable())}
        state = ruleset.begin(seats, house, dealt, dice)
        for turn in range(20):
            now = dice.at(f"{number}/{turn}")
            orders = {seat: ruleset.bots["leader"](state, seat, now.at(seat)) for seat in ruleset.phase(state).owing}
            for seat, sent in orders.items():
                lines = ruleset.format(state, sent)
                assert ruleset.check(state, seat, sent) == ()
                assert ruleset.parse(state, seat, [OrderLine(n, t) for n, t in enumerate(lines, 1)]).orders == sent
                used |= {line.split(" on ")[0] for line in lines if line.startswith("use ")}
            outcome = ruleset.adjudicate(state, orders, Given(), now)
            if outcome.asks:
                asked, stops = outcome.state, stops + 1
                answers = {seat: ruleset.bots["leader"](asked, seat, now) for seat in ruleset.phase(asked).owing}
                assert all(ruleset.check(asked, seat, sent) == () for seat, sent in answers.items())
                outcome = ruleset.adjudicate(state, orders, Given(answers=(answers,)), now)
            state = outcome.state
            if outcome.result:
                break
    assert len(used) > 8 and stops > 8


@pytest.mark.parametrize(("seats", "bot"), some(3, [(2, "puncher"), (3, "regular"), (6, "puncher")]))
def test_a_brawl_favours_no_seat_and_ends(seats: int, bot: str) -> None:
    """Chi-square of the wins is nothing that chance would not bring in one run of a hundred; every brawl ends."""
    match = Match(seats=seats, bots=(bot,))
    brawl, dice = simulation.ruleset_to_simulate("brawl"), Dice(SEED)
    found = figures(match, [play(brawl, match, dice.at(f"game-{number}")) for number in range(60)])
    assert found.bias.chance > 0.01 and found.bias.games > 50
    assert BROKEN_OFF not in found.endings
    rounds = found.phases["round"]
    assert sum(rounds.games.values()) == 60 and max(map(int, rounds.games)) == rounds.longest


@pytest.mark.parametrize(
    ("wins", "square", "chance"),
    [([50, 50], 0, 1), ([60, 40], 4, 0.0455), ([30, 20, 10], 10, 0.0067), ([40, 20, 20, 20], 12, 0.0074)],
)
def test_bias_is_the_chance_of_such_wins(wins: list[int], square: float, chance: float) -> None:
    """As the tables of chi-square have it, for odd and even degrees."""
    found = bias(wins)
    assert found.square == pytest.approx(square)
    assert found.chance == pytest.approx(chance, abs=0.0001)


def test_a_simulation_keeps_to_the_house_rules() -> None:
    """Which are said with the figures; no brawl goes on after the police have come."""
    words = ("--game", "brawl", "--games", "20", "--seed", "ember", "--cores", "1", "--house", "police=3")
    told = run(*words).output
    assert "\npolice = 3\n" in told and "3 at the most" in told and "the police came" in told


class _Endless:
    """A ruleset whose games never end."""

    options = ()
    bots = {"idler": lambda state, seat, dice: ()}  # noqa: RUF012

    def dealable(self) -> tuple[str, ...]:
        return ()

    def begin(self, *given: object) -> int:
        return 0

    def view(self, state: int, seat: Seat) -> int:
        return state

    def phase(self, state: int) -> Phase:
        return Phase(kind="day", title="Day", owing=(Seat("seat-1"),))

    def advance(self, state: int, *given: object) -> Outcome[int]:
        return Outcome(state=state + 1, verdicts=(), events=())


def test_a_game_without_an_end_is_broken_off() -> None:
    """Nobody wins it, and it is counted as such."""
    endless: Any = _Endless()
    game = play(endless, Match(seats=1, bots=("idler",)), Dice(SEED))
    assert (game.winners, game.ending, game.phases) == ((), BROKEN_OFF, {"day": LONGEST})


def run(*words: str) -> Result:
    """Run `pbem simulate`; no arena is needed."""
    return CliRunner().invoke(cli.pbem, ["--arena", "/nowhere", "simulate", *words])


def test_the_figures_are_the_same_on_any_number_of_cores() -> None:
    """But for the time that they took; another seed has others."""
    words = ("--games", "25", "--powers", "flight", "--powers", "3", "--json")
    one, two, other = (
        json.loads(run(*words, "--seed", seed, "--cores", cores).output)
        for seed, cores in (("ember", "1"), ("ember", "2"), ("amber", "1"))
    )
    assert one.pop("pace")["cores"] == 1 and two.pop("pace")["cores"] == 2
    assert one == two and one["seats"] != other["seats"]
    assert one["games"] == 25 and one["pieces"]["Flight"]["games"] == 25
    assert sum(piece["games"] for piece in one["pieces"].values()) == 4 * 25


def test_people_read_how_games_ended_and_who_won() -> None:
    """Without a bar where the output is no terminal."""
    told = run("--games", "20", "--seed", "ember", "--cores", "1", "--powers", "Tough Skin").output
    assert told.startswith("Rumble: 20 games of 4 seats, bot anybody, seed ember\n") and "Playing" not in told
    for part in (
        "games a second on one core",
        "Rounds a game: ",
        "How games ended\n",
        "  seat 4 ",
        "chi-square",
        "  Tough Skin  ",
    ):
        assert part in told


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        (
            ["--game", "harbour"],
            "Harbour brings no bots, so its games cannot be simulated. These do: brawl, discs, rumble.",
        ),
        (["--game", "rumbel"], "Did you mean rumble?"),
        (["--bot", "zebra"], "Known: anybody, weakest, leader"),
        (
            ["--powers", "Expert Training"],
            "Expert Training cannot be dealt to bots: it needs an auction, or a moderator",
        ),
        (["--powers", "zzzz"], "There is no power of that name."),
        (["--powers", "1000"], "A game cannot have 1000 of them"),
        (["--seats", "1"], "Rumble is for 2 to 32 seats, not 1."),
        (["--house", "ties=loud"], '--house ties: ties = "loud" is none of its values.'),
        (["--game", "brawl", "--powers", "1"], "A game cannot have 1 of them: 0 can be dealt."),
    ],
)
def test_what_cannot_be_played_is_refused(words: list[str], heard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what would have worked; the command line is wrong."""
    known = {**rulesets_known(), "harbour": HarbourRules()}
    monkeypatch.setattr(simulation, "rulesets_known", lambda: known)
    done = run(*words)
    assert done.exit_code == 2 and heard in " ".join(done.output.split()), done.output
