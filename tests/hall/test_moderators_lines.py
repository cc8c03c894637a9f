"""What a moderator writes beside rulings: chat, words in confidence, blocks, an end, a slip; each line is answered."""

import re

import pytest

from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def echo(room: Room) -> str:
    """Return the answer to the moderator's latest mail, whatever else they were sent with it."""
    found = ["\n".join(letter.body) for letter in room.letters(GWEN)]
    return flat(next(text for text in reversed(found) if re.match(r"To the moderator alone\. (?:Your|Proof)", text)))


SECRET = "She told me in confidence that she is expecting twins."


@pytest.mark.parametrize(
    "said",
    some(
        3,
        [
            f"extend 24h because Dee is ill\n{SECRET}",
            f"note Fog tonight.\n{SECRET}",
            f"pause because we all need a rest\ntell Bo: {SECRET}",
            f"set coins Ada 7 because she paid for the pilot\n{SECRET}\n",
            f"do gain Bo 2 because he found it\nkick Dee, since {SECRET}",
        ],
    ),
)
def test_what_stands_below_a_ruling_is_none_of_its_words(open_room: Room, said: str) -> None:
    """It is passed over, the answer says so, and nobody else reads it: not now, and not in the report."""
    open_room.write(GWEN, said)
    open_room.sweep()
    assert SECRET in echo(open_room).replace(": ", "") or SECRET in echo(open_room)
    assert "Passed over" in echo(open_room)
    open_room.write(GWEN, "close now")
    open_room.sweep()
    for reader in (ADA, BO):
        assert "confidence" not in "\n".join(line for letter in open_room.letters(reader) for line in letter.body)


@pytest.mark.parametrize(
    "chat",
    ["Looks good, thanks!", "Close one!", "So be it", "Invite me next time too, will you?", "See you on Tuesday"],
)
def test_a_line_of_chat_holds_nothing_back(reviewed: Room, chat: str) -> None:
    """Who writes a kind word with their approval has approved; the word is listed."""
    reviewed.write(GWEN, f"{chat}\napprove 1\nHave a nice weekend, all")
    reviewed.sweep()
    assert reviewed.table().number == 2
    assert chat in echo(reviewed) and "Have a nice weekend, all" in echo(reviewed)


@pytest.mark.parametrize(
    "said",
    [
        "approve 1, thanks!",
        "Approve proof 1",
        "approve #1",
        "Ok, approve 1 please",
        "please approve 1.",
        "approve no. 1",
    ],
)
def test_an_approval_in_kind_words_is_one(reviewed: Room, said: str) -> None:
    """It names the proof, and nothing else is in it."""
    reviewed.write(GWEN, said)
    reviewed.sweep()
    assert reviewed.table().number == 2


@pytest.mark.parametrize(
    "signed", ["Gwen", "Best,\nGwen", "Cheers!\n\nGwen", "Many thanks\nGwen", "-- \nGwen, Tidetown"]
)
def test_an_approval_that_is_signed_brings_no_letter_back(reviewed: Room, signed: str) -> None:
    """Whatever closes a letter and the name under it are no more than that; the same stands below other rulings."""
    since = len(reviewed.letters(GWEN))
    reviewed.write(GWEN, f"approve 1\n\n{signed}")
    reviewed.sweep()
    assert reviewed.table().number == 2 and not reviewed.letters(GWEN)[since:]
    reviewed.write(GWEN, f"extend 24h\n\n{signed}")
    reviewed.sweep()
    assert "Passed over" not in reviewed.last(GWEN)


@pytest.mark.parametrize("said", ["approve 1, but wait until noon", "approve 1 or 2", "approve 1 thanks to Bo"])
def test_an_approval_with_more_on_its_line_is_told_so(reviewed: Room, said: str) -> None:
    """It names the proof, so that it is not asked for its name alone."""
    reviewed.write(GWEN, said)
    reviewed.sweep()
    assert "Write approve 1, and nothing else on that line." in echo(reviewed)


