"""What a person newly wrote, in the mails of ordinary clients."""

import textwrap

import pytest

from pbem.letters.heads import Us
from pbem.letters.new_text import new_lines, written
from pbem.letters.reading import newly, read
from tests.depth import some
from tests.letters.clients import CLIENTS, LETTER, PLACES, TOP_AND_FORM_ONLY, Place, composed, expected

NEW = {
    "one": ["attack Cuttlefish 20"],
    "several": ["attack Cuttlefish 20", "defend 40", "use Laser Eyes on Plastiquegirl"],
    "with blank lines": [
        "attack Cuttlefish 20",
        "",
        "# the rest",
        "if my energy < 40: defend 40 else attack Cuttlefish 5",
    ],
    "a list": ["attack Doctor Cuttlefish 10", "press to all: 20 on Cuttlefish; who joins?", "end press", "defend 30"],
}


NOTHING_TO_TELL_BY = ("wrap at 60, rest unquoted", "no quote marks at all")
"""Clients whose quotations only somebody who holds the quoted letter can tell from new lines."""


def found(raw: bytes, *ours: str) -> list[str]:
    """Return the texts of the new lines of a reply to our letter."""
    return [line.text for line in newly(read(raw), ours or (LETTER,))]


@pytest.mark.parametrize("new", some(4, NEW.values()), ids=NEW)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_gives_exactly_the_new_lines(client: str, place: Place, new: list[str]) -> None:
    """Whatever the client does to our letter, what is left are the writer's lines."""
    assert found(CLIENTS[client](composed(place, new))) == expected(place, new)


@pytest.mark.parametrize("new", NEW.values(), ids=NEW)
@pytest.mark.parametrize("place", ["alone", "top", "form"])
@pytest.mark.parametrize("client", TOP_AND_FORM_ONLY)
def test_a_client_that_quotes_all_below_its_header(client: str, place: Place, new: list[str]) -> None:
    """What stands above the header and what fills the form is new."""
    assert found(TOP_AND_FORM_ONLY[client](composed(place, new))) == expected(place, new)


@pytest.mark.parametrize("place", ["top", "bottom"])
@pytest.mark.parametrize("client", CLIENTS)
def test_nothing_that_we_send_is_read_back(client: str, place: Place) -> None:
    """
    A reply without a new line holds no new line: examples and empty forms of ours never count.

    Rule: promise G9
    """
    assert found(CLIENTS[client](composed(place, [""]))) == []


@pytest.mark.parametrize("client", [name for name in CLIENTS if name not in NOTHING_TO_TELL_BY])
def test_nothing_of_a_letter_that_we_no_longer_have_is_read_back(client: str) -> None:
    """A quoted letter that we do not hold is recognised by what the client wrote around it."""
    assert found(CLIENTS[client](composed("top", ["attack Cuttlefish 20"])), "another letter") == [
        "attack Cuttlefish 20"
    ]


def test_a_reply_may_quote_several_letters() -> None:
    """Lines of every letter that is given are taken away, in any mixture."""
    receipt = (
        "To you alone. Orders for ember-7.\n\nThese stand unless you send a new set; a new set\nreplaces the whole."
    )
    body = [*receipt.split("\n"), "", "defend 50", "", *LETTER.split("\n")]
    assert texts(body, LETTER, receipt) == ["defend 50"]


def test_lines_that_were_filled_anew_are_ours() -> None:
    """A paragraph of ours that the client filled at another width has other lines and the same words."""
    body = ["defend 50", ""]
    for paragraph in LETTER.split("\n\n"):
        body += [*textwrap.wrap(paragraph, 70), ""]
    assert texts(body, LETTER) == ["defend 50"]


def test_lines_that_were_joined_are_ours() -> None:
    """Lines of ours that the client joined into long ones are ours."""
    assert texts([" ".join(part.split()) for part in LETTER.split("\n\n")] + ["wait"], LETTER) == ["wait"]


def test_an_example_never_counts() -> None:
    """A line that begins with a bar is an example, quoted or not, also when a person changed it."""
    assert texts(["| attack Cuttlefish 20", "> | attack Cuttlefish 30", "|defend 5", "defend 50"]) == ["defend 50"]


def test_what_we_quote_of_others_never_counts() -> None:
    """A line that begins with the mark of quoted press does not count, even in a letter that we no longer have."""
    assert texts(["  : attack Mantisman 70", "> : wait", "defend 50"]) == ["defend 50"]


