"""The discs by mail: what players write from a phone, what they are told, what lasts, and what nobody else sees."""

import email
import email.policy
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import Seat
from pbem.letters import multipart
from pbem.letters.rendering import environment
from pbem.rulesets.discs import RULESET
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO = "ada@example.org", "bo@example.org"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Lend a duel in its first half turn."""
    room = Room(tmp_path, {"discs": RULESET})
    room.found("ada", "bo", name="blades")
    yield room
    room.arena.close()


def send(room: Room, who: str, text: str) -> str:
    """Send lines, and return what is answered."""
    room.write(who, text)
    room.sweep()
    return room.last(who)


def test_four_short_lines_from_a_phone_are_a_set(room: Room) -> None:
    """Capitals, a typographic apostrophe, and a name in small letters."""
    told = flat(
        send(room, ADA, "Throw at bo off north\nHold\nMove from BO\nThrow 4 o\u2019clock\n\nSent from my phone")
    )
    assert ": throw at Bo off north as things stand" in told
    assert ": throw 120 as things stand" in told
    assert "as things stand: bearing" in told
    assert "If nobody else acted" in told


def test_a_numbered_list_is_asked_about(room: Room) -> None:
    """It could be in this order at each card, or for cards 1 to 4."""
    told = flat(send(room, ADA, "1. throw at Bo\n2. hold"))
    assert 'Write "throw at Bo" or "card 1: throw at Bo"' in told
    told = flat(send(room, ADA, "in this order\n1. throw at Bo\n2. hold"))
    assert ": throw at Bo as" in told and ": hold as" in told


def test_no_line_behind_a_number_sign_is_lost(room: Room) -> None:
    """The number of a list, and what was made a comment, also behind a line; words of one's own stay a comment."""
    told = flat(send(room, ADA, "#1 throw at Bo\n# move to centre\nhold # and see"))
    assert "line 1 #1 throw at Bo Is this number 1 of what you try at each card" in told
    assert "move to centre It stands behind a #, as comments do." in told and "and see" not in told
    told = flat(send(room, ADA, "throw at Bo # not Cy"))
    assert "not Cy It stands behind a # on a line with an order, as comments do, and may change it." in told
    assert not room.table("blades").moved(Seat("ada"))
    told = flat(send(room, ADA, "by card\n#1 throw at Bo\n#2 hold"))
    assert ": card 1: throw at Bo" in told and ": card 2: hold" in told


def test_each_act_is_a_line_of_its_own(room: Room) -> None:
    """The letter shows the lines, as a list and by card, and says what it cannot read."""
    told = flat(send(room, ADA, "Move e, throw at Bo\nholdss foo\nholdss bar"))
    assert 'write "move 90" / "throw at Bo", of which' in told
    assert 'for one card after the other write "card 1: move 90" / "card 2: throw at Bo"' in told
    assert ": holdss foo : holdss bar" in told


@pytest.mark.parametrize(
    "head", some(3, ["if Bo within 12:", "When Bo is prone:", "cards 2 to 3:", "Card 2:", "on cards 1, 2:"])
)
@pytest.mark.parametrize("point", ["", "- "])
def test_a_heading_above_several_lines_is_asked_about_with_them(room: Room, head: str, point: str) -> None:
    """Nothing below it counts without it; what stands apart from it does."""
    told = flat(send(room, ADA, f"{head}\n{point}throw at Bo\n{point}attack Bo\n\nhold"))
    assert room.table("blades").sets.hand["ada"].orders == ("hold",)
    assert "throw at Bo" in told and "A line has one act." in told


def test_a_heading_above_one_line_is_for_that_one(room: Room) -> None:
    """As somebody types who has a narrow screen."""
    send(room, ADA, "card 1:\nthrow at Bo\ncard 2:\nhold\nif Bo within 12:\nmove to centre")
    listed = ("card 1: throw at Bo", "card 2: hold", "if Bo within 12: move to centre")
    assert room.table("blades").sets.hand["ada"].orders == listed


