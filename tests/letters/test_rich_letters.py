"""Reports as HTML: what they say, that replies to them are read right, and that nothing on them acts."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.hall.store.catalogue import rulesets_known
from pbem.language.phrases import clean
from pbem.letters import markup, multipart
from pbem.letters.reading import newly, read
from pbem.table.incoming import player_lines
from pbem.world.settings import templates
from tests.conftest import Room
from tests.depth import examples, some
from tests.letters.nasty import NASTY, UNSEEN
from tests.letters.rich_clients import DRESSES, PLAINS, plain, replies
from tests.letters.test_round_trip import LINES
from tests.site.pages import TAGS

ADA = "ada@example.org"
GAMES: Mapping[str, dict[str, Any]] = {
    "rumble": {"names": {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl"}},
    "brawl": {"names": {"ada": "Ada Longshore", "bo": "Bottles Bo", "cy": "Quiet Cy"}},
    "discs": {"names": {"ada": "Ada", "bo": "Bo", "cy": "Cy"}},
}


def is_report(raw: bytes) -> bool:
    """Say whether a letter is a report."""
    return re.search(rb"^X-Pbem-Letter: [\w-]+\.report\.", raw, re.MULTILINE) is not None


class Played:
    """A game that was played by mail, and the reports that Ada had of it, as mail and by their two forms."""

    def __init__(self, room: Room, ruleset: str, most: int) -> None:
        """Play it to its end, or until so many reports have come, with programs in the place of people."""
        name = f"{ruleset}-1"
        room.found("ada", "bo", "cy", ruleset=ruleset, name=name, review=(), close="when ready", **GAMES[ruleset])
        room.write(ADA, "mail: html", to=room.reply_to(ADA, f"[{name}]"), subject="Re: it")
        room.sweep()
        assert "as HTML too" in " ".join(room.last(ADA).split())
        rules = rulesets_known()[ruleset]
        bots: Mapping[str, Any] = rules.bots  # type: ignore[attr-defined]
        self.tables: list[Any] = []
        self.raws: list[bytes] = []
        for _ in range(120):
            table = room.table(name)
            if table.status == "over" or len(self.raws) >= most:
                break
            bot = next(iter(bots.values()))
            for seat in table.owing:
                who = room.arena.people.contact(table.seats[seat].person).address
                orders = bot(table.seen_by(seat), seat, room.dice.at(f"{name} {table.number} {seat}"))
                room.write(who, "\n".join(rules.format(table.state, orders)), to=room.reply_to(who, f"[{name}]"))
            room.sweep(timedelta(hours=1))
            self.raws = [raw for to, raw in room.outbox.sent if to == ADA and is_report(raw)]
        self.pages = [multipart.html_of(raw) for raw in self.raws]
        self.texts = [multipart.text_of(raw) for raw in self.raws]
        self.table = room.table(name)
        assert len(self.raws) > 2 and all(self.pages)


@pytest.fixture(scope="module", params=[4, pytest.param(9, marks=pytest.mark.sweep)])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Played]:
    """A game of each ruleset: its first reports, or in a sweep all as far as the ninth."""
    found = {}
    for ruleset in GAMES:
        room = Room(tmp_path_factory.mktemp(ruleset) / "arena", rulesets_known(), templates())
        found[ruleset] = Played(room, ruleset, request.param)
        room.arena.close()
    return found


def words(text: str) -> list[str]:
    """Return words and numbers, without bars."""
    return [word for word in text.replace(":", " ").split() if not set(word) <= set("#.|~")]


@pytest.mark.parametrize("ruleset", GAMES)
def test_html_says_what_the_text_says(played: dict[str, Played], ruleset: str) -> None:
    """Each word and number of the text stands in it; no script, nothing that is fetched, and it is not too large."""
    for text, page in zip(played[ruleset].texts, played[ruleset].pages, strict=True):
        tree = lxml.html.document_fromstring(page)
        assert set(words(text)) - set(words(" ".join(tree.body.itertext()))) <= {"THE", "END"} | {
            word for word in words(text) if word.endswith("...")
        }
        for element in tree.iter(lxml.etree.Element):
            assert element.tag in TAGS and element.tag not in ("script", "link", "input"), element.tag
            assert not any(name.startswith("on") for name in element.attrib)
        assert all(target.startswith("cid:") for target in tree.xpath("//@src | //@background"))
        assert all(target.startswith("mailto:arena+") for target in tree.xpath("//@href"))
        assert "url(" not in page and "@import" not in page and len(page.encode()) < 102_000


@pytest.mark.parametrize("ruleset", GAMES)
def test_no_line_of_it_reads_as_an_order(played: dict[str, Played], ruleset: str) -> None:
    """As any program shows it: cells beside each other or below, wrapped or not."""
    game = played[ruleset]
    table = game.table.base or game.table
    state, seat = table.state, next(iter(table.seats))
    for page in game.pages:
        shown = [markup.text(page), *(plain(page, *how) for how in PLAINS.values())]
        for line in {line.strip(" \t>") for text in shown for line in text.split("\n")}:
            if not line or line.startswith(("| ", "~ ", ": ")) or line in ("|", "~", ":"):
                continue
            parsed = table.ruleset.parse(state, seat, [OrderLine(1, line)])
            assert not parsed.orders, line
            assert not player_lines.REQUEST.match(line) or " " in line, line


WRITTEN = st.lists(st.one_of(*(LINES[name] for name in sorted(LINES) if name != "power")), min_size=1, max_size=6)


def hold_read(game: Played, at: int, new: Sequence[str], client: str = "") -> None:
    """Say that a reply to a report, from each program or one, is read as its new lines and nothing else."""
    text, page = game.texts[at], game.pages[at]
    known = [text, markup.text(page)]
    for name, raw in replies(new, page).items():
        if client and name != client:
            continue
        found = [clean(line.text) for line in newly(read(raw), known) if line.text.strip()]
        assert found == [clean(line) for line in new if line.strip()], name


SIMPLE = ["attack Cuttlefish 20", "defend 30"]


@pytest.mark.parametrize("ruleset", GAMES)
def test_replies_of_all_programs_are_read(played: dict[str, Played], ruleset: str) -> None:
    """Two orders above each report, quoted in every way."""
    for at in range(len(played[ruleset].pages)):
        hold_read(played[ruleset], at, SIMPLE)


CLIENTS = [f"{name}, {kind}" for name in DRESSES for kind in ("HTML alone", *PLAINS)]


@given(st.sampled_from(sorted(GAMES)), st.integers(0, 99), st.sampled_from(CLIENTS), WRITTEN)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
def test_whatever_is_written_is_read(
    played: dict[str, Played], ruleset: str, at: int, client: str, new: list[str]
) -> None:
    """Orders, rulings, press and bare answers, from any program."""
    game = played[ruleset]
    if "wrapped" in client:
        new = [line for line in new if len(line) <= 50] or ["wait"]
    hold_read(game, at % len(game.pages), new, client)


@pytest.mark.parametrize("ruleset", ["brawl", "rumble"])
@pytest.mark.parametrize("name", some(4, DRESSES))
def test_filled_form_in_the_quotation_is_read(played: dict[str, Played], ruleset: str, name: str) -> None:
    """What is typed over the blanks counts, and nothing else."""
    game = played[ruleset]
    at = next(at for at, text in enumerate(game.texts) if "\n~ " in text and "____" in text)
    page = game.pages[at]
    first = next(line for line in game.texts[at].split("\n") if line.startswith("~ ") and "____" in line)
    filled, count = first, 0
    while "____" in filled:
        count += 1
        filled = filled.replace("____", f"x{count}", 1)
    assert first in page
    for client, raw in replies([], page.replace(first, filled, 1)).items():
        if client.startswith(f"{name},"):
            found = [
                clean(line.text) for line in newly(read(raw), [game.texts[at], markup.text(page)]) if line.text.strip()
            ]
            assert found == [clean(filled.removeprefix("~ "))], client


def test_wish_holds_until_another(room_of_rumble: Room) -> None:
    """`mail: text` ends it; only reports are HTML; the moderator and the others have text."""
    room = room_of_rumble
    name = "rumble-1"

    def wish(form: str) -> None:
        room.write(ADA, f"mail: {form}", to=room.reply_to(ADA, f"[{name}]"), subject="Re: it")
        room.sweep()

    wish("html")
    before = len(room.outbox.sent)
    number = room.table(name).number
    while room.table(name).number == number:
        room.sweep(timedelta(hours=12))
    fresh = room.outbox.sent[before:]
    rich = {to for to, raw in fresh if multipart.html_of(raw)}
    assert rich == {ADA} and all(is_report(raw) for _, raw in fresh if multipart.html_of(raw))
    wish("text")
    assert "as text alone" in " ".join(room.last(ADA).split())
    before, number = len(room.outbox.sent), room.table(name).number
    while room.table(name).number == number:
        room.sweep(timedelta(hours=12))
    assert not any(multipart.html_of(raw) for _, raw in room.outbox.sent[before:])


@pytest.fixture
def room_of_rumble(tmp_path: Any) -> Any:
    """A game of Rumble that has begun."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found("ada", "bo", ruleset="rumble", name="rumble-1", review=())
    yield room
    room.arena.close()