@pytest.mark.parametrize("chat", ["Best of luck to all!", "Text looks good", "Rest is fine.", "3 to go"])
def test_a_word_that_is_like_a_request_is_chat(reviewed: Room, chat: str) -> None:
    """Unless it is all that the line holds, as what asks for a test would be."""
    reviewed.write(GWEN, f"{chat}\napprove 1")
    reviewed.sweep()
    assert reviewed.table().number == 2 and chat in echo(reviewed)


@pytest.mark.parametrize(
    "slip",
    some(
        4,
        [
            "overrule V2 5",
            "overule V2 to 5",
            "extnd the review",
            "So Bo has five",
            "set bid Bo 5",
            "sset bid Bo",
            "du gain Bo 5",
            "close",
            "closenow",
            "undo 7",
            "V2 should be five",
            "P03 fired twice",
            "Ada pays, because she said so",
            "do gain Nobody 5 because so",
            "over rule bid of Bo to 5",
            "1. set bid of Bo to 5",
            "tset",
        ],
    ),
)
@pytest.mark.parametrize("first", [True, False])
def test_a_refused_line_holds_back_what_cannot_be_undone(reviewed: Room, slip: str, *, first: bool) -> None:
    """Whichever stands first; the answer says which line was not taken, and that nothing went out."""
    reviewed.write(GWEN, f"{slip}\napprove 1" if first else f"approve 1\n{slip}")
    reviewed.sweep()
    assert reviewed.table().status == "closed" and reviewed.table().approved == 0
    assert "Held back, since this mail has a line that was not taken" in echo(reviewed)
    assert slip.removeprefix("1. ") in echo(reviewed)


@pytest.mark.parametrize("final", ["close now", "begin"])
def test_so_it_is_with_closing_and_with_beginning(room: Room, final: str) -> None:
    """A phase is not closed, nor a game begun, by a mail that was not understood whole."""
    if final == "begin":
        room.invite("ada", "bo", seats=3)
        for who in (ADA, BO):
            room.write(who, f"join as {who[:2].title()}", to=room.reply_to(who), subject="Re: [tide-1] Sign-up")
        room.sweep()
    else:
        room.found("ada", "bo")
    before = room.table().number
    room.write(GWEN, f"set coins Ada 70\n{final}", to=room.reply_to(GWEN), subject="Re: [tide-1]")
    room.sweep()
    assert room.table().number == before
    assert "Held back" in echo(room)
    room.write(GWEN, f"Well then.\n{final}", to=room.reply_to(GWEN), subject="Re: [tide-1]")
    room.sweep()
    assert room.table().number == before + 1


def test_a_proof_that_the_mail_replaces_is_not_approved_by_it(reviewed: Room) -> None:
    """`approve 1` in a mail that makes proof 2 is answered, whichever line comes first; nothing goes out unseen."""
    reviewed.write(GWEN, "approve 1\noverrule V2 = 5 because the tide was with him")
    reviewed.sweep()
    assert reviewed.table().status == "closed" and reviewed.table().proof == 2
    assert "This mail makes proof 2. Write approve 2 to let it out, once you have seen it." in echo(reviewed)
    reviewed.write(GWEN, "approve 2")
    reviewed.sweep()
    assert "Bo takes the hulk for 5" in reviewed.last(ADA)


def test_a_note_makes_the_proof_that_it_promises(reviewed: Room) -> None:
    """The moderator sees the report with the note in it before anybody else does."""
    reviewed.write(GWEN, "note Fog over the harbour.")
    reviewed.sweep()
    assert "Proof 2" in reviewed.last(GWEN) and "note Fog over the harbour." in flat(reviewed.last(GWEN))


