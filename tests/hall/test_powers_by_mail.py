"""Powers by mail: those of the archive run by themselves, and the moderator writes others in formal lines."""

import textwrap
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.rulesets.rumble.model.state import Power
from pbem.rulesets.rumble.powers.archive import Archived, find
from pbem.rulesets.rumble.rehearsal.trials import Trial
from pbem.world.settings import templates
from tests.conftest import Room, flat

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
GAME = "ember-7"


def sent(name: str) -> str:
    """Return the lines that send a power of the archive."""
    power = find(name)
    assert isinstance(power, Archived)
    return f"power: {power.name}\ntext: {power.text}"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=("round",), house={"left_over": "idle"})
    room.write(ADA, f"{sent('laser eyes')}\n\npower: Grudge\ntext: +5 to each of your Attacks.")
    room.write(BO, f"{sent('air strike')}\n\n{sent('tough skin')}")
    room.sweep()
    for who, wanted in ((ADA, ("Laser Eyes", "Grudge")), (BO, ("Air Strike", "Tough Skin"))):
        room.write(who, "\n".join(f"bid {name} 5" for name in wanted))
    room.sweep()
    assert room.table(GAME).title == "Round 1"
    room.arena.close()
    return room


@pytest.fixture
def game(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """Round 1: Ada has Laser Eyes and Grudge, Bo has Air Strike and Tough Skin; proofs wait for the moderator."""
    yield from begun.lent(tmp_path / "arena")


def power(room: Room, name: str) -> Power:
    """Return a power as it stands."""
    powers: tuple[Power, ...] = room.table(GAME).state.powers
    return next(one for one in powers if one.name == name)


def test_a_round_is_played_without_a_word_of_the_moderators(game: Room) -> None:
    """Uses are priced by the machine, the receipt says so, and the report derives each number with the power's name."""
    game.write(ADA, "use Laser Eyes on Cuttlefish\nattack Cuttlefish 30")
    game.sweep()
    assert "Laser Eyes on Doctor Cuttlefish 10" in flat(game.last(ADA))
    game.write(BO, "use Air Strike X=20\ndefend 5")
    game.sweep()
    proof = flat(game.last(GWEN))
    assert "Mantisman: P02 Grudge : " in proof.partition("that do not run by themselves")[2]
    assert "Laser Eyes" not in proof.partition("WHAT NEEDS YOU")[2]
    assert "used P" not in proof
    game.write(GWEN, "approve 1")
    game.sweep()
    report = flat(game.last(ADA))
    assert "Defence of Doctor Cuttlefish: 5 + 20 (Tough Skin) = 25" in report
    assert "30 (Mantisman) + 20 (Air Strike of Doctor Cuttlefish) - Defence 25 + 5 past Defence (Laser Eyes" in report
    assert "Mantisman: 20 (Air Strike of Doctor Cuttlefish) = 20 damage" in report


def test_uses_that_cannot_be_are_answered_with_what_would_work(game: Room) -> None:
    """No target, an X of nothing, more than there is, a power that holds by itself, one of somebody else's."""
    game.write(ADA, "defend 1")
    game.sweep()
    for lines, said in (
        ("use Laser Eyes", "Say on whom: use Laser Eyes on NAME."),
        ("use Laser Eyes on Bolt", "There is no hero of that name."),
        ("use Laser Eyes on Cuttlefish X=3", "Laser Eyes has no X."),
        ("use Laser Eyes on Cuttlefish x99", "you have 90"),
        ("use Tough Skin", "Tough Skin belongs to Doctor Cuttlefish."),
    ):
        game.write(ADA, lines)
        game.sweep()
        assert said in flat(game.last(ADA)), (lines, game.last(ADA))
    assert game.table(GAME).sets.hand["mantisman"].orders == ("defend 1",)
    game.write(BO, "use Air Strike X=0")
    game.sweep()
    assert "An X of 0 does nothing." in flat(game.last(BO))


def test_the_moderator_writes_a_power_in_formal_lines(game: Room) -> None:
    """Lines between = and end are one ruling, with its reason; it reads back, is printed, and the power runs."""
    key = power(game, "Grudge").key
    text = f"power {key} =\n  do: attack(me, any) += 5\n\n  when: round start\n  do: gain me 2\nend because\nthat is what it says"
    game.write(GWEN, text)
    game.sweep()
    ruled = game.table(GAME).rulings[-1]
    assert ruled.ruling.show() == f"do power {key} = do: attack(me, any) += 5; also; when: round start; do: gain me 2"
    assert ruled.ruling.because == "that is what it says"
    echo = flat(game.last(GWEN))
    assert f"{key} Grudge, as I read it" in echo and "Effect each of your Attacks goes up by 5" in echo.replace(
        ": ", ""
    )
    assert "With it Bo loses 25, without it 20." in echo.replace(": ", "")
    game.write(ADA, "attack Cuttlefish 10")
    game.write(BO, "defend 0")
    game.sweep()
    game.write(GWEN, "approve 1")
    game.sweep()
    assert f"{key} Grudge runs by itself from now on" in flat(game.last(BO))
    assert ": Effect        each of your Attacks goes up by 5\n" in game.last(BO)
    assert power(game, "Grudge").lines == "do: attack(me, any) += 5\n\nwhen: round start\ndo: gain me 2"
    game.write(ADA, "attack Cuttlefish 30")
    game.write(BO, "defend 0")
    game.sweep()
    assert "Attack of Mantisman on Doctor Cuttlefish: 30 + 5 (Grudge) = 35" in flat(game.last(GWEN))
    game.write(GWEN, "manual Grudge because I was wrong\napprove 2")
    game.sweep(timedelta(minutes=5))
    game.write(GWEN, f"approve {game.table(GAME).proof}")
    game.sweep()
    assert power(game, "Grudge").lines == ""


def test_lines_that_the_moderator_wrote_stay_as_written(game: Room) -> None:
    """However often the arena is opened, also those that an older release had for a power of the archive."""
    lines = "when: round end\nif: energy(me) <= 5\ndo: win me"
    game.write(GWEN, f"power Grudge =\n{lines}\nend because it is to win on 0 too")
    game.sweep()
    game.write(ADA, "defend 1")
    game.write(BO, "defend 1")
    game.sweep()
    game.write(GWEN, f"approve {game.table(GAME).proof}")
    game.sweep()
    game.reopen()
    assert game.table(GAME).title == "Round 2" and power(game, "Grudge").lines == lines


def test_the_moderator_is_asked_of_each_caption_and_strikes_one(game: Room) -> None:
    """The proof asks what only a person knows, an overrule of the verdict answers, and the word is not shouted again."""
    game.write(GWEN, "use Grudge as Batman Captions because it is the same thing")
    game.write(ADA, "attack Cuttlefish 30\nuse Laser Eyes on Cuttle")
    game.write(BO, "defend 0")
    game.sweep()
    game.write(GWEN, "approve 1")
    game.sweep()
    assert "~ captions: ____" in game.last(ADA)
    game.write(ADA, "attack Cuttlefish 30\nuse Laser Eyes on Cuttle\ncaptions: ZOWIE, table")
    game.write(BO, "defend 0")
    game.sweep()
    proof = game.last(GWEN)
    assert "TABLE! of Mantisman, P02 Grudge: Is the caption a sound effect? If you say nothing, it counts." in flat(
        proof
    )
    assert "| overrule caption WORD = no because REASON" in proof
    game.write(GWEN, "status")
    game.sweep()
    verdict = next(line.split()[0] for line in game.last(GWEN).split("\n") if "Caption TABLE of" in line)
    game.write(GWEN, f"overrule {verdict} = no because furniture is silent")
    game.sweep()
    assert "on Doctor Cuttlefish: TABLE! adds nothing, as ruled (Grudge)" in flat(game.last(GWEN))
    game.write(GWEN, f"approve {game.table(GAME).proof}")
    game.sweep()
    assert "on Doctor Cuttlefish: ZOWIE! +5 (Grudge)" in flat(game.last(BO))
    assert "Shouted so far: ZOWIE, TABLE." in flat(game.last(ADA))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("do: gane me 10", "do: gane me 10: I know none that begins with"),
        ("cost: drain X\ndo: gain me 3", "cost: drain X: So far only a number is drained"),
        ("cost: spend 10\nchoose: T = hero\ndo: deal X to T", "X is what a use spends, as cost: spend X says."),
        ("when: damage to me\ndo: deal 5 to me unblockable", "In a trial what follows from its damage would not end."),
    ],
)
def test_formal_lines_that_cannot_be_leave_a_power_as_it_was(game: Room, lines: str, said: str) -> None:
    """The moderator reads which line is wrong, and what would have worked."""
    game.write(GWEN, f"power Grudge =\n{lines}\nend because so")
    game.sweep()
    assert said in flat(game.last(GWEN)) and game.table(GAME).rulings == ()
    assert power(game, "Grudge").lines == ""