@pytest.mark.parametrize("talk", ["mail me when you can", "mail", "mail: later", "mail text Bo", "mail html please Bo"])
def test_talk_of_mail_is_no_wish(room_of_rumble: Room, talk: str) -> None:
    """Only the two forms are."""
    room_of_rumble.write(ADA, talk, to=room_of_rumble.reply_to(ADA, "[rumble-1]"), subject="Re: it")
    room_of_rumble.sweep()
    assert "reports come as" not in " ".join(room_of_rumble.last(ADA).split())


def test_whatever_people_write_is_text_on_it(room_of_rumble: Room) -> None:
    """Headline, notes and powers with hostile strings in them: no element, no attribute, nothing unseen, no link."""
    room, name = room_of_rumble, "rumble-1"
    wild = [one for one in NASTY if "\n" not in one and len(one) < 400 and one.strip() and max(one) < "\ud800"]
    room.write(ADA, "mail: html", to=room.reply_to(ADA, f"[{name}]"), subject="Re: it")
    room.write(
        ADA, f"power: Odd\ntext: +5 to Attack {wild[14]} {wild[15]} <b onclick=x>", to=room.reply_to(ADA, f"[{name}]")
    )
    for one in wild:
        said = f"story: {one}\n\nnote {one}"
        room.write("gwen@example.org", said, to=room.reply_to("gwen@example.org", f"[{name}]"), subject="Re: it")
    room.sweep()
    while room.table(name).number == 1:
        room.sweep(timedelta(hours=12))
    page = multipart.html_of([raw for to, raw in room.outbox.sent if to == ADA and is_report(raw)][-1])
    assert "alert(1)" in page and "&lt;script&gt;" in page
    assert not set(page) & set(UNSEEN)
    tree = lxml.html.document_fromstring(page)
    for element in tree.iter(lxml.etree.Element):
        assert element.tag in TAGS - {"script", "input"}, element.tag
        assert not any(attribute.startswith("on") for attribute in element.attrib)
    assert not tree.xpath("//@src")
    assert all(target.startswith("mailto:arena+rumble-1.") for target in tree.xpath("//@href"))


def test_charter_has_reports_come_as_html_to_all_who_do_not_ask_for_text(tmp_path: Path) -> None:
    """A wish goes before it, whichever came first."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found("ada", "bo", ruleset="brawl", name="ring-1", review=(), html=True)
    room.write(ADA, "mail: text", to=room.reply_to(ADA, "[ring-1]"))
    for _ in range(3):
        room.sweep(timedelta(hours=40))
    reports = [(to, raw) for to, raw in room.outbox.sent if is_report(raw)]
    assert {to for to, _ in reports} == {ADA, "bo@example.org", "gwen@example.org"}
    assert {to for to, raw in reports if multipart.html_of(raw)} == {"bo@example.org", "gwen@example.org"}
    room.arena.close()