def test_below_an_end_the_answer_counts_what_was_not_read(open_room: Room) -> None:
    """For the moderator and for players; what only quotes our letter is nothing that was written."""
    quoted = "\n".join(f"> {line}" for line in open_room.last(GWEN).split("\n"))
    open_room.write(GWEN, f"extend 24h\nend\nset coins Ada 70 because so\n\nnote Fog.\n{quoted}")
    open_room.write(ADA, "bid 3\nend\nbid 7\n")
    open_room.sweep()
    assert "Below your end stood 2 lines, not read." in echo(open_room)
    assert "Below your end stood 1 line, not read." in flat(open_room.last(ADA))
    assert open_room.table().state.coins["ada"] == 10
    open_room.write(GWEN, "pause\nend\n\n-- \nGwen\nThe Arena")
    open_room.sweep()
    assert "Below your end" not in echo(open_room)


def test_an_end_closes_the_block_it_stands_in(open_room: Room) -> None:
    """Rulings below a block are read, whether its end has a reason or not; the block itself is answered."""
    open_room.write(
        GWEN, "power P08 =\n  do: nothing\n\nend\nset coins Ada 7 because she paid\nextend 24h\nend\nnote x"
    )
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 7
    assert len(open_room.table().rulings) == 2
    assert "power P08 =" in echo(open_room) and "Below your end stood 1 line" in echo(open_room)


def test_a_block_without_an_end_is_told_what_it_lacks(open_room: Room) -> None:
    """Each line below it stands for itself."""
    open_room.write(GWEN, "power P08 =\n+5 to Attack\nset coins Ada 7 because she paid")
    open_room.sweep()
    assert "This line opens a block, which has no end." in echo(open_room) and ": +5 to Attack" in echo(open_room)
    assert open_room.table().state.coins["ada"] == 7


def test_an_end_closes_press_of_several_lines(open_room: Room) -> None:
    """A player who forgets that it is `end press` has said enough; orders below count."""
    open_room.write(ADA, "press to all:\nGood luck.\nYou will need it.\nend\nbid 3\nend\nbid 4")
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 3",)
    assert "You will need it." in open_room.last(BO)


def test_courtesies_are_what_press_is_made_of(open_room: Room) -> None:
    """Good wishes are passed on like any words, also where they are all of it; no order is lost by it."""
    open_room.write(
        ADA, "Hello,\npress to all:\nHello everyone,\nGood luck!\nCheers, Ada\nend press\nbid 3\n\nThanks\nAda"
    )
    open_room.sweep()
    for line in ("Hello everyone,", "Good luck!", "Cheers, Ada"):
        assert f": {line}" in open_room.last(BO)
    assert open_room.table().sets.hand["ada"].orders == ("bid 3",)
    open_room.write(ADA, "press to all:\n\nend press\nbid 4", to=open_room.reply_to(ADA))
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 4",)
    assert "There are no words in this press" in flat(open_room.last(ADA))


def test_press_of_one_line_takes_no_other_press_with_it(open_room: Room) -> None:
    """An `end press` far below belongs to the press that begins last before it; what is between stays an order."""
    open_room.write(ADA, "press to all: Ahoy!\nbid 3\npress to all:\nFog.\nMore fog.\nend press")
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 3",)
    assert "bid 3" not in open_room.last(BO) and "More fog." in open_room.last(BO)


def test_press_without_an_end_names_what_was_not_read(open_room: Room) -> None:
    """Nothing below it is passed on or ordered, and each line is told."""
    open_room.write(ADA, "press to all:\nI bid high.\nbid 3")
    open_room.sweep()
    assert "ada" not in open_room.table().sets.hand
    receipt = flat(open_room.last(ADA))
    assert receipt.count("Not read, since the press above it has no end.") == 2 and "bid 3" in receipt