def test_a_receipt_says_that_a_block_needs_the_disc(room: Room) -> None:
    """What it does instead, beside the line; and what it may cost whoever wants no Dodge."""
    assert "on disc: block If nobody" in flat(send(room, ADA, "hold\non disc: block"))
    room.write("gwen@example.org", "set disc of Ada = F4 N because of a trial")
    room.sweep()
    told = flat(send(room, ADA, "move to centre\non disc: block"))
    assert "on disc: block as things stand: your Disc is out, so no Block: you would Dodge If" in told
    told = flat(send(room, ADA, "move to centre\non disc: only block"))
    assert "on disc: only block as things stand: your Disc is out, so no Block: you would be De-Rezzed" in told
    assert "To Dodge it then, write: on disc: block, dodge" in told


def test_what_is_said_of_reactions_lasts_and_is_nobody_elses(room: Room) -> None:
    """Bo hears of it neither now nor later; Ada is reminded of it at her next set, which can say otherwise."""
    send(room, ADA, "hold\non disc: dodge\nrecall: never")
    send(room, BO, "hold")
    assert room.table("blades").number == 2
    assert "this stands, as you said before: : on disc: dodge : recall: never" in flat(room.last(ADA))
    assert "as you said before" not in room.last(BO)
    told = flat(send(room, ADA, "move to centre\nrecall: when away"))
    assert ": on disc: dodge (as you said before)" in told
    assert "recall: never" not in told
    texts = "".join(multipart.text_of(raw) for to, raw in room.outbox.sent if to == BO)
    assert "on disc: dodge" not in texts.replace("block, dodge", "")
    assert "recall: never" not in texts
    assert RULESET.view(room.table("blades").state, Seat("bo")).program("ada").kept == ()


def test_a_game_is_played_to_its_end_with_a_picture_of_each_phase(room: Room) -> None:
    """Each report has its map in the text, its drawing with it, and a lead; the archive has the drawings too."""
    room.play(RULESET.bots["hunter"], "blades")
    reports = [raw for to, raw in room.outbox.sent if to == ADA and b"grid-1.svg" in raw]
    assert len(reports) == room.table("blades").number
    for raw in reports:
        text = multipart.text_of(raw)
        assert "|   +------------------------------------------------+" in text
        assert max(map(len, text.split("\n"))) <= 56
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert [part.get_content_type() for part in message.walk()].count("text/html") == 1
    folder = room.root / "games" / "blades"
    assert len(list(folder.glob("phase-*/grid-1.svg"))) == len(reports)
    assert "is the last Program standing" in flat(room.last(ADA))


def test_a_reply_to_the_letter_with_its_map_takes_the_new_line_alone(room: Room) -> None:
    """Rows of a map, quoted or copied, are no orders."""
    quoted = "\n".join(f"> {line}" for line in room.last(ADA).split("\n"))
    told = flat(send(room, ADA, f"hold\n\nOn Mon, 23 Nov 2026 at 12:02, The Arena wrote:\n{quoted}"))
    assert ": hold as things stand: can be done If nobody else acted" in told


def test_lines_of_a_receipt_that_come_again_are_read(room: Room) -> None:
    """Whoever replies to it with some of the same lines means them; they pass for no quotation."""
    send(room, ADA, "throw at Bo\nhold\non disc: dodge")
    told = flat(send(room, ADA, "move to centre\nthrow at Bo\non disc: dodge"))
    assert ": move to centre as" in told and ": throw at Bo as" in told and "comes to it: : on disc: dodge" in told
    told = send(room, ADA, "1 throw at Bo\nhold")
    assert "Is this number 1 of what you try at each card" in flat(told)
    assert "+--------" not in told, "what is refused is short, and draws no map"


def test_a_moderator_sets_places_and_discs_in_squares(room: Room) -> None:
    """As the handbook says."""
    room.write("gwen@example.org", "set place of Bo F4 because it was agreed\nset held of Ada 2 because of a slip")
    room.sweep()
    state = room.table("blades").state
    assert state.program("ada").held == 2
    assert "F4" in room.last(BO)


def test_the_examples_of_the_handbook_are_taken(room: Room) -> None:
    """Each set that it shows to a moderator, with a reason."""
    words = environment(templates())
    text = words.get_template("discs/handbook.j2").render(moderator=True, figures=RULESET.figures)
    said = [line[2:] for line in text.split("\n") if line.startswith("| set ")]
    room.write("gwen@example.org", "\n".join(said))
    room.sweep()
    assert len(said) == 3 and "Not taken" not in room.last("gwen@example.org")
    assert room.table("blades").state.program("bo").disc is not None


