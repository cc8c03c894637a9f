"""Rulings that are made for a power follow it: it ends, goes along, or is asked about, and never counts twice."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.hall.store.catalogue import rulesets_known
from pbem.language.phrases import Unread
from pbem.rulesets.rumble import RULESET
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import examples

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
SEATS = {"Mantisman": "mantisman", "Cuttlefish": "doctor-cuttlefish"}
GAME = "ember-7"
FOR_IT = "do P02: Mantisman gains 3 each round because it says so"
LINES = "power P02 =\nwhen: round end\ndo: gain me 5\nend because it is plain"


def begun(root: Path, review: Sequence[str] = ("round",)) -> Room:
    """Play an auction in which Mantisman wins Grudge, which nobody's lines run."""
    room = Room(root, rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=review)
    room.write(ADA, "power: Grudge\ntext: Whoever has it bears one.\n\npower: Spite\ntext: So does this.")
    room.write(BO, "power: Malice\ntext: And this.\n\npower: Envy\ntext: And this too.")
    room.sweep()
    room.write(ADA, "bid Grudge 5")
    room.write(BO, "bid Malice 5")
    room.sweep()
    assert room.table(GAME).title == "Round 1"
    assert [(one.key, one.owner) for one in room.table(GAME).state.powers if one.name == "Grudge"] == [
        ("P02", "mantisman")
    ]
    return room


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the next fixture, closed."""
    room = begun(tmp_path_factory.mktemp("played") / "arena")
    room.arena.close()
    return room


@pytest.fixture
def game(played: Room, tmp_path: Path) -> Iterator[Room]:
    """Round 1, whose proof waits for the moderator: Mantisman has Grudge."""
    yield from played.lent(tmp_path / "arena")


def close(room: Room) -> None:
    """Let both send what does nothing."""
    room.write(ADA, "defend 0")
    room.write(BO, "defend 0")
    room.sweep()
    assert room.table(GAME).status == "closed"


def rule(room: Room, *lines: str) -> str:
    """Write rulings; return the moderator's letters about them, on one line."""
    if room.table(GAME).status == "open":  # whoever let a report out has no letter of this phase yet
        room.write(GWEN, "status")
        room.sweep()
    had = len(room.letters(GWEN))
    room.write(GWEN, "\n".join(lines))
    room.sweep()
    return flat("\n".join("\n".join(letter.body) for letter in room.letters(GWEN)[had:]))


def publish(room: Room, *lines: str) -> None:
    """Close a round, rule, and let the report out."""
    close(room)
    if lines:
        rule(room, *lines)
    rule(room, f"approve {room.table(GAME).proof}")


def gained(room: Room) -> dict[str, list[tuple[str, int]]]:
    """Return what each hero gained in the closed round, and by what."""
    stands = [event.facts for event in room.table(GAME).outcome.events if event.kind == "stands"]
    return {
        SEATS["Mantisman" if one["hero"] == "Mantisman" else "Cuttlefish"]: [
            (part["what"], part["amount"]) for part in one["why"] if part["what"] in ("gained", "Grudge")
        ]
        for one in stands
    }


def test_the_name_of_the_owner_is_read_as_the_owner(game: Room) -> None:
    """The echo shows how it is kept; the owner's name, its owner and OWNER are the same, another hero's is not."""
    for said in ("Mantisman gains 3", "gain OWNER 3", "gain its owner 3", "the owner gains 3"):
        assert "do P02: gain its owner 3 each round" in rule(game, f"do P02: {said} each round because so")
    assert "do P02: gain Doctor Cuttlefish 3" in rule(game, "do P02: gain Cuttlefish 3 each round because so")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("do P02: sing because so", "I know no effect that reads so"),
        ("do P02: manual P02 because so", "What you rule of a power itself stands behind do without another power"),
        ("do P77: gain Mantisman 3 because so", "power of that name"),
    ],
)
def test_what_cannot_be_said_for_a_power_is_answered(game: Room, line: str, said: str) -> None:
    """What is no effect, no power, or a ruling of a power itself, which belongs to none."""
    told = rule(game, line)
    assert said in told and game.table(GAME).rulings == (), told


