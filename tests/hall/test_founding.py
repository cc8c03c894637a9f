"""Founding a game: a mistake is said of the option that holds it, and nothing is written."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.ground import records
from pbem.ground.terms import CharterError, GameName, TemplateError
from pbem.hall.commands import checking
from pbem.hall.commands.founding import found_game
from pbem.hall.mail.incoming.checks import moving
from pbem.hall.store.catalogue import words_of
from pbem.table.model import charter
from pbem.testing.room import NOON
from tests.conftest import Room, flat
from tests.harbour import RULESET
from tests.keeping.test_digest import MOD, moderated

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


@pytest.mark.parametrize(
    ("terms", "option", "heard"),
    [
        ({"seats": 9}, "--invite or --seats", "Harbour is for 2 to 4 seats, not 9"),
        ({"zone": "Lundon"}, "--zone", "Did you mean"),
        ({"house": {"nmr": 3}}, "--house nmr", "there is no house rule"),
        ({"review": ("tides",)}, "--review", "Did you mean tide?"),
        ({"calendar": {"rules": {"tide": "whenever"}}}, "--calendar tide", "every Tue and Fri 20:00"),
        ({"calendar": {"reminders": ["12h 3h"]}}, "--reminders", '"12h 3h" lacks a comma. Write 12h, 3h'),
        ({"calendar": {"reminders": ["soon"]}}, "--reminders", "Write one such as 24h"),
        ({"calendar": {"grace": "6"}}, "--grace", "Write 6h for hours"),
    ],
)
def test_a_mistake_names_the_option_that_holds_it(room: Room, terms: dict[str, Any], option: str, heard: str) -> None:
    """Not a line of a file that is not there."""
    wanted = {"seats": 2, **terms}
    with pytest.raises(CharterError) as caught:
        found_game(
            room.arena, GameName("x1"), "harbour", moderator=GWEN, invited=[ADA, BO], now=room.clock.now(), **wanted
        )
    assert str(caught.value).startswith(f"On the command line, {option}: ")
    assert heard in str(caught.value) and "x1" not in str(caught.value)
    assert not (room.root / "games").exists() and not (room.root / "people.toml").exists()


def test_a_charter_that_was_founded_reads_back(room: Room) -> None:
    """What stands in the file is what was asked for."""
    wanted = found_game(
        room.arena,
        GameName("x1"),
        "harbour",
        moderator=GWEN,
        invited=[ADA, BO],
        seats=2,
        now=room.clock.now(),
        calendar={"rules": {"default": "48h after opening"}, "reminders": [], "grace": "6h"},
        zone="europe/london",
    )
    text = room.arena.shelf.read("games", "x1", "charter.toml").decode()
    found = charter.read(text, room.rulesets)
    assert found.calendar == wanted.calendar and found.calendar.reminders == ()
    assert (found.calendar.grace, found.zone, found.moderator) == ("6h", "Europe/London", wanted.moderator)


@pytest.mark.parametrize(
    ("part", "source", "heard"),
    [
        ("opening", None, "the template harbour/opening.j2 is missing."),
        ("asked", None, "the template harbour/asked.j2 is missing."),
        ("hand", '{% from "harbour/words.j2" import coins %}', "the template harbour/words.j2 is missing."),
        ("report", "{% if %}", "harbour/report.j2, line 1: Expected an expression, got 'end of statement block'."),
        ("opening", "{{ tides }}", "harbour/opening.j2: 'tides' is undefined"),
    ],
)
def test_no_game_is_founded_whose_words_are_missing_or_broken(
    tmp_path: Path, part: str, source: str | None, heard: str
) -> None:
    """Nothing of it is written, and whoever runs the arena has a letter that says what is missing."""
    words = words_of([RULESET])
    del words[f"harbour/{part}.j2"]
    room = Room(tmp_path, words=words | ({f"harbour/{part}.j2": source} if source else {}))
    moderated(room)
    with pytest.raises(TemplateError) as caught:
        found_game(
            room.arena, GameName("x1"), "harbour", moderator=GWEN, invited=[ADA, BO], now=room.clock.now(), seats=2
        )
    assert str(caught.value) == f"x1 was not founded: {heard}"
    assert not (room.root / "games").exists() and not (room.root / "people.toml").exists()
    assert room.arena.shelf.names("secrets") == ["arena.key"]
    room.sweep(timedelta(days=1))
    assert flat(str(caught.value)) in flat(room.last(MOD))


FORMS = ("{}+1@example.org", "{}+games.x@example.org", "{}+@example.org")


@pytest.mark.parametrize("form", FORMS)
def test_nobody_is_founded_into_a_game_under_two_forms_of_one_mailbox(room: Room, form: str) -> None:
    """Two seats of one person would know too much, as would a moderator's seat of which nothing says so."""
    for moderator, invited in (
        ("gwen@example.org", ["ada@example.org", form.format("ada")]),
        ("gwen@example.org", ["ada@example.org", form.format("gwen")]),
    ):
        with pytest.raises(CharterError, match="mailbox"):
            found_game(room.arena, GameName("x"), "harbour", moderator=moderator, invited=invited, seats=2, now=NOON)


