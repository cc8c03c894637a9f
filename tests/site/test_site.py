"""The site: pages of what everybody was told, whole and made only where something is new."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import jinja2
import msgspec
import pytest
from click.testing import CliRunner
from icalendar import Calendar

from pbem.cli import pbem
from pbem.daemon import PAGED, Daemon
from pbem.ground.terms import EVERYONE, CharterError, Event, GameName, Seat
from pbem.hall.site import build, pages
from pbem.hall.site.guard import Guard
from pbem.hall.store.arena import Arena, Doors
from pbem.hall.store.catalogue import rulesets_known
from pbem.testing.room import MODERATOR, NOON
from pbem.world import log
from pbem.world.settings import SiteSettings
from tests.conftest import Room, steady
from tests.site.pages import GAMES, OURS, arena_of_specimens, built, files, hold_sound, opened, parsed

ADA, BO = "ada@example.org", "bo@example.org"


@pytest.fixture(scope="module")
def specimens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena with all specimens."""
    arena = opened(arena_of_specimens(tmp_path_factory.mktemp("specimens") / "arena"))
    yield arena
    arena.close()


@pytest.fixture(scope="module")
def site(specimens: Arena, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of its site."""
    folder = tmp_path_factory.mktemp("site")
    assert not built(specimens, folder).troubles
    return files(folder)


def html(site: dict[str, bytes]) -> dict[str, bytes]:
    """Return the pages."""
    return {path: page for path, page in site.items() if path.endswith(".html")}


def test_each_game_has_its_pages(site: dict[str, bytes]) -> None:
    """A page a game, and one a phase with the report as it was mailed beside it; nothing else lies there."""
    for game in (path.parent for path in GAMES.glob("*/charter.toml")):
        assert f"games/{game.name}/index.html" in site
        for report in game.glob("phase-*/report.txt"):
            assert f"games/{game.name}/{report.parent.name}.html" in site
            assert site[f"games/{game.name}/{report.parent.name}.txt"] == report.read_bytes()
    assert all(OURS.match(path) for path in html(site))
    assert {path.rpartition(".")[2] for path in site} == {"html", "txt", "svg", "css", "atom", "ics"}


def test_every_link_leads_somewhere(site: dict[str, bytes]) -> None:
    """Each link, picture and style within the site has its file, and each anchor its place, rules included."""
    anchors = {path: set(parsed(page).xpath("//@id")) for path, page in html(site).items()}
    seen = 0
    for path, page in html(site).items():
        for target in parsed(page).xpath("//a/@href | //link/@href | //img/@src"):
            place, anchor = urldefrag(target)
            found = _joined(path, place) if place else path
            assert found in site, (path, target)
            if anchor and found != path:
                assert anchor in anchors[found], (path, target)
            elif anchor:
                assert anchor in anchors[path], (path, target)
            seen += 1
    assert seen > 1_000


def _joined(path: str, target: str) -> str:
    parts = path.split("/")[:-1]
    for part in target.split("/"):
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def test_only_our_two_scripts_can_run(site: dict[str, bytes]) -> None:
    """Each page forbids all scripts but those whose digests it names; what stands on it has none else."""
    assert len(hold_sound(site)) == 2
    for page in html(site).values():
        assert parsed(page).xpath("//meta[@name='robots']/@content") == ["noindex"]


def test_the_story_has_the_numbers_of_the_reports(site: dict[str, bytes]) -> None:
    """Each word and number that a report has in its lead and its sums stands on the phase's page."""
    for report in GAMES.glob("*/phase-*/report.txt"):
        page = parsed(site[f"games/{report.parent.parent.name}/{report.parent.name}.html"])
        (body,) = page.xpath("//article")
        for mailed in body.xpath(".//details[@class='mailed']"):
            mailed.getparent().remove(mailed)
        shown = set(re.findall(r"\d+", " ".join(body.itertext())))
        text = report.read_text(encoding="utf-8").partition("\nRulings\n")[0].partition("\n|")[0]
        said = set(re.findall(r"\d+", re.sub(r"\[\S+\]", "", text.partition("\n\n")[2])))
        assert said <= shown, (report, said - shown)


def test_what_has_not_changed_is_not_made_again(tmp_path: Path) -> None:
    """A second time nothing is written; without the record of the first all is made, and nothing differs."""
    arena = opened(arena_of_specimens(tmp_path / "arena", "discs-1", "rumble-1"))
    first = built(arena, tmp_path / "site")
    assert first.games == 2 and first.written == len(files(tmp_path / "site"))
    again = built(arena, tmp_path / "site")
    assert (again.games, again.written) == (0, 0)
    (arena.root / build.RECORD).unlink()
    again = built(arena, tmp_path / "site")
    assert (again.games, again.written) == (2, 0)
    (tmp_path / "site" / "games" / "rumble-1" / "index.html").unlink()
    again = built(arena, tmp_path / "site")
    assert (again.games, again.written) == (1, 1)
    (arena.root / build.RECORD).write_text("no json", encoding="utf-8")
    assert built(arena, tmp_path / "site").written == 0
    (tmp_path / "elsewhere").mkdir()
    assert built(arena, tmp_path / "elsewhere").written == first.written
    arena.close()


def test_a_game_that_cannot_be_read_leaves_the_others_their_pages(tmp_path: Path) -> None:
    """Its own pages stay as they were, and it is told which it is; a fault of ours is told without what it read."""
    arena = opened(arena_of_specimens(tmp_path / "arena", "brawl-1", "rumble-1"))
    built(arena, tmp_path / "site")
    before = files(tmp_path / "site")
    journal = arena.root / "games" / "brawl-1" / "phase-02" / "journal.toml"
    journal.write_bytes(journal.read_bytes().replace(b"number = ", b"number = 1", 1))
    (arena.root / build.RECORD).unlink()
    found = built(arena, tmp_path / "site")
    assert found.games == 1 and len(found.troubles) == 1 and found.troubles[0].startswith("brawl-1: ")
    after = files(tmp_path / "site")
    assert after["games/brawl-1/index.html"] == before["games/brawl-1/index.html"]
    assert b"brawl-1" not in after["index.html"]
    arena.close()


def test_a_game_of_older_rules_shows_its_reports_as_they_were_mailed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rules have another version nothing is worked out again; the story is the text alone."""
    arena = opened(arena_of_specimens(tmp_path / "arena", "brawl-2", "rumble-1"))
    monkeypatch.setattr(type(arena.rulesets["brawl"]), "version", 99)
    assert not built(arena, tmp_path / "site").troubles
    site = files(tmp_path / "site")
    page = parsed(site["games/brawl-2/index.html"])
    assert len(page.xpath("//article")) == 10 and not page.xpath("//article//table")
    assert page.xpath("//article/header/h3/text()")[0] == "Round 1"
    assert page.xpath("//h1/text()")[0].startswith("The police came after round 10")
    arena.close()


def test_terminal_makes_the_site(tmp_path: Path) -> None:
    """`pbem site FOLDER`, or the folder of the settings; without either it says what to write."""
    root = arena_of_specimens(tmp_path / "arena", "discs-1", "rumble-1")
    run = CliRunner().invoke(pbem, ["--arena", str(root), "site"])
    assert isinstance(run.exception, CharterError) and "[site] and folder" in str(run.exception)
    run = CliRunner().invoke(pbem, ["--arena", str(root), "site", str(tmp_path / "site")])
    assert run.exit_code == 0 and "for 2 games with news" in run.output, run.output
    with (root / "settings.toml").open("a", encoding="utf-8") as settings:
        settings.write('[site]\nfolder = "../pages"\nindexed = true\nurl = "https://games.example.org/"\n')
    run = CliRunner().invoke(pbem, ["--arena", str(root), "site"])
    assert run.exit_code == 0, run.output
    pages = files(tmp_path / "pages")
    assert b"noindex" not in pages["index.html"]
    assert b'href="https://games.example.org/games/rumble-1/phase-03.html"' in pages["feed.atom"]
    assert (tmp_path / "pages" / "index.html").stat().st_mode & 0o777 == 0o644


@pytest.fixture
def served(room: Room, tmp_path: Path) -> Room:
    """The harbour, in an arena with a site."""
    room.settings = msgspec.structs.replace(room.settings, site=SiteSettings(folder="../site"))
    room.reopen()
    return room


def daemon_of(room: Room) -> Daemon:
    """Return a daemon that sweeps a room."""
    return Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log.SILENT, steady(room))


def wake(room: Room, daemon: Daemon, span: timedelta = timedelta(minutes=1)) -> None:
    """Let time pass, and the daemon wake."""
    room.clock.advance(span)
    assert not daemon.wake().troubles


def test_daemon_makes_pages_at_each_report_and_the_feed_waits(served: Room, tmp_path: Path) -> None:
    """The report is on the site at once; the feed and nothing else has it ten minutes later; orders change nothing."""
    daemon = daemon_of(served)
    served.found_anew("ada", "bo")
    wake(served, daemon)
    before = files(tmp_path / "site")
    assert b"tide-1" in before["index.html"] and b"<entry>" not in before["feed.atom"]
    (due,) = Calendar.from_ical(before["deadlines.ics"].decode()).walk("VEVENT")
    assert str(due["uid"]) == "tide-1.deadline"
    assert due.decoded("dtstart") == served.table().deadline.replace(microsecond=0)
    served.write(ADA, "bid 3")
    wake(served, daemon)
    assert files(tmp_path / "site") == before
    served.write(BO, "bid 1")
    while "games/tide-1/phase-01.html" not in files(tmp_path / "site"):
        wake(served, daemon)
    after = files(tmp_path / "site")
    assert b"<entry>" not in after["feed.atom"]
    wake(served, daemon, build.WAITS)
    fed = files(tmp_path / "site")
    assert b"games/tide-1/phase-01.html" in fed["feed.atom"]
    assert {path for path in fed if fed[path] != after.get(path)} == {"feed.atom"}
    served.write(MODERATOR, "extend 24h because snow", to=served.reply_to(MODERATOR))
    wake(served, daemon)
    assert {path for path, page in files(tmp_path / "site").items() if page != fed[path]} >= {"deadlines.ics"}


def test_report_that_came_out_before_a_crash_is_on_the_site_after_it(served: Room, tmp_path: Path) -> None:
    """A fresh process looks at all games, whatever the one before knew."""
    daemon = daemon_of(served)
    served.found_anew("ada", "bo")
    wake(served, daemon)
    served.write(ADA, "bid 3")
    served.write(BO, "bid 1")
    while served.table().number == 1:
        served.sweep()  # the report goes out, and nobody makes pages
    served.reopen()
    wake(served, daemon_of(served))
    assert "games/tide-1/phase-01.html" in files(tmp_path / "site")


def test_folder_that_cannot_be_written_stops_no_game(served: Room, tmp_path: Path) -> None:
    """It is a trouble that is told, tried again, and over once the folder is there."""
    (tmp_path / "site").write_text("in the way", encoding="utf-8")
    daemon = daemon_of(served)
    served.found_anew("ada", "bo")
    served.clock.advance(timedelta(minutes=1))
    assert "cannot be written" in " ".join(daemon.wake().troubles)
    assert served.table().status == "open"
    (tmp_path / "site").unlink()
    wake(served, daemon, timedelta(minutes=6))
    assert b"tide-1" in files(tmp_path / "site")["index.html"]


def test_many_games_are_made_a_few_at_a_time(served: Room, tmp_path: Path) -> None:
    """Mail never waits for pages: the rest comes at the next sweeps."""
    for number in range(PAGED + 5):
        served.invite("ada", "bo", name=f"tide-{number + 1}")
    daemon = daemon_of(served)
    wake(served, daemon)
    assert len(list((tmp_path / "site" / "games").iterdir())) == PAGED
    wake(served, daemon)
    assert len(list((tmp_path / "site" / "games").iterdir())) == PAGED + 5


def test_indexed_and_deadlines_are_what_the_settings_say(served: Room, tmp_path: Path) -> None:
    """Without deadlines there is no calendar, and no page tells when a phase closes."""
    served.settings = msgspec.structs.replace(served.settings, site=SiteSettings(folder="../site", deadlines=False))
    served.reopen()
    served.found_anew("ada", "bo")
    built(served.arena, tmp_path / "site")
    site = files(tmp_path / "site")
    assert "deadlines.ics" not in site
    deadline = pages.instant(served.table().deadline).encode()
    assert not any(deadline in page for page in site.values())
    served.arena.settings = msgspec.structs.replace(served.settings, site=SiteSettings(folder="../site"))
    built(served.arena, tmp_path / "site")
    assert deadline in files(tmp_path / "site")["games/tide-1/index.html"]


@pytest.mark.parametrize("playing", [0, 1, 2, 30])
@pytest.mark.parametrize("over", [0, 1, 2, 30])
def test_the_front_page_says_in_words_how_many_games_there_are(specimens: Arena, playing: int, over: int) -> None:
    """No count of none stands before a noun or a verb, and one is one."""
    record = build.Card(
        name="tide-1", stamp="", ruleset="harbour", status="", title="Tide 1", deadline=None, says="", ended=None,
        created=NOON, seats=(), winners=(), reports=0, rulings=(), exhibits=(), exhibited="", fed=(),
    )  # fmt: skip
    page = build.Maker(specimens).pages.page("index", "", playing=[record] * playing, over=[record] * over)
    (lead,) = parsed(page.encode()).xpath("//p[@class='lead']")
    counts = {0: "no", 1: "one is", 2: "two are", 30: "30 are"}
    going, ended = f"{counts[playing]} going on", f"{counts[over]} over"
    said = {
        (True, True): f": {going}, {ended}.",
        (True, False): f": {going}.",
        (False, True): f": {ended}, and none is going on just now.",
        (False, False): ".",
    }[bool(playing), bool(over)]
    assert lead.text == f"Games played by mail{said}"
    assert ("No game has been founded yet." in page) is not (playing or over)


def test_feed_is_well_formed_and_newest_first(site: dict[str, bytes]) -> None:
    """Fifty reports at most, each with an id of its own."""
    feed = parsed(site["feed.atom"].replace(b'<?xml version="1.0" encoding="utf-8"?>', b""))
    ids, updated = feed.xpath("//entry/id/text()"), feed.xpath("//entry/updated/text()")
    assert len(ids) == len(set(ids)) == build.FED and updated == sorted(updated, reverse=True)


def test_open_phase_shows_its_title_and_its_deadline_alone(room: Room, tmp_path: Path) -> None:
    """Neither orders nor press of an open phase; press stands with the report of its phase."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3\n\npress to all: a wombat walks in")
    room.sweep()
    built(room.arena, tmp_path / "site", room.clock.now())
    assert not any(b"wombat" in page for page in files(tmp_path / "site").values())
    room.write(BO, "bid 1")
    while room.table().number == 1:
        room.sweep()
    built(room.arena, tmp_path / "site", room.clock.now())
    site = files(tmp_path / "site")
    assert b"wombat" in site["games/tide-1/index.html"] and b"wombat" in site["games/tide-1/phase-01.html"]