def test_nothing_can_be_said_for_a_power_that_nobody_has(game: Room) -> None:
    """Whoever gets it is not known yet."""
    state = game.table(GAME).state
    powers = tuple(msgspec.structs.replace(power, owner="") for power in state.powers)
    found = RULESET.effect(msgspec.structs.replace(state, powers=powers), "P02: gain its owner 3")
    assert found == Unread("illegal", "Nobody has P02 Grudge, so it does nothing.")


@pytest.mark.parametrize(
    "effect",
    [
        "attack(its owner, any) += 5",
        "deal 5 to doctor-cuttlefish from its owner",
        "ignore attack of its owner on doctor-cuttlefish",
        "keep its owner from losing",
        "energy(its owner) = 4",
        "shield its owner all",
        "defence(its owner) += 3",
        "lose its owner 3 at end",
        "give P02 to doctor-cuttlefish",
        "discard P02",
    ],
)
def test_what_is_said_for_a_power_reads_back_the_same(game: Room, effect: str) -> None:
    """Whoever has it is written as its owner; a hero called Owner is meant by that name."""
    state = game.table(GAME).state
    assert RULESET.effect(state, f"P02: {effect}") == f"P02: {effect}"
    assert RULESET.effect(state, f"P02: {effect.replace('its owner', 'Mantisman')}") == f"P02: {effect}"
    heroes = tuple(
        msgspec.structs.replace(hero, name="Owner") if hero.seat == SEATS["Cuttlefish"] else hero
        for hero in state.heroes
    )
    assert RULESET.effect(msgspec.structs.replace(state, heroes=heroes), "P02: gain Owner 3") == (
        f"P02: gain {SEATS['Cuttlefish']} 3"
    )


def test_it_goes_along_when_the_power_changes_hands(game: Room) -> None:
    """The proof says so, with the lines that would have it otherwise; unanswered it is the new owner's."""
    rule(game, FOR_IT)
    close(game)
    told = rule(game, "give P02 to Cuttlefish because they traded")
    assert "Ruling 1 goes on: P02 Grudge belongs to Doctor Cuttlefish now." in told
    assert "To end it with this phase: | undo 1 | do gain Mantisman 3 because REASON" in told
    assert "To leave it with Mantisman: | undo 1 | do gain Mantisman 3 each round because REASON" in told
    rule(game, f"approve {game.table(GAME).proof}")
    assert "Ruling 1 goes on: P02 Grudge belongs to Doctor Cuttlefish now." in flat(game.last(BO))
    close(game)
    assert gained(game) == {SEATS["Mantisman"]: [], SEATS["Cuttlefish"]: [("gained", 3)]}


def test_it_can_stay_with_the_old_owner(game: Room) -> None:
    """The lines that the proof has for that do it, and count once in this round too."""
    rule(game, FOR_IT)
    close(game)
    rule(game, "give P02 to Cuttlefish because they traded")
    rule(game, "undo 1", "do gain Mantisman 3 each round because it was promised")
    assert gained(game) == {SEATS["Mantisman"]: [("gained", 3)], SEATS["Cuttlefish"]: []}
    rule(game, f"approve {game.table(GAME).proof}")
    close(game)
    assert gained(game) == {SEATS["Mantisman"]: [("gained", 3)], SEATS["Cuttlefish"]: []}


def test_it_ends_with_the_power(game: Room) -> None:
    """While orders are open the echo foresees it, the report says it, and nothing stands any more."""
    rule(game, FOR_IT)
    told = rule(game, "discard P02 because it is worn out")
    assert "Ruling 1 ends with this phase: P02 Grudge is out of play." in told
    assert "To keep it all the same: | undo 1 | do gain Mantisman 3 each round because REASON" in told
    publish(game)
    assert "Ruling 1 ends here: P02 Grudge is out of play." in flat(game.last(ADA))
    assert game.table(GAME).standing == ()
    close(game)
    assert gained(game) == {SEATS["Mantisman"]: [], SEATS["Cuttlefish"]: []}


