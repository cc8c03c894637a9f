"""`what if` works out a round with guessed orders of others, from the asker's view alone, and orders nothing."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.letters.reading import read
from pbem.table.outgoing.letter import MOST_ANSWERS
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO = "ada@example.org", "bo@example.org"
NAMES = {"ada": "Mantisman", "bo": "Bo", "cy": "Doctor Cuttlefish"}
GAME = "ember-7"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("guessed") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=("powers",), house={"left_over": "idle"})
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.arena.close()
    return room


@pytest.fixture
def first_round(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """Three heroes of 100 Energy in their first round."""
    yield from begun.lent(tmp_path / "arena")


def _asked(room: Room, said: str, who: str = ADA) -> str:
    """Return all that a mail is answered with."""
    since = len(room.letters(who))
    room.write(who, said)
    assert room.sweep().troubles == []
    return "\n".join(line for one in room.letters(who)[since:] for line in one.body)


@pytest.mark.parametrize(
    "said",
    some(
        3,
        [
            "what if Bo attacks me 40, Cuttlefish defends 20",
            "What if Bo attacks me 40 and Doctor Cuttlefish defends 20?",
            "what if Bo hits me for 40, and doctor cuttlefish will defend 20",
            "what if Bo would attack Mantisman with 40; Cuttlefish defends with 20.",
            "what if Bo: attack me 40, Cuttlefish: defend 20",
            "- what if Bo attacks me 40, Cuttlefish defends 20",
            "Hmm, what if Bo attacks me 40, Cuttlefish defends 20?",
            "And also: what if Bo attacks me 40,\nCuttlefish defends 20?",
            "just wondering... what if Bo attacks me 40, Cuttlefish defends 20",
        ],
    ),
)
def test_guesses_are_read_as_people_say_them(first_round: Room, said: str) -> None:
    """As they were read they are shown, and what comes of them; nothing is on hand by them."""
    first_round.write(ADA, "defend 30\nattack Bo 10")
    first_round.sweep()
    before = first_round.table(GAME).sets.hand["mantisman"]
    text = flat(_asked(first_round, said))
    assert "Bo : attack Mantisman 40" in text and "Doctor Cuttlefish : defend 20" in text, text
    assert "In your guess you end on 90." in text and "what you have on hand" in text
    assert first_round.table(GAME).sets.hand == {"mantisman": before}


def test_a_guess_goes_with_orders_of_the_same_mail(first_round: Room) -> None:
    """The orders are taken as ever, and are the asker's own set in the guess."""
    text = flat(_asked(first_round, "attack Bo 30\ndefend 70\nwhat if Bo attacks me 100"))
    assert first_round.table(GAME).sets.hand["mantisman"].orders == ("attack Bo 30", "defend 70")
    assert "Taken." in text and "In your guess you end on 70." in text, text
    assert not first_round.table(GAME).sets.hand["mantisman"].doubtful


@pytest.mark.parametrize("also", ["I also attack Cuttlefish 15", "Bo defends 5 and I would also attack Cuttlefish 15"])
def test_what_the_asker_also_does_comes_to_what_is_on_hand(first_round: Room, also: str) -> None:
    """The set on hand stays as it is; what cannot go with it is refused."""
    text = flat(_asked(first_round, f"attack Bo 30\ndefend 50\nwhat if {also}"))
    assert "you : attack Bo 30 : defend 50 : attack Doctor Cuttlefish 15" in text, text
    text = flat(_asked(first_round, "what if I also attack Cuttlefish 21"))
    assert "Your guess cannot be worked out." in text and "If it were Mantisman's set:" in text
    text = flat(_asked(first_round, "attack Bo 30\ndefend 50\nwhat if I also attack Cuttlefish 21"))
    assert "Your guess cannot be worked out." in text and "If it were Mantisman's set:" in text
    assert first_round.table(GAME).sets.hand["mantisman"].orders == ("attack Bo 30", "defend 50")
    text = flat(_asked(first_round, "attack Bo 10\nwhat if I also attack Cuttlefish 90"))
    assert "you : attack Bo 10 : attack Doctor Cuttlefish 90" in text


@pytest.mark.parametrize("who", ["everybody", "everyone else", "all the others", "they all", "Bo and Cuttlefish"])
def test_all_others_may_be_guessed_together(first_round: Room, who: str) -> None:
    """Each of them, and not the asker."""
    text = flat(_asked(first_round, f"attack Bo 1\nwhat if {who} attack{'s' * who.startswith('every')} me 10"))
    assert "Bo : attack Mantisman 10 Doctor Cuttlefish : attack Mantisman 10" in text, text
    assert "In your guess you end on 80." in text


@pytest.mark.parametrize("said", ["what if Zorro attacks me 40", "what if nobody defends 20?"])
def test_a_guess_about_a_stranger_is_no_order_and_holds_nothing_up(first_round: Room, said: str) -> None:
    """The answer says who is not known, and the set on hand counts as before."""
    first_round.write(ADA, "defend 30\nattack Bo 10")
    first_round.sweep()
    text = flat(_asked(first_round, said))
    assert "Nobody here is called" in text and "reply: yes" not in text, text
    assert not first_round.table(GAME).sets.hand["mantisman"].doubtful


def test_the_asker_may_guess_a_set_of_their_own(first_round: Room) -> None:
    """It stands in place of what is on hand in the guess alone."""
    first_round.write(ADA, "defend 100")
    first_round.sweep()
    text = flat(_asked(first_round, "what if I attack Bo 60 and defend 10, Bo attacks me 40"))
    assert "you : attack Bo 60" in text and "Bo : attack Mantisman 40" in text, text
    assert first_round.table(GAME).sets.hand["mantisman"].orders == ("defend 100",)