def test_what_players_write_never_shows_an_address_a_token_or_a_person(room: Room, tmp_path: Path) -> None:
    """It stands there with a word in its place, in whatever case it was written; a page that had it would be refused."""
    room.found("ada", "bo", review=("tide",))
    person = room.table().seats["ada"].person
    token = room.arena.token(room.table(), Seat("ada"))
    key = room.arena.secret.hex()
    seed = room.arena.seed(GameName("tide-1")).hex()
    said = (
        f"Write me at ada@example.org or {room.reply_to(ADA)}, I am {person}, {token}, {token.upper()}, {key}, {seed}."
    )
    room.write(ADA, f"press to all: {said}\n\nbid 3")
    room.write(BO, "bid 1")
    room.sweep()
    room.write(MODERATOR, f"headline: ask bo@example.org, {token}\n\nnote {person} is not ada@example.org")
    room.sweep()
    room.write(MODERATOR, f"approve {room.table().proof}")
    while room.table().number == 1:
        room.sweep()
    assert not built(room.arena, tmp_path / "site").troubles
    pages = files(tmp_path / "site")
    hold_sound(pages)
    shown = b"".join(pages.values())
    assert b"Write me at (an address) or (an address), I am (a person), (a token), (a token), (a token)" in shown
    for secret in (person, token, token.upper(), key, seed, "example.org"):
        assert secret.encode() not in shown


