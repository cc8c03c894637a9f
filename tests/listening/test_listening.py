"""The corpus is what was asked for, its expectations are orders of the games, and the figures are printed."""

from collections import Counter
from hashlib import sha256

import pytest

from tests.listening import __main__ as figures
from tests.listening import drawn
from tests.listening.judging import NOTHING, Seen, canonical, judged
from tests.listening.said import CLASSES, FIRST_STEP, HERE, PARTS, STEPS, Outcome, Said, corpus
from tests.listening.scenes import SCENES, Stage


def test_the_corpus_is_what_was_asked_for() -> None:
    """Over a thousand mails, in every class and ruleset but those of one step, each in the file of its class."""
    mails = corpus()
    assert len(mails) >= 1000
    assert len({(one.about, one.name) for one in mails}) == len(mails)
    assert {one.about for one in mails} == set(CLASSES)
    parts = Counter((one.about, one.part) for one in mails)
    assert min(parts.values()) >= 15 and {part for _, part in parts} == set(PARTS)
    assert {(one.about, one.ruleset) for one in mails} == {
        (about, game) for about in CLASSES for game in figures.GAMES if about < FIRST_STEP or game in STEPS[about]
    }
    assert {one.scene for one in mails} == set(SCENES)
    assert all(bool(one.right) != bool(one.machine) for one in mails)
    for part in PARTS:
        for path in HERE.glob(f"{part}/*.toml"):
            found = path.read_text(encoding="utf-8").count("\n[[said]]\n")
            assert found == parts[int(path.stem.removeprefix("class")), part], path


def test_nobody_mends_a_frozen_mail_to_suit_the_reader() -> None:
    """The frozen files are as they were written; who opens them writes others, and their digest here."""
    files = sorted((HERE / "frozen").iterdir())
    digest = sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    assert digest == "c6bff671d9bcaa7e46db72998bf9aa89474bc4f030e545b9057a76a3ffc68faf"


def test_a_line_that_nobody_heard_of_is_found_out(played: Stage) -> None:
    """The law of accounts can fail: one that is neither in the mail nor in the answer is lost."""
    mail = drawn.Drawn("rumble round", "attack Bob 21\ndefend 52", ("attack Bob 21", "defend 52"), "alone")
    assert not drawn.unaccounted(mail, played)
    assert drawn.unaccounted(mail._replace(strays=("attack Cy 2",)), played) == ["attack Cy 2"]
    assert drawn.unaccounted(mail._replace(orders=("defend 51",)), played) == ["defend 51"]


def test_what_is_expected_are_orders_of_the_games(played: Stage) -> None:
    """Every order of every outcome is one by the ruleset alone, and so are the sets and strays that are drawn."""
    for scene in SCENES:
        wanted = {fair.taken for one in corpus() if one.scene == scene for fair in one.right}
        sets = (drawn.OPEN | drawn.MORE).get(scene, ())
        lines = {line for taken in (*sets, drawn.STRAYS.get(scene, ())) for line in taken}
        with played.lend(scene) as room:
            for taken in wanted:
                canonical(room, taken)
            assert all(drawn.parse_alone(room, line) for line in lines), lines


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str], played: Stage) -> None:
    """A small sample gives a row for each class and part that is in it, and the laws their lines."""
    figures.print_corpus(corpus()[::150], played)
    figures.print_laws(played, 160)
    figures.print_games(2, ["brawl"])
    told = capsys.readouterr().out
    assert "9 machines" in told and "pure talk" in told and "careless" in told
    rows = [line.split() for line in told.split("\n") if line.startswith("all ")]
    assert sum(int(row[2]) for row in rows) == len(corpus()[::150])


def came(hand: tuple[str, ...], told: str, *, moved: bool, before: tuple[str, ...] = ()) -> Seen:
    """Make up what came of a mail."""
    return Seen(before, hand, told, 1, moved, (), ())


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        (came(("defend 3", "attack bob 4"), "", moved=True), "right"),
        (came(("attack bob 1", "defend 3", "attack bob 3"), "", moved=True), "right"),
        (came(("defend 3", "attack bob 4"), "Taken in part: what is up? bob", moved=False), "asked"),
        (came(("defend 3",), "Taken in part: line 2 4 on bob", moved=False), "refused"),
        (came((), f"{NOTHING[0]}.", moved=False), "refused"),
        (came(("defend 3",), "Thank you.", moved=True), "lost"),
        (came(("defend 3",), "Taken in part: line 3 what is up", moved=False), "lost"),
        (came(("defend 3", "attack bob 4", "attack cy 1"), "", moved=True), "invented"),
        (came(("defend 3",), "Not taken. Your orders", moved=True, before=("defend 3",)), "refused"),
    ],
)
def test_a_verdict_tells_the_loss_from_the_refusal(seen: Seen, wanted: str) -> None:
    """What is said of an order decides whether it was refused or lost, what is on hand whether one was invented."""
    said = Said(name="made up", about=6, scene="rumble round", right=(Outcome(("defend 3", "attack bob 4")),))
    assert judged(said, seen, tuple) == wanted


def test_a_doubt_that_is_not_asked_about_is_found_out() -> None:
    """Whoever is ready with a condition left out has been given an order that they did not write."""
    fair = Outcome(("defend 3",), ("but only if",), "no")
    said = Said(name="made up", about=5, scene="rumble round", right=(fair,))
    assert judged(said, came(("defend 3",), "Taken, but: but only if", moved=False), tuple) == "right"
    assert judged(said, came(("defend 3",), "Passed over: but only if", moved=True), tuple) == "invented"
    assert judged(said, came(("defend 3",), "On hand", moved=False), tuple) == "lost"
