"""By which name somebody who was invited wants to be known, in words of their own: said once and clearly, or not at all."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.table.model import coming, likely, seating
from tests.depth import examples, shares, some

SAID = (
    "{}", "{}!", "I'm in! {}", "Count me in - {}", "I'm in: {}", "I'm in as {}", "Yes! {}", "{} please", "{} it is", "{} here",
    "I'll be {}", "I'll take {}", "I want to be {} please", "call me {}", "my hero is called {}", "My name is {}.", "Name: {}",
    "make me {}", "I'd like to be {}", "sign me up as {}", "Ich bin {}", "**{}**", '"{}"', "Sure, I'll go with {}",
)  # fmt: skip
NAMES = ("Mantisman", "Captain Zap", "The Green Flame", "Dr. Ox")


def called(texts: list[str], own: str) -> str:
    """Return the name that is heard in the lines of a mail."""
    return coming.called([OrderLine(number, text) for number, text in enumerate(texts, 1)], own)


AROUND = ("{}", "Hi Gwen,\n\n{}\n\nCheers\nAda", "Hello!\n{}\nBest wishes, Ada", "{}\nAda Lovelace")


@given(st.sampled_from(SAID), st.sampled_from(NAMES), st.sampled_from(AROUND))
def test_a_name_is_heard_however_it_is_said(said: str, name: str, around: str) -> None:
    """And is never another; what has a full stop in it may have to be said in the form."""
    assert called(around.format(said.format(name)).split("\n"), "Ada Lovelace") in (
        {name} if "." not in name else {name, ""}
    )


@pytest.mark.parametrize(
    "text",
    [
        "Gwen, I'm in", "I'm in, Gwen", "I'm in!\nAda", "Thanks, Ada", "Unsubscribe", "Automatic Reply", "Out of Office", "Hello",
        "Yes", "Ada Lovelace", "Ada", "Maybe", "Not Me", "Mantisman or Bob", "Wonderful!", "Declined", "I am busy", "Later",
        "Mantisman\nBob", "I'm in! Mantisman\nI'm in! Bob", "no, Mantisman", "Delivery Failure",
        "I'm German", "Call me Monday", "I'm Mantisman. How many mails is it each week?", "I'm Gwen's brother",
        "Call me Mantisman\nOops, that was for somebody else", "Call me Mantisman\n...said nobody in all their life",
    ],
)  # fmt: skip
def test_what_may_be_no_name_is_none(text: str) -> None:
    """A greeting, a signature, a word of a machine, a refusal, two names."""
    assert called(text.split("\n"), "Ada Lovelace") == ""


PLACES = {
    "I'll be Bolt. I'm in Berlin": ("Bolt", "Europe/Berlin"),
    "Count me in! Hero name is Bolt and I live in Lisbon": ("Bolt", "Europe/Lisbon"),
    "Bolt, from Berlin": ("Bolt", "Europe/Berlin"),
    "Yes! call me Bolt\ntz: Asia/Tokyo": ("Bolt", "Asia/Tokyo"),
    "I'm in Berlin": ("", "Europe/Berlin"),
    "I am from Berlin or Rome": ("", ""),
    "Call me Bolt\n\nI saw it, in Paris, last year": ("Bolt", ""),
    "Call me Bolt\nSorry for the late answer": ("Bolt", ""),
    "Oops, your mail lay in the wrong folder.\nCall me Bolt": ("Bolt", ""),
}


@pytest.mark.parametrize("text", PLACES)
def test_a_place_is_heard_beside_a_name_and_is_none(text: str) -> None:
    """Where it is said of the writer; of two places neither."""
    lines = [OrderLine(number, line) for number, line in enumerate(text.split("\n"), 1)]
    assert (coming.called(lines), coming.place(lines)) == PLACES[text]


REPLIES = tomllib.loads((Path(__file__).parent / "replies_to_invitations.toml").read_text(encoding="utf-8"))["mail"]
LEAST = 16
"""How many of the replies that name somebody, and not by the form, are read."""


def test_replies_of_strangers_are_read_right_or_not_at_all() -> None:
    """No name but the one that a careful reader would take, and no zone but theirs."""
    right = 0
    for reply in REPLIES:
        text = reply["text"].partition("\nOn Mon, Gwen wrote:")[0]
        lines = [OrderLine(number, line) for number, line in enumerate(text.strip().split("\n"), 1)]
        if seating.wish(lines):
            continue
        name, zone = coming.called(lines, reply.get("own", "Tom Miller")), coming.place(lines)
        assert name in ("", reply["name"], reply["name"].removeprefix("the ")), text
        assert zone in ("", reply["zone"]), text
        right += name != ""
    assert right >= LEAST


INVITING = ("Gwen", "Nadia", "Priya Nair", "Rumble")
"""Names that nobody has who is invited: of those who moderate, and of the game."""
LEAST_OFFERED, MOST_WRONG, MOST_NEEDLESS = {1: 57, 4: 15}, 7, 14
"""How many of the names that are not taken stand in the letter; how often only others do, and where one means none."""


@pytest.mark.parametrize("share", shares(4))
def test_a_name_that_is_not_clear_is_mostly_offered(share: int) -> None:
    """Alone or among a few; seldom where somebody names none."""
    right = wrong = needless = 0
    for reply in (*REPLIES, *({"name": "", **trap} for trap in TRAPS))[::share]:
        text = reply["text"].partition("\nOn Mon, Gwen wrote:")[0]
        lines = [OrderLine(number, line) for number, line in enumerate(text.strip().split("\n"), 1)]
        own = reply.get("own", "Tom Miller")
        if seating.wish(lines) or coming.called(lines, own):
            continue
        offered = likely.names(lines, [own, *INVITING])
        right += reply["name"].removeprefix("the ") in offered
        wrong += bool(reply["name"]) and bool(offered) and reply["name"].removeprefix("the ") not in offered
        needless += not reply["name"] and bool(offered)
        assert len(offered) <= likely.MOST_OFFERED
    assert right >= LEAST_OFFERED[share], (right, wrong, needless)
    assert wrong <= MOST_WRONG and needless <= MOST_NEEDLESS, (right, wrong, needless)


TRAPS = tomllib.loads((Path(__file__).parent / "replies_without_a_name.toml").read_text(encoding="utf-8"))["mail"]


@pytest.mark.parametrize("text", some(4, [trap["text"] for trap in TRAPS]))
def test_nobody_is_seated_where_a_reader_would_ask_back(text: str) -> None:
    """Declines, doubts, others' names, questions, what is taken back on the next line; NAME itself is refused as one."""
    lines = [OrderLine(number, line) for number, line in enumerate(text.strip().split("\n"), 1)]
    wish = seating.wish(lines)
    assert (wish[1] if wish else coming.called(lines, "Jo Parker")) in ("", "NAME")