def test_lines_of_its_own_end_it(game: Room) -> None:
    """From the next round on the lines run, and the ruling does not; to say it again is refused with what would do."""
    rule(game, FOR_IT)
    close(game)
    told = rule(game, LINES)
    assert "Ruling 1 ends with this phase: P02 Grudge runs by lines of its own from now on." in told
    assert "To keep it instead: | do manual P02 because REASON" in told
    assert gained(game)[SEATS["Mantisman"]] == [("gained", 3)]
    rule(game, f"approve {game.table(GAME).proof}")
    told = rule(game, FOR_IT)
    assert "P02 Grudge runs by lines of its own, and would count twice." in told and game.table(GAME).rulings == ()
    close(game)
    assert gained(game)[SEATS["Mantisman"]] == [("Grudge", 5)]


def test_manual_at_the_proof_keeps_it(game: Room) -> None:
    """As the proof says."""
    rule(game, FOR_IT)
    close(game)
    rule(game, LINES)
    told = rule(game, "do manual P02 because by hand after all")
    assert "Ruling 1 ends" not in told
    rule(game, f"approve {game.table(GAME).proof}")
    close(game)
    assert gained(game)[SEATS["Mantisman"]] == [("gained", 3)]


def test_new_words_are_told_and_change_nothing(game: Room) -> None:
    """It may be that what was ruled fits the new text, so it goes on until somebody says otherwise."""
    rule(game, FOR_IT)
    close(game)
    assert "Ruling 1 goes on: P02 Grudge has other words now." in rule(game, "reword P02: It bears two because typo")


def test_where_nothing_is_reviewed_the_moderators_report_has_the_choices(tmp_path: Path) -> None:
    """The lines are those that work once a report is out; the players read what happened, and no lines."""
    room = begun(tmp_path / "arena", review=("keep",))
    rule(room, FOR_IT, "give P02 to Cuttlefish because they traded")
    room.write(ADA, "defend 0")
    room.write(BO, "defend 0")
    room.sweep()
    told = flat(room.last(GWEN))
    assert "To end it: | undo 1 To leave it with Mantisman: | undo 1 | do gain Mantisman 3 each round because" in told
    assert "undo" not in flat(room.last(ADA)) and "Ruling 1 goes on" in flat(room.last(ADA))
    room.arena.close()


def test_nothing_is_told_of_it_when_the_game_is_over(game: Room) -> None:
    """There is no phase in which it could go on."""
    rule(game, FOR_IT.replace("gains 3", "loses 3 at the end"))
    game.write(BO, "attack Mantisman 95")
    game.write(ADA, "defend 0")
    game.sweep()
    assert game.table(GAME).outcome.result
    assert "Ruling 1 ends" not in flat(game.last(GWEN))


# What a person may do to one power and what is said for it, and what comes of that by a second reckoning.

FOR = st.just(FOR_IT.replace("Mantisman", "its owner"))
LINE = st.one_of(
    FOR, FOR, st.just("discard P02 because so"), st.just("give P02 to Mantisman because so"),
    st.just("give P02 to Cuttlefish because so"), st.just(LINES), st.just("manual P02 because so"),
    st.just("reword P02: It bears two. because so"), st.integers(1, 5).map(lambda number: f"undo {number}"),
)  # fmt: skip
ROUND = st.tuples(st.lists(LINE, max_size=3), st.lists(LINE, max_size=3))


