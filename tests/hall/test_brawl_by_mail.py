"""The brawl by mail where somebody is asked in the middle of a round: what they see, and what comes of their answer."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.hall.site import build
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold.journal import PhaseClosed, QuestionAsked
from pbem.world.settings import ChatSettings, templates
from tests.conftest import Room, flat

SLOW, MID, FAST, GWEN = "bud@example.org", "terence@example.org", "maria@example.org", "gwen@example.org"
NAMES = {"bud": "Bud", "maria": "Maria", "terence": "Terence"}
HOUSE = {"endurance": "30", "health": "12", "base_attack": "8", "base_defense": "8"}
SEED = bytes([148]) * 32
PUNCH = "attack Terence with b damage a"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, begun once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="brawl", names=NAMES, house=HOUSE, seed=SEED)
    room.arena.close()
    return room


@pytest.fixture
def room(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """Bud with 3 5 2, Terence with 5 3 4, Maria with 2 5 6 4, in the order in which they declare."""
    for lent in begun.lent(tmp_path / "arena"):
        dice = {one.name: [die.value for die in one.dice] for one in lent.table().state.fighters}
        assert dice == {"Bud": [3, 5, 2], "Terence": [5, 3, 4], "Maria": [2, 5, 6, 4]}
        yield lent


def send(room: Room, slow: str, mid: str, fast: str) -> None:
    """Let all send their sets."""
    for who, said in ((SLOW, slow), (MID, mid), (FAST, fast)):
        room.write(who, said)
    assert not room.sweep().troubles


def answer(room: Room, who: str, said: str) -> None:
    """Let somebody answer."""
    room.write(who, said)
    assert not room.sweep().troubles


def is_asked(room: Room, who: str) -> bool:
    """Say whether the latest letter to somebody is a question."""
    return room.last(who).startswith("To you alone. A question: ")


def report(room: Room, who: str) -> str:
    """Return the report of the round on one line, which has to be the latest letter."""
    assert room.table().title == "Round 2"
    assert "ROUND 1 " in room.last(who)
    return flat(room.last(who))


def test_public_places_do_not_tell_that_somebody_is_asked(room: Room) -> None:
    """Neither a page nor a chat differs, for as long as the question is open, nor by a reminder of it."""
    room.settings = msgspec.structs.replace(room.settings, chat=(ChatSettings(name="club", url_file="-"),))
    room.reopen()
    folder = room.root.parent / "site"

    def public() -> tuple[dict[str, bytes], list[str]]:
        assert not build.build(room.arena, folder, room.clock.now()).troubles
        pages = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return pages, [one.text for one in room.arena.index.chat.to_say(room.clock.now(), 99)]

    send(room, PUNCH, "ask me", "drop a drink")
    assert is_asked(room, MID)
    deadline = room.table().deadline
    pages, told = public()
    assert f"{deadline:%H:%M} UTC".encode() not in b"".join(page for path, page in pages.items() if "games/" in path)
    assert not [path for path, page in pages.items() if path.endswith(".ics") and b"BEGIN:VEVENT" in page]
    reminded = len(room.table().reminded)
    while room.table().deadline == deadline and room.clock.now() < deadline - timedelta(hours=1):
        room.sweep(timedelta(hours=1))
    assert len(room.table().reminded) > reminded
    assert public()[1] == told and "left in" not in " ".join(told)


def test_who_is_asked_sees_what_the_slower_declared_and_all_hear_of_it_in_the_report(room: Room) -> None:
    """And of the faster nothing; nobody else has a letter before the report, which tells everything once."""
    letters = {who: len(room.letters(who)) for who in (SLOW, FAST, GWEN)}
    send(room, PUNCH, "ask me", "drop a drink")
    told = flat(room.last(MID))
    assert is_asked(room, MID)
    assert "It is your turn. Who is slower has declared: [M2] Bud hits at Terence with b5, a3 to hurt" in told
    assert "drink" not in told.replace("pickup or drink", "")
    assert "Your dice: a5 b3 c4." in told
    assert "If you send nothing, this counts: : defend with a : defend with c : drop b maneuver" in told
    receipts = {SLOW: 1, FAST: 1, GWEN: 0}
    assert {who: len(room.letters(who)) - many for who, many in letters.items()} == receipts
    answer(room, MID, "defend with a\ndrop b regain")
    for who in (SLOW, MID, FAST):
        told = report(room, who)
        assert told.count("Bud hits at Terence with b5, a3 to hurt") == 1
        assert "Terence guards with a5; drops b3: regains" in told
        assert "8 + b5 = 13 against 8 + a5 = 13, blocked" in told


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("ask me", "Terence guards with a5; guards with c4; drops b3: maneuvers"),
        ("ask me\nif Bud attacks me: defend with b c", "Terence guards with b3 c4"),
        ("ask me\ndamage order: high", "Terence guards with a5; guards with c4; drops b3: maneuvers"),
    ],
)
def test_who_stays_silent_does_what_they_wrote_besides_or_what_the_rules_give_them(
    room: Room, said: str, counts: str
) -> None:
    """A day later; they are not named among those who sent nothing, since they had."""
    send(room, PUNCH, said, "pass")
    room.sweep(timedelta(hours=23))
    assert room.table().number == 1
    room.sweep(timedelta(hours=2))
    told = report(room, SLOW)
    assert counts in told
    assert "No orders came" not in told


def test_who_has_answered_is_told_what_counts_once(room: Room) -> None:
    """What is on hand, and no more what counts without it, in a reminder as well."""
    send(room, PUNCH, "ask me", "pass")
    answer(room, MID, "defend with a b\nwait")
    room.sweep(timedelta(hours=22))
    told = flat(room.last(MID))
    assert "A reminder" in told
    assert "On hand now, all of it, gone through in this order: 1 defend with a b" in told
    assert "It is your turn." in told
    assert "If you send nothing" not in told


def test_two_who_want_to_be_asked_are_asked_one_after_the_other(room: Room) -> None:
    """The faster once the slower has answered, and sees that; the round is one phase, with a question for each."""
    send(room, PUNCH, "ask me", "ask me")
    assert (is_asked(room, MID), is_asked(room, FAST)) == (True, False)
    answer(room, MID, "attack Bud with a damage b")
    room.reopen()
    assert is_asked(room, FAST)
    told = flat(room.last(FAST))
    assert "Bud hits at Terence with b5, a3 to hurt" in told and "Terence hits at Bud with a5, b3 to hurt" in told
    kinds = [type(entry) for entry in room.table().log]
    assert (kinds.count(QuestionAsked), kinds.count(PhaseClosed)) == (2, 2)
    answer(room, FAST, "attack Terence with c damage a")
    assert "Maria hits at Terence with c6, a2 to hurt" in report(room, SLOW)


def test_each_is_asked_once_where_all_declare_one_after_the_other(begun: Room, tmp_path: Path) -> None:
    """The slowest as the round begins; whoever is not asked yet has a closed phase, or one that asks them nothing."""
    room = Room(tmp_path / "other", rulesets_known(), templates())
    room.found(*NAMES, ruleset="brawl", names=NAMES, house={**HOUSE, "declare": "sequential"}, seed=SEED)
    assert "It is your turn. Nobody has declared before you." in flat(room.last(SLOW))
    answer(room, SLOW, "pass")
    assert (is_asked(room, MID), is_asked(room, FAST)) == (True, False)
    answer(room, MID, "ask me")
    assert "You are asked now. Say what you do." in flat(room.last(MID))
    answer(room, MID, "pass")
    assert is_asked(room, FAST)
    assert "Bud does nothing Terence does nothing" in flat(room.last(FAST))
    answer(room, FAST, "attack Bud with a damage b")
    assert "Maria at Bud" in report(room, SLOW)
    first = room.table().owing[0]
    others = [who for who in (SLOW, MID, FAST) if not who.startswith(first)]
    assert all("ROUND 2 is open. Nothing is asked of you now." in room.last(who) for who in others)
    room.arena.close()


def test_what_is_ruled_while_somebody_is_asked_counts_when_the_round_is_resolved(room: Room) -> None:
    """Each of two rulings of the same words, and one from before; a fact that is set is set before it."""
    room.write(GWEN, "do hurt Bud 1 because of a stool")
    room.sweep()
    send(room, "pass", "ask me", "pass")
    gwen = room.reply_to(GWEN)
    room.write(GWEN, "do hurt Bud 1 because of a stool\nset health of Terence 5 because of a slip", to=gwen)
    assert not room.sweep().troubles
    assert "Ruling 3: set health of Terence = 5" in flat(room.last(MID))
    assert {one.name: one.health for one in room.table().state.fighters} == {"Bud": 12, "Terence": 5, "Maria": 12}
    answer(room, MID, "pass")
    told = report(room, SLOW)
    assert told.count("Bud, as ruled (hurt)") == 2
    assert {one.name: one.health for one in room.table().state.fighters} == {"Bud": 10, "Terence": 5, "Maria": 12}


def test_no_set_is_lost_by_a_fact_that_is_set_while_somebody_is_asked(room: Room) -> None:
    """Nobody attacks who is down: a fact that would make a set unreadable which is in is not set before it is played."""
    send(room, "pass", "ask me", "attack Bud with a damage b")
    room.write(GWEN, "set down of Bud 2 because of a slip", to=room.reply_to(GWEN))
    assert not room.sweep().troubles
    assert "The orders of Maria are in, and could not be read any more with that." in flat(room.last(GWEN))
    answer(room, MID, "pass")
    assert "Maria hits at Bud with a2, b5 to hurt" in report(room, SLOW)


def test_who_resigns_when_asked_has_left_with_the_report(room: Room) -> None:
    """What the slower had declared against them stays, and comes to nothing."""
    send(room, PUNCH, "ask me", "pass")
    answer(room, MID, "resign")
    told = report(room, FAST)
    assert "Terence has resigned, and left the fight." in told
    assert "Bud at Terence: nothing, since Terence has left" in told
    assert room.table().state.fighter("terence").gone


def test_who_is_down_resigns_as_the_round_begins_and_not_while_another_is_asked(room: Room) -> None:
    """For them the round is closed then, as for all who are not asked."""
    answer(room, GWEN, "set down of Bud 9 because he slept badly")
    while "bud" in room.table().owing:  # a six on the floor would give him a die
        for who in room.table().owing:
            room.write(f"{who}@example.org", "pass")
        room.sweep()
    slower, faster = (f"{rank[0]}@example.org" for rank in room.table().state.order)
    answer(room, slower, "pass")
    answer(room, faster, "ask me")
    assert is_asked(room, faster)
    title = room.table().title
    answer(room, SLOW, "resign")
    assert f"{title} is closed, and its report is on its way." in flat(room.last(SLOW))
    answer(room, faster, "pass")
    assert not room.table().state.fighter("bud").gone
    answer(room, SLOW, "resign")
    assert "On hand now" in room.last(SLOW)


def test_an_answer_behind_the_deadline_is_told_so(room: Room) -> None:
    """Also where it was written to the letter that asked; the round went on without it."""
    send(room, PUNCH, "ask me\ndefend with a", "pass")
    to = room.reply_to(MID, "A question")
    room.write(MID, "defend with b", to=to, span=timedelta(hours=24, minutes=1))
    late = room.mailbox.waiting.pop()
    room.sweep(timedelta(hours=25))
    room.mailbox.waiting.append(late)
    assert "Terence guards with a5" in report(room, MID)
    room.sweep()
    told = flat(room.last(MID))
    assert told.startswith("Not taken: 1 line.")
    assert "answers a letter of a phase that is closed. This is Round 2 now." in told