KIND = st.sampled_from(
    ["thanks", "Cheers", "Best wishes", "please", "Sent from my iPhone", "as always", "Tom", "see you", ":)"]
)


@given(st.sampled_from(SAID), st.sampled_from(NAMES), KIND, KIND)
def test_no_name_holds_kind_words(said: str, name: str, before: str, behind: str) -> None:
    """Nor what a mail program adds, nor the end of a letter, wherever they stand."""
    glued = f"{said} {behind}" if behind != "Tom" else said  # Bolt Tom is a name
    for text in (f"{before}\n{said}\n{behind}", f"{before}, {said}", f"{said}, {behind}", glued):
        assert called(text.format(name).split("\n"), "Tom Miller") in (name, "")


DOUBTS = (
    "only if it ends before Easter", "if I find the time", "though not before March", "but maybe later", "unless it is long",
    "or else not at all", "when the exams are over", "or Volt",
)  # fmt: skip


@settings(max_examples=examples(100))
@given(
    st.sampled_from(SAID), st.sampled_from(NAMES[:3]), st.sampled_from(DOUBTS), st.sampled_from([" ", ", ", ". ", "\n"])
)
def test_a_name_with_a_doubt_beside_it_is_none(said: str, name: str, doubt: str, between: str) -> None:
    """In its sentence, behind a mark, in a sentence of its own or on the next line: one asks back."""
    text = f"{said.format(name)}{between}{doubt}"
    assert called(text.split("\n"), "Ada Lovelace") == ""


@pytest.mark.parametrize("beside", ["Sorry for the late answer", "sorry about that", "Sorry, I'm late"])
def test_a_regret_corrects_no_form(beside: str) -> None:
    """Neither above nor below it; what corrects it does so from below alone."""
    form = OrderLine(1, "join as Bolt")
    assert seating.wish([form, OrderLine(2, beside)]) in (("", "Bolt"), ("", ""))
    assert seating.wish([OrderLine(1, beside), OrderLine(2, form.text)]) == ("", "Bolt")
    assert seating.wish([form, OrderLine(2, "Sorry for the late answer")]) == ("", "Bolt")
    assert seating.wish([form, OrderLine(2, "oops, Volt")]) == ("", "")