def test_a_program_cannot_be_called_like_a_place(tmp_path: Path) -> None:
    """Nearest, Centre, NE: lines would mean something else by them."""
    room = Room(tmp_path, {"discs": RULESET})
    room.invite("ada", "bo", name="blades")
    room.write(ADA, "join as Nearest")
    room.sweep()
    assert not room.table("blades").seats
    room.arena.close()


def test_each_letter_says_who_is_on_which_team(tmp_path: Path) -> None:
    """From the first one on, before anybody writes; a mate is no threat, and no target of the lines to copy."""
    room = Room(tmp_path, {"discs": RULESET})
    room.found("ada", "bo", "cy", "di", name="blades", house={"grid": "30", "teams": "2", "setup": "choose"})
    assert "Teams: Ada and Cy; Bo and Di." in flat(room.last(ADA))
    for who in (ADA, BO, "cy@example.org", "di@example.org"):
        send(room, who, "begin B2\nbegin centre")
    assert "Teams: Ada and Cy; Bo and Di." in flat(room.last(ADA))
    assert "; of your team" in flat(room.last(ADA)).partition("From you, Ada:")[2]
    assert "if Bo within 12: throw at Bo" in flat(room.last("cy@example.org"))
    room.arena.close()


def test_who_is_on_a_team_is_the_moderators_to_say(tmp_path: Path) -> None:
    """A player who asks for it is told whose team they are on and whom to ask; all read it once it is changed."""
    room = Room(tmp_path, {"discs": RULESET})
    room.found("ada", "bo", "cy", "di", name="blades", house={"teams": "2"})
    told = flat(send(room, ADA, "join the team of Bo"))
    assert "You are on a team with Cy. Seats were dealt into teams; the moderator can change that." in told
    send(room, "gwen@example.org", "set team of Ada = Bo because they asked\nset team of Bo 1 because of the numbers")
    assert "Not taken" not in room.last("gwen@example.org"), room.last("gwen@example.org")
    assert "Teams: Bo and Cy; Ada and Di." in flat(send(room, ADA, "form"))
    assert room.table("blades").state.side("ada") == "team 2"
    room.arena.close()


def test_players_choose_their_teams(tmp_path: Path) -> None:
    """The first letter says how, the receipt what is wished for, the report what came of it, and later letters too."""
    room = Room(tmp_path, {"discs": RULESET})
    room.found("ada", "bo", "cy", "di", name="blades", house={"teams": "2", "teams_by": "choice"})
    asked = flat(room.last(ADA))
    assert "There are two teams, of two. Those who both want it come first" in asked and "~ team of ____" in asked
    assert "Teams: Ada" not in asked and "~ begin" not in asked
    assert ": team of Di" in flat(send(room, ADA, "team of Di"))
    for seat, mate in (("bo", "Cy"), ("cy", "Bo"), ("di", "Ada")):
        send(room, f"{seat}@example.org", f"team of {mate}")
    told = flat(room.last(ADA))
    assert room.table("blades").title == "Turn 1, first half"
    assert "Ada and Di" in told and "Bo and Cy" in told
    room.arena.close()


def test_where_everybody_is_alone_a_team_is_refused_with_that(room: Room) -> None:
    """Not with a list of lines."""
    told = flat(send(room, ADA, "team of Bo"))
    assert "Everyone is alone in this game" in told and "Lines are" not in told


def test_letters_say_what_stands_for_whom_on_maps(tmp_path: Path) -> None:
    """Al and Ann cannot both be A; the first letter says it already, and so does each later one."""
    room = Room(tmp_path, {"discs": RULESET})
    room.found("ada", "al", "ann", name="blades")
    letters = "A ... Ada L ::: Al N +++ Ann"
    legend = f'Letters and trails on maps {letters} Each square is 2" wide.'
    assert letters in flat(room.last(ADA))
    for who in (ADA, "al@example.org", "ann@example.org"):
        send(room, who, "hold")
    assert room.table("blades").number == 2 and legend in flat(room.last(ADA))
    room.arena.close()


def test_silence_holds_and_is_noted(room: Room) -> None:
    """Who sends nothing holds, and is named in the report."""
    send(room, ADA, "throw at Bo\nhold")
    room.sweep(timedelta(hours=75))
    room.sweep()
    assert room.table("blades").number == 2
    assert "Bo" in flat(room.last(ADA))