def test_nobody_is_invited_twice_in_the_same_words(room: Room) -> None:
    """The very same text too."""
    twice = ["ada@example.org"] * 2
    with pytest.raises(CharterError, match="invited twice"):
        found_game(room.arena, GameName("x"), "harbour", moderator="g@example.org", invited=twice, seats=2, now=NOON)


def test_at_gmail_dots_make_no_other_mailbox(room: Room) -> None:
    """Elsewhere they do."""
    same = ["a.da@gmail.com", "ada+x@googlemail.com"]
    with pytest.raises(CharterError, match="are one mailbox"):
        found_game(room.arena, GameName("x"), "harbour", moderator="g@example.org", invited=same, seats=2, now=NOON)
    other = ["a.da@example.org", "ada@example.org"]
    assert found_game(room.arena, GameName("x"), "harbour", moderator="g@example.org", invited=other, seats=2, now=NOON)


@pytest.mark.parametrize("form", ["arena@example.org", "Arena@example.org", "arena+tide-1@example.org"])
def test_the_arena_itself_neither_plays_nor_moderates(room: Room, form: str) -> None:
    """Nor does anybody move to its address."""
    for moderator, invited in ((form, ["ada@example.org"]), ("gwen@example.org", [form, "ada@example.org"])):
        with pytest.raises(CharterError, match="the arena's own address"):
            found_game(room.arena, GameName("x"), "harbour", moderator=moderator, invited=invited, seats=2, now=NOON)
    room.invite("ada", "bo")
    with pytest.raises(CharterError, match="the arena's own address"):
        moving.by_hand(room.arena, "ada@example.org", form)


OWN_FORMS = st.builds(
    lambda name, tag: f"{name}{tag}@example.org",
    st.sampled_from(("arena", "Arena", "ARENA")),
    st.sampled_from(("", "+tide-1", "+x.y", "+")),
)


@pytest.mark.parametrize("form", ["arena@example.org", "arena+x@example.org", "ARENA@example.org"])
def test_an_arena_that_an_older_release_invited_itself_to_goes_on(room: Room, form: str) -> None:
    """Nobody edited that; all games would stand still for it."""
    room.found("ada", "bo")
    room.arena.people.admit_all([form])
    room.reopen()
    room.write(ADA, "bid 3")
    assert not room.sweep().troubles
    assert room.table().sets.hand["ada"].orders == ("bid 3",)


@given(form=OWN_FORMS, whom=st.sampled_from(("ada", "bo", "gwen")), is_move=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_person_who_is_given_the_arenas_address_by_hand_stops_it_with_the_line(
    begun: Room, tmp_path_factory: pytest.TempPathFactory, form: str, whom: str, is_move: bool
) -> None:
    """In the address of a player or of the moderator, and in where their letters are to go; mended, all goes on."""
    room = begun.copied(tmp_path_factory.mktemp("edited") / "arena")
    person, sent = room.arena.people.find(f"{whom}@example.org"), len(room.outbox.sent)
    path = room.root / "people.toml"
    heading, _, sound = path.read_text().partition("\n")
    assert records.is_check(heading)
    lines = sound.split("\n")
    place = lines.index(f'address = "{whom}@example.org"')
    if is_move:
        place = next(number for number in range(place, len(lines)) if not lines[number])
        moved = [f"[{person}.move]", 'game = "tide-1"', f'to = "{form}"', "since = 2026-11-23T12:00:00Z", ""]
        lines[place + 1 : place + 1] = moved
        place += 3
    else:
        lines[place] = f'address = "{form}"'
    path.write_text("\n".join(lines))
    said = re.escape(f"people.toml, line {place + 1}: {form} is the arena's own address")
    with pytest.raises(CharterError, match=said):
        room.reopen()
    path.write_text(sound)
    room.arena = room.open()
    room.write("ada@example.org", "bid 1")
    room.sweep()
    assert room.table().sets.hand and not [to for to, _ in room.outbox.sent[sent:] if to.lower().startswith("arena")]
    room.arena.close()


def test_a_game_that_is_to_be_read_at_the_arenas_address_stands_still_with_the_line(room: Room) -> None:
    """Where somebody edits the charter so; mended, it goes on."""
    room.found("ada", "bo")
    path = room.root / "games" / "tide-1" / "charter.toml"
    sound = path.read_text()
    terms = sound.partition("\n")[2]
    path.write_text(terms.replace('mailing_list = ""', 'mailing_list = "arena+x@example.org"'))
    line = terms.split("\n").index('mailing_list = ""') + 1
    (trouble,) = room.sweep().troubles
    assert f"charter.toml, line {line}: that is the arena's own address" in trouble
    assert not checking.check(room.arena, GameName("tide-1"), room.clock.now())[1]
    path.write_text(sound)
    assert not room.sweep().troubles
    assert not [to for to, _ in room.outbox.sent if to.startswith("arena")]