def test_who_is_not_named_does_nothing_and_several_do_the_same(first_round: Room) -> None:
    """The letter says both."""
    text = flat(_asked(first_round, "what if Bo attacks me 10"))
    assert "Doctor Cuttlefish does nothing, since you guess nothing" in text and "you do what the absent do" in text
    text = flat(_asked(first_round, "what if Bo and Cuttlefish attack me 20 each"))
    assert "Bo : attack Mantisman 20" in text and "Doctor Cuttlefish : attack Mantisman 20" in text


@pytest.mark.parametrize(
    ("said", "heard"),
    some(
        3,
        [
            ("what if Bo attacks me 400", "you have 100"),
            ("what if Bo attacks Nobody 40", "I cannot read"),
            ("what if Bo attacks me 40, defend 30", "It is not said who"),
            ("what if Bo attacks me 40,\ndefend 30", "It is not said who"),
            ("what if Bo attacks me 40; attack Cuttlefish 30", "It is not said who"),
            ("what if Bo attacks me 40? attack Bo 30", "Nothing of this line is done"),
            ("what if Bo dances 40", "I cannot read"),
            ("what if Bo attacks me 40, Doctor", "It is not said what Doctor Cuttlefish does"),
        ],
    ),
)
def test_what_cannot_be_guessed_is_told_and_holds_nothing_up(first_round: Room, said: str, heard: str) -> None:
    """Each is complained of, so that no order is lost in it unseen; orders beside it count, and are not in doubt."""
    text = flat(_asked(first_round, f"{said}\n\ndefend 77"))
    assert heard in text, text
    held = first_round.table(GAME).sets.hand["mantisman"]
    assert (held.orders, held.doubtful) == (("defend 77",), False)


@pytest.mark.parametrize("said", ["what if Bo is on holiday?", "what if we all stop here", "what if I am late?"])
def test_a_sentence_is_no_guess(first_round: Room, said: str) -> None:
    """It goes where other talk goes."""
    text = flat(_asked(first_round, said))
    assert "As I read your guess" not in text and "as a guess" not in text


def test_one_mail_has_a_few_guesses_worked_out(first_round: Room) -> None:
    """However many it has."""
    since = len(first_round.letters(ADA))
    _asked(first_round, "\n".join(f"what if Bo attacks me {number}" for number in range(1, 31)))
    assert len(first_round.letters(ADA)) - since == MOST_ANSWERS + 1


@pytest.mark.parametrize("ruleset", ["brawl", "discs"])
def test_other_games_say_that_they_are_not_forecast(tmp_path: Path, ruleset: str) -> None:
    """In so many words, and not as a line that is wrong."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found("ada", "bo", ruleset=ruleset, names={"ada": "Ada", "bo": "Bo"})
    assert "is never forecast" in flat(_asked(room, "what if Bo attacks me with 3"))
    room.arena.close()


def test_only_a_round_is_worked_out(tmp_path: Path) -> None:
    """In the auction it is said so."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=())
    room.write(ADA, "power: Flight")
    while room.table(GAME).title != "Auction":
        room.sweep(timedelta(hours=12))
    assert "in a round alone" in flat(_asked(room, "what if Bo bids 40 on P01"))
    room.arena.close()


GUESS = "what if Bo attacks me 40 and defends 10, Cuttlefish attacks Bo 5"


@pytest.mark.parametrize("secret", ["attack Mantisman 70\ndefend 30", "attack Cuttlefish 10\nwhat if I attack Bo 90"])
def test_no_byte_of_a_guess_depends_on_what_others_ordered(begun: Room, tmp_path: Path, secret: str) -> None:
    """Two worlds that differ in the orders on hand of others, and in their guesses, answer in the same bytes."""
    answers = []
    for name, said in (("one", "defend 50"), ("other", secret)):
        room = begun.copied(tmp_path / name)
        room.write(BO, said)
        room.write(ADA, "defend 55\nattack Bo 45")
        room.sweep()
        since = len(room.outbox.sent)
        room.write(ADA, GUESS)
        room.sweep()
        answers.append([raw for to, raw in room.outbox.sent[since:] if to == ADA])
        room.arena.close()
    assert answers[0] == answers[1] and len(answers[0]) == 1
    assert "In your guess you end" in "\n".join(read(answers[0][0]).body)


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("what if Bo attacks me 40\nand defends 20", ("attack Bo 30", "defend 50")),
        ("what if Bo attacks me with 40 and\ndefends 60", ("attack Bo 30", "defend 50")),
        ("what if Bo attacks me 40;\nattack Cuttlefish 20\ndefend 20", ("attack Bo 30", "defend 50")),
        ("what if Bo attacks me 40?\nattack Cuttlefish 20", ("attack Doctor Cuttlefish 20",)),
        ("what if Bo attacks me 40\n\nattack Cuttlefish 20", ("attack Doctor Cuttlefish 20",)),
    ],
)
def test_what_stands_right_below_a_guess_is_none_of_ones_orders(
    first_round: Room, said: str, counts: tuple[str, ...]
) -> None:
    """Down to a blank line or the end of the sentence; what cannot be read so is told, and changes nothing."""
    first_round.write(ADA, "attack Bo 30\ndefend 50")
    first_round.sweep()
    first_round.write(ADA, said)
    first_round.sweep()
    assert first_round.table(GAME).sets.hand["mantisman"].orders == counts