def test_the_same_reason_can_be_given_twice(open_room: Room) -> None:
    """On a line of its own, as our letters print reasons too: below a new line it is new, below one of ours it is not."""
    for _ in range(2):
        open_room.write(GWEN, "extend 1h\nbecause Bo is ill", to=open_room.reply_to(GWEN))
        open_room.sweep()
    assert [ruled.ruling.because for ruled in open_room.table().rulings] == ["Bo is ill", "Bo is ill"]
    open_room.write(GWEN, f"pause\n\n{open_room.last(GWEN)}", to=open_room.reply_to(GWEN))
    open_room.sweep()
    assert len(open_room.table().rulings) == 3 and "Not taken" not in echo(open_room)


def test_an_undo_of_long_ago_says_what_became_of_it(open_room: Room) -> None:
    """Of an earlier phase, taken back already, never given: each has its sentence, and what can be done."""
    open_room.write(GWEN, "set coins Ada 7 because she paid\nset coins Bo 8 because he did\nclose now")
    open_room.sweep()
    open_room.write(
        GWEN, "set coins Ada 9 because I erred\nset coins Ada 8 because so\nundo 5", to=open_room.reply_to(GWEN)
    )
    open_room.sweep()
    for number, said in (
        (1, "Ruling 1 is of an earlier phase, whose report is out, so it cannot be taken back"),
        (5, "Ruling 5 was taken back already."),
        (13, "There is no ruling 13; the latest is 5."),
    ):
        open_room.write(GWEN, f"undo {number}")
        open_room.sweep()
        assert said in echo(open_room) and "Rulings that can be taken back: 4." in echo(open_room), number


@pytest.mark.parametrize(
    ("said", "because"),
    [
        ("set coins Ada 7 because " + "x" * 2_001, "The text of this ruling has 2,0"),
        (
            "set coins " + "Ada " * 200 + "7 because so",
            "up to its text or reason, has 812 characters; 500 is the most.",
        ),
        ("set " + "because " * 3_000, "This line says because 3000 times; 10 times is the most."),
        (
            "order Ada: bid 3; " + "x" * 501 + " because so",
            "An order of this ruling has 501 characters; 500 is the most.",
        ),
        ("note " + "x" * 2_000, "This note has 2,005 characters; 2,000 is the most."),
        ("power P01 =\n" + "x" * 501 + "\nend because so", "A line of this block has 501 characters; 500 is the most."),
    ],
)
def test_what_is_too_long_is_told_with_its_count(open_room: Room, said: str, because: str) -> None:
    """The same on every machine, whatever it is that is too long."""
    open_room.write(GWEN, said)
    open_room.sweep()
    assert because in echo(open_room)
    assert open_room.table().rulings == ()


def test_of_a_mail_that_is_too_long_nothing_is_listed(open_room: Room) -> None:
    """Not even its greetings, of which it may be made; the answer says how long it was."""
    open_room.write(GWEN, "Thanks!\n" * 600)
    open_room.sweep()
    assert "600 new lines" in echo(open_room) and "Thanks" not in echo(open_room)


@pytest.mark.parametrize("said", ["| extend 2h", "pause\n| extend 2h\nresume", "> | excuse Bo"])
def test_a_line_behind_a_bar_is_named(open_room: Room, said: str) -> None:
    """Our letters print examples so; who copies one with its bar is told, and what stands beside it counts."""
    open_room.write(GWEN, said)
    open_room.sweep()
    told = echo(open_room)
    line = said.split("|")[1].split("\n", maxsplit=1)[0].strip()
    if said.startswith(">"):
        assert "What I quote behind a bar, write without it." in told or line in told
    else:
        assert f"Not read, since a bar stands before it, as before examples of mine: {line}. Write it without" in told
    assert ("Ruling 1: pause" in told) is said.startswith("pause") and not open_room.table().extended


def test_our_own_example_quoted_in_an_approval_is_no_matter(reviewed: Room) -> None:
    """The form that the proof prints is ours, with or without marks of quotation."""
    proof = "\n".join(reviewed.letters(GWEN)[-1].body)
    reviewed.write(GWEN, f"approve 1\n\n{proof}")
    reviewed.sweep()
    assert reviewed.table().number == 2 and "bar stands before" not in echo(reviewed)