def told_of_words(room: Room) -> list[list[str]]:
    """Return the words that each letter to the moderator of words that are left out names."""
    letters = [one for one in room.letters(MODERATOR) if "left out of the pages" in one.subject]
    return [[line.strip(" :") for line in letter.body if line.startswith("  : ")] for letter in letters]


def test_the_moderator_is_told_once_which_words_pages_leave_out(served: Room) -> None:
    """Those that are new, of a token no more than its beginning; not again where the record of the pages is lost."""
    room, daemon = served, daemon_of(served)
    room.found_anew("ada", "bo")
    token = room.arena.token(room.table(), Seat("ada"))
    said = (f"write to ada@b or {token.upper()}", "ada@b, or rather to ada@c")
    for number, (text, bids) in enumerate(zip(said, ("32", "12"), strict=True), 1):
        room.write(ADA, f"press to all: {text}\n\nbid {bids[0]}")
        room.write(BO, f"bid {bids[1]}")
        for _ in range(4):
            wake(room, daemon)
        assert room.table().number == number + 1
    assert told_of_words(room) == [["ada@b", f"{token[:4].upper()}..."], ["ada@c"]]
    (room.root / build.RECORD).unlink()
    served.arena.told.add(GameName("tide-1"))
    for _ in range(3):
        wake(room, daemon)
    last = told_of_words(room)[2:]
    assert last == [["ada@b", f"{token[:4].upper()}...", "ada@c"]]