def test_what_an_example_shows_may_be_ordered() -> None:
    """A person who types what follows the bar has written a new line."""
    assert texts(["attack Cuttlefish 20", "", *LETTER.split("\n")], LETTER) == ["attack Cuttlefish 20"]


def test_an_order_that_another_person_wrote_may_be_repeated() -> None:
    """What our letter quotes from another person is no line of ours when somebody writes it without a mark."""
    ours = "Press from Cuttlefish:\n> attack Plastiquegirl 20\n\nDeadline tonight."
    assert texts(["attack Plastiquegirl 20", "", ">> attack Plastiquegirl 20"], ours) == ["attack Plastiquegirl 20"]


def test_a_short_answer_is_not_ours() -> None:
    """A line of one or two characters counts even where a line of ours is the same."""
    assert texts(["no", "> no", "yes!"], "no\nyes!\n") == ["no"]


def test_form_lines_count_once_their_blanks_are_filled() -> None:
    """A form line counts quoted or not, without its mark, unless a blank is left or it stands so in our letter."""
    body = ["~ attack Cuttlefish 20", "> ~ attack ____ ____", "> ~ defend 40 ", "> ~ use Flight on ____", "~ wait"]
    assert texts(body, LETTER + "~ wait\n") == ["attack Cuttlefish 20", "defend 40"]


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("~ defend 40____", "defend 40"), ("~ defend __40", "defend 40"), ("~ attack Bo__ __20", "attack Bo 20"),
        ("~attack Bo 20", "attack Bo 20"), ("~  defend  40 ", "defend 40"), ("~ defend ____", ""), ("~ attack Bo ____", ""),
    ],
)  # fmt: skip
def test_blanks_that_are_left_beside_what_was_typed_are_no_part_of_it(line: str, taken: str) -> None:
    """Quoted or not; what is only half filled is no line, and is named."""
    letter = "ROUND 3 is open\n~ attack ____ ____\n~ defend ____\n"
    for mark in ("", "> "):
        found = written([f"{mark}ROUND 3 is open", f"{mark}{line}"], [letter])
        assert [" ".join(one.text.split()) for one in found.lines] == ([taken] if taken else [])
        assert [one.taken for one in found.passed] == (["half filled"] if line == "~ attack Bo ____" else [])


def test_a_mark_that_was_typed_over_counts_between_lines_of_our_letter() -> None:
    """As phones make it easy; a line like it elsewhere in a quotation is somebody's."""
    letter = "ROUND 3 is open\n~ attack ____ ____\n~ defend ____\nReply to this letter."
    body = ["> ROUND 3 is open", "> attack Bo 20", "> defend 30", "> Reply to this letter."]
    assert texts(body, letter) == ["attack Bo 20", "defend 30"]
    assert texts(["> so I shall", "> attack Bo 20", "> and you?"], letter) == []
    letter = "ROUND 3 is open\n\n~ attack ____ ____\n~ attack ____ ____\n~ defend ____\n\nReply to this letter."
    body = ["> ROUND 3 is open", ">", "> attack Bo 20", "> attack Cy 5", "> defend 30", ">", "> Reply to this letter."]
    assert texts(body, letter) == ["attack Bo 20", "attack Cy 5", "defend 30"]


HEADS = {
    "own": "On Tue, 24 Nov 2026 at 12:00, Ada <ada@example.com> wrote:",
    "another's": "On Tue, 24 Nov 2026 at 12:00, Bo <bo@example.com> wrote:",
    "forwarded": "-----Original Message-----\nFrom: Bo <bo@example.com>\nSent: Tuesday, 24 November 2026 12:00\nTo: ember+x@example.org",
}


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_form_that_another_mail_filled_in_is_nobodys_new_line(head: str, mark: str) -> None:
    """Of one's own older mail, or of somebody else's that was passed on: its lines are named, and do not count."""
    letter = "ROUND 3 is open\n~ attack ____ ____\n~ defend ____\nReply to this letter."
    inner = ["defend 11", "On Mon, 23 Nov 2026 at 12:00, Ember <ember+x@example.org> wrote:"]
    quoted = ["ROUND 3 is open", "~ attack Bo 11", "Reply to this letter."]
    body = ["defend 3", "", *HEADS[head].split("\n")]
    body += [f"{mark}{line}" for line in inner] + [f"{mark}{mark or '> '}{line}" for line in quoted]
    found = written(body, [letter], us=Us("ember@example.org"))
    assert [line.text for line in found.lines] == ["defend 3"]
    assert ("attack Bo 11", "form of another") in {(one.text, one.taken) for one in found.passed}