class Told:
    """One power and what is said for it, reckoned from the words of the rule alone."""

    def __init__(self) -> None:
        self.start = (SEATS["Mantisman"], True, False)
        self.standing: list[int] = []
        self.ruled = 0
        self.given: list[tuple[int, str, bool]] = []
        self.undone: set[int] = set()

    def folded(self) -> tuple[list[int], tuple[str, bool, bool], list[int]]:
        """Return which rulings for the power are in force, how the power ends the round, and which of them act."""
        held = [one for one in self.standing if one not in self.undone]
        kept: list[tuple[int, str, bool]] = []
        for number, line, late in self.given:
            if number not in self.undone and self.fits(line, kept, late=late):
                kept.append((number, line, late))
        said = held + [number for number, line, _ in kept if line.startswith("do P02:")]
        return said, self.end(kept), said if self.holds(self.start) else []

    def fits(self, line: str, kept: list[tuple[int, str, bool]], *, late: bool) -> bool:
        """Say whether a line can be ruled, by the power as the round began or, at the proof, as it ends."""
        states = [self.start, *([self.end(kept)] if late else [])]
        return any(self.holds(one) if line.startswith("do P02:") else one[1] for one in states)

    def end(self, kept: list[tuple[int, str, bool]]) -> tuple[str, bool, bool]:
        """Return owner, whether it is in play, and whether it runs, as rulings leave the power, in their order."""
        owner, in_play, runs = self.start
        for _, line, _ in kept:
            if in_play and not line.startswith("do P02:"):
                in_play = not line.startswith("discard")
                owner = SEATS[line.split()[3]] if line.startswith("give") else owner
                runs = line.startswith("power") or (runs and not line.startswith(("manual", "reword")))
        return owner, in_play, runs

    @staticmethod
    def holds(power: tuple[str, bool, bool]) -> bool:
        """Say whether what is said for a power can do anything."""
        return power[1] and not power[2]

    def rule(self, line: str, *, late: bool) -> None:
        """Take one line, if it can be taken."""
        said, _, _ = self.folded()
        if line.startswith("undo"):
            number = int(line.split()[1])
            kept = [one for one, *_ in self.given if one not in self.undone]
            if number in said or (number in kept and self.is_kept(number)):
                self.undone.add(number)
            return
        kept_now = self.kept()
        if self.fits(line, kept_now, late=late):
            self.ruled += 1
            self.given.append((self.ruled, line, late))

    def kept(self) -> list[tuple[int, str, bool]]:
        """Return the rulings of this round that are in force."""
        kept: list[tuple[int, str, bool]] = []
        for one in self.given:
            if one[0] not in self.undone and self.fits(one[1], kept, late=one[2]):
                kept.append(one)
        return kept

    def is_kept(self, number: int) -> bool:
        """Say whether a ruling of this round is in force."""
        return any(one == number for one, *_ in self.kept())

    def gains(self) -> dict[str, list[tuple[str, int]]]:
        """Return what comes of it in this round."""
        owner, in_play, runs = self.start
        _, _, acting = self.folded()
        gains: dict[str, list[tuple[str, int]]] = {seat: [] for seat in SEATS.values()}
        gains[owner] = [("gained", 3 * len(acting))] * bool(acting) + [("Grudge", 5)] * (in_play and runs)
        return gains

    def close(self) -> None:
        """Go on to the next round."""
        said, end, _ = self.folded()
        self.standing = said if self.holds(end) else []
        self.start, self.given, self.undone = end, [], set()


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=st.lists(ROUND, min_size=1, max_size=3))
@example(rounds=[([FOR_IT, LINES], ["manual P02 because so", "undo 2"]), ([FOR_IT], []), ([], ["undo 1"])])
@example(
    rounds=[([FOR_IT], [LINES]), ([], ["manual P02 because so", FOR_IT.replace("Mantisman", "its owner")]), ([], [])]
)
@example(
    rounds=[([FOR_IT], ["give P02 to Cuttlefish because so"]), ([], ["discard P02 because so", "undo 3"]), ([], [])]
)
def test_what_is_said_for_a_power_counts_once_or_not_at_all(
    played: Room, rounds: list[tuple[list[str], list[str]]]
) -> None:
    """Whatever is ruled, in whatever order, each round comes out as the words of the rule say, and every file reads."""
    with TemporaryDirectory() as folder:
        game, told = played.copied(Path(folder) / "arena"), Told()
        for early, late in rounds:
            for line in early:
                told.rule(line, late=False)
                rule(game, line)
            close(game)
            for line in late:
                told.rule(line, late=True)
                rule(game, line)
            assert gained(game) == told.gains(), (early, late)
            rule(game, f"approve {game.table(GAME).proof}")
            told.close()
            assert [one.number for one in game.table(GAME).standing] == told.standing
            game.reopen()
        game.arena.close()


def test_who_takes_the_seat_over_while_the_proof_waits_sees_the_power(game: Room) -> None:
    """It is theirs once the report is out, and the welcome says what they have."""
    rule(game, "replace Mantisman by fay@example.org")
    close(game)
    game.write("fay@example.org", "yes")
    game.sweep()
    game.write(GWEN, f"approve {game.table(GAME).proof}")
    game.sweep()
    game.sweep(timedelta(seconds=1))
    [welcome] = [text for letter in game.letters("fay@example.org") if "Welcome" in (text := "\n".join(letter.body))]
    assert "Your powers\n  P02 Grudge, strength 5" in welcome
    assert welcome.count("Whoever has it bears one.") == 1