def test_of_a_game_that_was_over_before_such_words_were_noted_nothing_is_told(room: Room, tmp_path: Path) -> None:
    """An upgrade brings no letters about games of long ago; of one that goes on all such words are told."""
    for name, texts in (("tide-1", ("ada@b", "ada@b")), ("tide-2", ("ada@c",))):
        room.found("ada", "bo", name=name)
        for text in texts:
            for who, said in ((ADA, f"bid 5\n\npress to all: {text}"), (BO, "bid 1")):
                room.write(who, said, to=room.reply_to(who, f"[{name}]"))
            for _ in range(3):
                room.sweep()
    assert room.table("tide-1").status == "over" and room.table("tide-2").status == "open"
    for _ in range(2):
        built(room.arena, tmp_path / "site", room.clock.now())
        room.sweep()
    assert told_of_words(room) == [["ada@c"]]


@pytest.mark.parametrize(
    "secret",
    [
        pytest.param("abcdefghij234567", id="token"),
        *(
            pytest.param(secret, id=name, marks=pytest.mark.sweep)
            for name, secret in (("address", "ada@example.org"), ("person", "p-0123456789"), ("key", "ab" * 32))
        ),
    ],
)
def test_page_with_a_secret_on_it_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    """Whatever a fault of ours puts there: the page and all others of its game stay as they were, and it is told."""
    specimens = opened(arena_of_specimens(tmp_path / "arena", "discs-1", "discs-2"))
    whole = pages.Pages.page

    def careless(self: pages.Pages, name: str, up: str, **facts: Any) -> str:
        page = whole(self, name, up, **facts)
        self.guard.tokens, self.guard.keys = frozenset({"abcdefghij234567"}), frozenset({"ab" * 32})
        is_it = name == "phase" and facts["game"].name == "discs-1" and facts["phase"].number == 2
        return page.replace("</h1>", f"{secret}</h1>") if is_it else page

    monkeypatch.setattr(pages.Pages, "page", careless)
    found = built(specimens, tmp_path / "site")
    assert len(found.troubles) == 1 and "games/discs-1/phase-02.html would show" in found.troubles[0]
    assert secret not in found.troubles[0]
    written = files(tmp_path / "site")
    assert not any(path.startswith("games/discs-1/") for path in written) and "games/discs-2/index.html" in written
    specimens.close()