@pytest.mark.parametrize("head", ["Am 24.11.26 um 12:00 schrieb {}:", "On 24/11/2026 12:00, {} wrote:", "{} writes:"])
def test_a_form_of_a_letter_that_we_do_not_have_counts_below_our_name_alone(head: str) -> None:
    """Below another's head it is theirs, or of an older mail of the writer's own, and is named."""
    for name, taken in (("The Ember Arena", ["attack Bo 11", "wait"]), ("Bo", ["wait"]), ("Ada Lovelace", ["wait"])):
        body = [head.format(name), "> Who knows this letter?", "> ~ attack Bo 11", "", "wait"]
        found = written(body, ["Another letter."], us=Us("ember@example.org", "The Ember Arena"))
        assert [line.text for line in found.lines if line.text] == taken
        forms = [one.text for one in found.passed if one.taken == "form of another"]
        assert forms == ([] if len(taken) > 1 else ["attack Bo 11"])


def test_an_address_of_ours_that_was_torn_is_ours() -> None:
    """Even behind the plus of it, above a form."""
    body = [
        "On 24/11/2026, Ember Games <ember+ember-7.",
        "x3y4@example.org> wrote:",
        "> ROUND 3 is open",
        "> ~ attack Bo 20",
    ]
    letter = "ROUND 3 is open\n~ attack ____ ____\nReply to this letter."
    found = written(body, [letter], us=Us("ember@example.org", "The Ember Arena"))
    assert [line.text for line in found.lines] == ["attack Bo 20"]


def test_our_own_head_above_a_form_is_no_other_persons() -> None:
    """Whatever stands behind the plus of our address."""
    letter = "ROUND 3 is open\n~ attack ____ ____\nReply to this letter."
    head = (
        "From: Ember Games <ember+ember-7.x3@example.org>\nSent: Tuesday, 24 November 2026 12:00\nTo: ada@example.com"
    )
    body = [
        *f"-----Original Message-----\n{head}\nSubject: Round 3".split("\n"),
        "",
        "ROUND 3 is open",
        "~ attack Bo 20",
    ]
    found = written(body, [letter], us=Us("ember@example.org"))
    assert [line.text for line in found.lines] == ["attack Bo 20"]


def test_a_form_line_that_was_wrapped_is_whole_again() -> None:
    """What the client wrapped off a quoted form line belongs to it, quoted or not."""
    condition = "if attacked by Doctor Cuttlefish: defend 40, attack"
    for rest in ("> Cuttlefish 30", "Cuttlefish 30"):
        assert texts([f"> > > ~ {condition}", rest, "> tail"], LETTER) == [f"{condition} Cuttlefish 30"]


def test_end_ends_what_counts() -> None:
    """A line that is just `end`, in any case, ends it; `end press` does not, and a quoted `end` does not."""
    assert texts(["defend 50", "> end", "end press", " End ", "Ada Lovelace", "> ~ wait"]) == ["defend 50", "end press"]


def test_lines_are_numbered_as_written() -> None:
    """Numbers count what the person wrote, blank lines inside included, those at the ends not."""
    body = ["", "attack Cuttlefish 20", "", "defend 40", "", "> quoted", "", "wait", ""]
    lines = new_lines(body, [])
    assert [(line.number, line.text) for line in lines] == [
        (1, "attack Cuttlefish 20"),
        (2, ""),
        (3, "defend 40"),
        (4, ""),
        (5, "wait"),
    ]


def test_other_line_ends_do_not_end_a_quoted_line() -> None:
    """A quoted line that holds what some programs take for a line end stays one quoted line."""
    for end in "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r":
        assert texts([f"> Tough Hide{end}attack Cuttlefish 20", "defend 5"]) == ["defend 5"]


def test_a_line_of_invisible_characters_is_blank() -> None:
    """What nobody can see is nothing written."""
    assert texts(["\u200b", "wait", "\u00a0\u200b", "\ufeff"]) == ["wait"]


def texts(body: list[str], *ours: str) -> list[str]:
    """Return the texts of the new lines of a body."""
    return [line.text for line in new_lines(body, ours)]