def test_lines_that_run_no_more_when_their_phase_closes_stop_nothing(
    game: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were taken by a release that knew no better: the proof says which line did nothing, and why."""
    key = power(game, "Grudge").key
    with monkeypatch.context() as before:
        before.setattr("pbem.rulesets.rumble.effects.do_lines.complaints", lambda text: ())
        before.setattr("pbem.rulesets.rumble.rehearsal.trials.tried", lambda lines: Trial())
        before.setattr("pbem.rulesets.rumble.rehearsal.explanations.of_lines", lambda lines, house: {})
        game.write(GWEN, f"power {key} =\nwhen: after damage\nif: energy(me) < 90\ndo: deal 3 to me\nend because so")
        game.sweep()
        assert len(game.table(GAME).rulings) == 1
    game.write(ADA, "defend 0")
    game.write(BO, "attack Mantisman 30")
    game.sweep()
    proof = flat(game.last(GWEN))
    assert "This did nothing: power" in proof and "Energy is still what it was before the blows here" in proof
    game.write(GWEN, "approve 1")
    game.sweep()
    assert game.table(GAME).title == "Round 2" and power(game, "Grudge").lines == ""


def test_a_block_without_an_end_rules_nothing(game: Room) -> None:
    """Each of its lines is refused by itself; none of them is taken for something else."""
    game.write(GWEN, "power Grudge =\ndo: attack(me, any) += 5\nbecause so")
    game.sweep()
    assert game.table(GAME).rulings == () and "Not taken" in game.last(GWEN)


def test_the_moderator_lets_a_power_run_like_one_of_the_archive(game: Room) -> None:
    """`use` takes the archive's lines, under its own name or another; it is echoed, and several can stand together."""
    grudge, skin = power(game, "Grudge").key, power(game, "Tough Skin").key
    lines = f"manual {skin} because I want to see it\nuse {skin} because it is that one\nuse Grudge as combat training because it is like it"
    game.write(GWEN, lines)
    game.sweep()
    assert [one.ruling.show() for one in game.table(GAME).rulings] == [
        f"do manual {skin}",
        f"do power {skin} = do: defence(me) += 20",
        f"do power {grudge} = do: attack(me, any) += 10",
    ]
    echo = game.last(GWEN)
    assert f"{grudge} Grudge, as I read it" in echo and "\n: Effect        your Defence goes up by 20\n" in echo


def test_what_the_archive_cannot_lend_is_refused_in_words(game: Room) -> None:
    """A name that it has not, names that fit several; a line of reasons alone is refused too."""
    key = power(game, "Grudge").key
    for line, said in (
        ("use Grudge", f"The archive has no Grudge. Name one that it is to run like: use {key} as Flight."),
        (
            "use Grudge as Zeppelin",
            f"There is no power of that name. Write a name of the archive: use {key} as Flight.",
        ),
        ("use Grudge as precog", '"precog" could be Precognition or Precognition (2003).'),
        ("use Zap", "There is no power of that name. Known:"),
        (",", "I know no ruling that begins so."),
    ):
        game.write(GWEN, f"{line} because so")
        game.sweep()
        assert said in flat(game.last(GWEN)) and game.table(GAME).rulings == (), line


def test_the_proof_of_the_pool_asks_how_powers_meet(tmp_path: Path) -> None:
    """Two that set one value are one question to the moderator alone, with what holds otherwise."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=("powers",))
    room.write(ADA, f"{sent('ghost punch')}\n\npower: Iron Wall\ntext: Your Defence is 40.")
    room.write(BO, f"{sent('flight')}\n\n{sent('tough skin')}")
    room.sweep()
    assert "If nothing is said" not in room.last(GWEN)
    powers = room.table(GAME).outcome.state.powers
    wall, punch = (next(one for one in powers if one.name == name) for name in ("Iron Wall", "Ghost Punch"))
    room.write(GWEN, f"power {wall.key} = do: defence(me) = 40 final because so")
    room.sweep()
    first, last = sorted((wall, punch), key=lambda one: one.number)
    asked = f"{first.key} {first.name} and {last.key} {last.name} can both set a Defence to a number."
    assert f"{asked} If nothing is said, {last.key} {last.name} counts, the higher number in the pool." in flat(
        room.last(GWEN)
    )
    room.write(GWEN, "approve 2")
    room.sweep()
    assert "can both set" not in room.last(ADA)
    room.arena.close()


def test_authors_amend_the_pool_before_anybody_bids(tmp_path: Path) -> None:
    """Each is shown what is theirs, and a form; a long text may be wrapped; nobody is told whose a text is."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=("powers",), house={"amendments": "yes"})
    room.write(ADA, f"{sent('laser eyes')}\n\npower: Grudge\ntext: +5 to each of your Attacks.")
    room.write(BO, "power: Air Strike\n\npower: Tough Skin")
    room.sweep()
    room.write(GWEN, "approve 1")
    room.sweep()
    assert room.table(GAME).title == "Amendments"
    asked = room.last(ADA)
    key = power(room, "Grudge").key
    assert f"~ reword {key}: ____" in asked and f"~ reword {power(room, 'Tough Skin').key}" not in asked
    text = "Spend 10 and choose a Hero: " + "do 5 unavoidable damage to that Hero, " * 9 + "and no more."
    wrapped = textwrap.fill(text, 60)
    room.write(ADA, f"reword Laser: {wrapped}\n\nreword Tough Skin: You lose.")
    room.sweep()
    assert (
        "There is no power of that name." in flat(room.last(ADA)) and room.table(GAME).sets.hand["mantisman"].incomplete
    )
    room.write(ADA, f"reword laser eyes: {wrapped}\n\nThanks, Ada")
    room.write(BO, "pass")
    room.sweep()
    assert [line for line in room.last(ADA).split("\n") if len(line) > 56] == []
    assert room.table(GAME).title == "Auction" and power(room, "Laser Eyes").text == text
    assert power(room, "Laser Eyes").lines == "" and power(room, "Grudge").lines == ""
    report = flat(room.last(BO))
    assert (
        "One of four reads otherwise now, and the pool is open for bids." in report and "unavoidable damage" in report
    )
    room.arena.close()


def test_lines_end_with_the_words_for_which_they_were_said(tmp_path: Path) -> None:
    """The moderator is given them at the proof, which shows the new words; what is said there is for those."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    review = ("powers", "amend")
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=review, house={"amendments": "yes"})
    room.write(ADA, "power: Flight\n\npower: Grudge\ntext: +5 to each of your Attacks.")
    room.write(BO, "power: Air Strike\n\npower: Tough Skin")
    room.sweep()
    room.write(GWEN, "approve 1")
    room.sweep()
    key = power(room, "Grudge").key
    room.write(GWEN, "status")
    room.sweep()
    room.write(GWEN, f"power {key} = do: attack(me, any) += 5 because so it says")
    room.sweep()
    assert "Mind: if its author changes its words in this phase, these lines end." in flat(room.last(GWEN))
    room.write(ADA, f"reword {key}: +50 to each of your Attacks.")
    room.write(BO, "pass")
    room.sweep()
    proof = flat(room.last(GWEN))
    assert f"{key} Grudge no longer runs by itself" in proof and "do: attack(me, any) += 5" in proof, proof
    assert room.table(GAME).outcome.state.card(key).lines == ""
    room.write(GWEN, f"power {key} = do: attack(me, any) += 50 because so it says now")
    room.sweep()
    room.write(GWEN, "approve 2")
    room.sweep()
    assert power(room, "Grudge").lines == "do: attack(me, any) += 50"
    assert "no longer runs" not in flat(room.last(BO))
    room.arena.close()


def test_who_amends_nothing_is_not_named_for_it(tmp_path: Path) -> None:
    """Else everybody knows whose the text is that reads otherwise; silence is an answer there, as pass is."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=(), house={"amendments": "yes"})
    room.write(ADA, "power: Laser Eyes")
    room.write(BO, "power: Air Strike")
    room.sweep(timedelta(days=4))
    assert room.table(GAME).title == "Amendments"
    room.write(ADA, "reword Laser Eyes: Do 6 damage to a Hero.")
    room.sweep()
    room.sweep(timedelta(days=4))
    report = flat(room.last(BO))
    assert "Laser Eyes now reads:" in report and "No orders came from" not in report
    room.arena.close()