def test_powers_of_all_games_have_a_page(site: dict[str, bytes]) -> None:
    """Each with its text, what it fetched and who wrote it; the menu of every page leads there."""
    page = parsed(site["powers.html"])
    cards = [" ".join("".join(card.itertext()).split()) for card in page.xpath("//li[@data-find]")]
    assert "Tough Hide25 +15 to your Defence. Plastiquegirl · written by Mantisman" in cards
    assert len(cards) > 16 and not any("(taken off" in card for card in cards)
    for path, one in html(site).items():
        assert [link for link in parsed(one).xpath("//header//a/@href") if link.endswith("powers.html")], path


def test_ruleset_without_things_of_its_own_has_no_such_page(room: Room, tmp_path: Path) -> None:
    """Nor has its menu."""
    room.found("ada", "bo")
    built(room.arena, tmp_path / "site")
    site = files(tmp_path / "site")
    assert "powers.html" not in site and b"powers.html" not in site["index.html"]


def test_templates_that_were_compiled_before_keep_to_the_guard_of_their_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words are compiled once in a process, and others anew."""
    keys = ["ab" * 32, "cd" * 32]
    templates = {
        "site/style.css.j2": "",
        **dict.fromkeys(pages.SCRIPTS.values(), ""),
        "site/one.j2": "Told: {{ said }}",
    }
    first, second = (pages.Pages(templates, Guard([key]), "The Arena") for key in keys)
    assert first.page("one", "", said=" ".join(keys)) == f"Told: (a token) {keys[1]}"
    with monkeypatch.context() as within:
        within.setattr(jinja2.Environment, "_compile", None)
        assert second.page("one", "", said=" ".join(keys)) == f"Told: {keys[0]} (a token)"
    other = pages.Pages(templates | {"site/one.j2": "Now: {{ said }}"}, Guard(), "The Arena")
    assert other.page("one", "", said="it") == "Now: it"
    own = templates | {"site/one.j2": '{% autoescape false %}{{ "KEY" }}{% endautoescape %}'.replace("KEY", keys[0])}
    unlike, alike = (pages.Pages(own, Guard([key]), "The Arena") for key in reversed(keys))
    assert (unlike.page("one", ""), alike.page("one", "")) == (keys[0], "(a token)")


def test_long_text_is_looked_through_once() -> None:
    """However long a word is; one that would be tried from each of its letters would take hours."""
    wild = "a" * 300_000
    assert Guard().text(f"{wild} @ {wild} b@c") == f"{wild} @ {wild} (an address)"
    assert Guard().text("a@b@c, <x@y.example>; ada+x@example.org.") == "(an address)@c, <(an address)>; (an address)."


def test_charts_show_how_a_game_goes() -> None:
    """Under the names that all have last, one who is gone without a number; nothing before there are two rounds."""
    rows = [
        {
            "seat": "a",
            "name": "Al",
            "health_before": 9,
            "health": 5,
            "endurance_before": 3,
            "endurance": 0,
            "gone": False,
        }
    ]
    gone = [{**rows[0], "name": "Al the Anvil", "health_before": 0, "health": 0, "gone": True, "endurance_before": 0}]
    told = [[Event(kind="stands", to=EVERYONE, facts={"rows": one}, rule="K24")] for one in (rows, rows, gone)]
    health, endurance = rulesets_known()["brawl"].charts(told)  # type: ignore[attr-defined]
    assert (health.title, health.heads, health.ends) == ("Health", (0, 1, 2, 3), True)
    assert [(one.name, one.amounts) for one in health.curves] == [("Al the Anvil", (9, 5, 5, None))]
    assert endurance.curves[0].amounts == (3, 0, 0, None) and not endurance.ends
    energy = [
        {"hero": name, "before": before, "after": left, "verdict": "energy of ada"}
        for name, before, left in (("Ada", 100, 80), ("Mantis", 80, 60), ("Mantis", 60, -4))
    ]
    auction, *rounds = [[Event(kind="stands", to=EVERYONE, facts=one, rule="R10")] for one in energy]
    ordered = Event(kind="ordered", to=EVERYONE, facts={}, rule="R7")
    (chart,) = rulesets_known()["rumble"].charts([auction, *([ordered, *one] for one in rounds)])  # type: ignore[attr-defined]
    assert [(one.name, one.amounts) for one in chart.curves] == [("Mantis", (80, 60, 0))]
    assert rulesets_known()["rumble"].charts([[]]) == ()  # type: ignore[attr-defined]


def test_readings_of_powers_stand_in_words() -> None:
    """What lines do by which a power runs; not what was assumed, which depends on the house."""
    facts = {"number": "P01", "name": "Ink Cloud", "text": "Spend 15: Attacks against you are halved.", "kind": "power"}
    pooled = Event(kind="power_pooled", to=EVERYONE, facts=facts, rule="B1")
    runs = Event(
        kind="power_runs", to=EVERYONE, facts={"number": "P01", "lines": "cost: spend 15\ndo: attack(any, me) *= 1 / 2"}
    )
    (power,) = rulesets_known()["rumble"].exhibits([pooled, runs])  # type: ignore[attr-defined]
    assert dict(power.reading)["Effect"] == "each Attack on you is halved"
    assert "I assumed" not in dict(power.reading)
    (by_hand,) = rulesets_known()["rumble"].exhibits([pooled])  # type: ignore[attr-defined]
    assert by_hand.reading == ()


def test_people_are_named_where_they_want_it_and_the_game_is_over(room: Room, tmp_path: Path) -> None:
    """Not before, nobody by another's name, and no more once they take it back."""
    room.found("ada", "bo")

    def pages() -> str:
        built(room.arena, tmp_path / "site", room.clock.now())
        found = files(tmp_path / "site")
        return b"".join(found[path] for path in ("games/tide-1/index.html", "winners.html")).decode()

    room.write("ada@example.org", "publish me as Zed")
    room.write("bo@example.org", "publish me as zed")
    room.sweep()
    assert "name you as Zed" in " ".join(room.last("ada@example.org").split())
    assert "Somebody else is known by that name" in " ".join(room.last("bo@example.org").split())
    assert "Zed" not in pages()
    while room.table().status != "over":
        room.sweep(timedelta(hours=40))
    assert "Zed (Ada)" in pages() and "Ada (Zed)" in pages()
    assert "bo@" not in pages()
    room.write("ada@example.org", "publish me as nobody")
    room.sweep()
    assert "Zed" not in pages()
