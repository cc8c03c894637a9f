"""Makes the site: the pages of games that have told something new, then those that list all games."""

import hashlib
import multiprocessing
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from pbem.ground.terms import CharterError, Exhibit, GameName, WorldError
from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.outgoing import troubles
from pbem.hall.site import deadlines, law, pages, told
from pbem.hall.site.guard import Guard
from pbem.hall.site.pages import Pages
from pbem.hall.store.arena import Arena
from pbem.hall.store.catalogue import words_of
from pbem.letters import rendering
from pbem.ruleset import ExhibitingRuleset
from pbem.table.model.table import DEPUTY
from pbem.world.site_folder import SiteFolder

RECORD = "site.json"
"""What the pages that list all games are made from, in the arena's folder; derived, and may be deleted."""
WAITS = timedelta(minutes=10)
"""How long the feed waits with a report."""
FED = 50
"""How many reports the feed has."""
KINDS = 1
"""Changes whenever the code makes other pages of the same games."""
MENU = (("Games", "index.html"), ("Winners", "winners.html"), ("Rulings", "rulings.html"), ("About", "about.html"))


class Ruled(msgspec.Struct, frozen=True):
    """A ruling that a report has told, with the title of its phase."""

    number: int
    title: str
    line: str
    because: str


class Report(msgspec.Struct, frozen=True):
    """A report, as the feed tells of it."""

    game: str
    number: int
    title: str
    page: str
    published: datetime
    says: str


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the pages that list all games say of one.

    Shape: `stamp` is that of its folder when its pages were made; `reports` counts them, the last of which are `fed`;
    `taken` are the words that its pages leave out, None of pages that an older release made.
    """

    name: str
    stamp: str
    ruleset: str
    status: str
    title: str
    deadline: datetime | None
    says: str
    ended: datetime | None
    created: datetime
    seats: tuple[str, ...]
    winners: tuple[str, ...]
    reports: int
    rulings: tuple[Ruled, ...]
    exhibits: tuple[Exhibit, ...]
    exhibited: str
    fed: tuple[Report, ...]
    taken: tuple[str, ...] | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What was made when: `made` is the digest of all that pages are made by, and `folder` where they lie."""

    made: str = ""
    folder: str = ""
    cards: dict[str, Card] = {}


class Built(msgspec.Struct, kw_only=True):
    """
    What became of it.

    Shape: `games` whose pages were made; `written` pages that differ; `troubles` say which games were left as they
    were; `again` is when the feed has something new even if nothing happens, None if it has not.
    """

    games: int = 0
    written: int = 0
    troubles: list[str] = []
    again: datetime | None = None


class Prepared(msgspec.Struct, frozen=True):
    """The pages of a game, by path and ready to be written, and what the others say of it."""

    pages: tuple[tuple[str, str], ...]
    card: Card


class Maker:
    """Makes the pages of games, and touches no page on disk."""

    def __init__(self, arena: Arena) -> None:
        """Take an arena, with its words and what its pages must not show."""
        wanted, templates = arena.settings.site, words_of(arena.rulesets.values())
        self.arena = arena
        self.guard = Guard(_keys(arena))
        menu, name = _menu(arena), arena.settings.arena.name
        self.pages = Pages(templates, self.guard, name, menu, indexed=wanted.indexed, deadlines=wanted.deadlines)
        self.words = rendering.environment(templates, "marked")
        self.digest = _digest(arena, templates)

    def prepare(self, name: GameName) -> Prepared | str:
        """Make the pages of a game; where that does not work, say why, and nothing of what would have been shown."""
        try:
            return self._prepared(name)
        except WorldError as error:
            return f"{name}: {error}"
        except Exception as error:  # noqa: BLE001  a fault of ours with one game leaves the others their pages
            return f"{name}: {troubles.describe(error)}"

    def _prepared(self, name: GameName) -> Prepared:
        arena, guard = self.arena, self.guard
        guard.begin(_tokens(arena, name))
        game = told.read(
            arena.shelf, ("games", name), arena.rulesets, arena.seed(name), self.words, arena.people.public_names()
        )
        ready = tuple(self.pages.of_game(game))
        for path, text in ready:
            guard.check(path, text)
        card = card_of(game, arena.stamp(name, game.ruleset), guard)
        return Prepared(ready, msgspec.structs.replace(card, taken=tuple(guard.taken)))


def build(
    arena: Arena,
    folder: Path,
    now: datetime,
    news: Collection[str] | None = None,
    most: int | None = None,
    workers: int = 1,
) -> Built:
    """
    Make the site of an arena anew in a folder: only what has changed since it was made there.

    A game that cannot be read, or whose pages would show what they must not, is left as it was, and told. Which words
    were taken out, the game's moderator is told, once.
    Shape: `news` are the games that have told something since, where that is known: no other is looked at then, but
    those that have no pages yet. Of more than `most` games the rest is left for the next time, which is at once.
    Many are made by several `workers`, processes of their own; a process that has threads can have but one.
    Errors: SiteError where the folder cannot be written.
    """
    site, built, maker, record = SiteFolder(folder), Built(), Maker(arena), _read(arena)
    known = record.cards if (record.made, record.folder) == (maker.digest, str(folder)) else {}
    rows = {GameName(row.name): row.ruleset for row in arena.index.games.rows()}
    cards: dict[str, Card] = {game: known[game] for game in rows if game in known}
    wanted = [game for game, ruleset in rows.items() if _is_due(arena, site, game, ruleset, known.get(game), news)]
    for found in _prepare_all(maker, wanted[:most], workers):
        if isinstance(found, str):
            built.troubles.append(found)
            continue
        built.games += 1
        built.written += sum(site.write(path, text.encode()) for path, text in found.pages)
        _tell_of_taken(arena, found.card, record.cards.get(found.card.name), now)
        cards[found.card.name] = found.card
    for path, text in listing(arena, maker.pages, sorted(cards.values(), key=lambda card: card.name), now, built):
        maker.guard.check(path, text)
        built.written += site.write(path, text.encode())
    _keep(arena, Record(made=maker.digest, folder=str(folder), cards=cards))
    return built if len(wanted[:most]) == len(wanted) else msgspec.structs.replace(built, again=now)


def _tell_of_taken(arena: Arena, card: Card, before: Card | None, now: datetime) -> None:
    """
    Tell a game's moderator which words its pages leave out, where they are new.

    Of a game that was over before we noted such words nobody has to know any more.
    """
    told = before.taken if before else None
    words = [word for word in card.taken or () if word not in (told or ())]
    if words and not (told is None and card.ended):
        troubles.report_left_out(arena, card.name, words, now)


def _is_due(
    arena: Arena, site: SiteFolder, game: GameName, ruleset: str, card: Card | None, news: Collection[str] | None
) -> bool:
    """Say whether the pages of a game are to be made."""
    if card is None or not site.has(f"games/{game}/index.html"):
        return True
    return game in news if news is not None else card.stamp != arena.stamp(game, ruleset)


FEW = 20
"""So many games are made before it is worth while to begin other processes."""
_makers: list[Maker] = []
"""What a worker works with: it has it from the process that it came out of, since an arena cannot be sent."""


def _prepare_all(maker: Maker, wanted: Sequence[GameName], workers: int) -> Iterator[Prepared | str]:
    if workers < 2 or len(wanted) < FEW or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(maker.prepare, wanted)
        return
    _makers.append(maker)
    try:
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            yield from pool.imap(_prepare, wanted, chunksize=4)
    finally:
        _makers.clear()


def _prepare(name: GameName) -> Prepared | str:
    return _makers[0].prepare(name)


def card_of(game: told.Game, stamp: str, guard: Guard) -> Card:
    """Return what the pages that list all games say of one."""

    def shown(text: str) -> str:
        return str(guard.text(text))

    rulings = tuple(
        Ruled(row.number, title, shown(row.line), shown(row.because)) for row, title in pages.rulings_of(game)
    )
    fed = tuple(
        Report(game.name, one.number, one.title, pages.page_of(one), one.published, shown(pages.news_of(one)))
        for one in game.phases[-FED:]
    )
    return Card(
        name=game.name,
        stamp=stamp,
        ruleset=game.ruleset,
        status="over" if game.result else game.status,
        title=game.title,
        deadline=game.deadline,
        says=shown(pages.says_of(game)),
        ended=game.phases[-1].published if game.result else None,
        created=game.created,
        seats=tuple(map(shown, game.seats)),
        winners=tuple(shown(game.with_person(one)) for one in game.winners),
        reports=len(game.phases),
        rulings=rulings,
        exhibits=tuple(_shown(one, shown) for one in game.exhibits),
        exhibited=game.exhibited,
        fed=fed,
    )


def _shown(exhibit: Exhibit, shown: Callable[[str], str]) -> Exhibit:
    said = {name: shown(value) for name, value in msgspec.structs.asdict(exhibit).items() if isinstance(value, str)}
    reading = tuple((head, shown(says)) for head, says in exhibit.reading)
    return msgspec.structs.replace(exhibit, reading=reading, **said)


def listing(arena: Arena, made: Pages, cards: Sequence[Card], now: datetime, built: Built) -> Iterator[tuple[str, str]]:
    """Yield the pages that list all games."""
    over = sorted((card for card in cards if card.ended), key=lambda card: (card.ended, card.name), reverse=True)
    playing = [card for card in cards if not card.ended]
    rulesets = sorted({card.ruleset for card in cards})
    yield "style.css", made.style()
    for what in exhibited(arena):
        games = [card for card in cards if card.exhibits and card.exhibited == what]
        games.sort(key=lambda card: (card.created, card.name), reverse=True)
        yield f"{what}.html", made.page("exhibits", "", what=what, games=games)
    yield "index.html", made.page("index", "", over=over, playing=playing)
    yield "winners.html", made.page("winners", "", over=over)
    yield "rulings.html", made.page("rulings", "", ruled=[card for card in cards if card.rulings])
    yield "about.html", made.page("about", "", rulesets=rulesets)
    for name in rulesets:
        yield f"rules/{name}.html", made.page("rules", "../", ruleset=name, law=law.page_of(arena.rulesets[name]))
    reports = sorted((one for card in cards for one in card.fed), key=lambda one: (one.published, one.game))
    ready = [one for one in reports if one.published <= now - WAITS]
    built.again = reports[len(ready)].published + WAITS if len(ready) < len(reports) else None
    shown = ready[: -FED - 1 : -1]
    first = min((card.created for card in cards), default=now)
    updated = (shown[0].published if shown else first).isoformat()
    if arena.settings.site.deadlines:
        due = [(card.name, card.title, card.deadline) for card in playing if card.deadline]
        yield "deadlines.ics", deadlines.calendar(due, arena.settings.arena.name, first)
    facts = {"entries": shown, "updated": updated, "base": arena.settings.site.url}
    yield "feed.atom", made.page("feed", "", identity=_identity(arena), **facts)


def exhibited(arena: Arena) -> list[str]:
    """Return what things are called that have a page of their own, since a game here can have them."""
    played = {row.ruleset for row in arena.index.games.rows()}
    rulesets = [ruleset for name, ruleset in arena.rulesets.items() if name in played]
    found = {ruleset.exhibited for ruleset in rulesets if isinstance(ruleset, ExhibitingRuleset)}
    return sorted(what for what in found if re.fullmatch(r"[a-z]{1,30}", what))


def _menu(arena: Arena) -> tuple[tuple[str, str], ...]:
    return (MENU[0], *((what.capitalize(), f"{what}.html") for what in exhibited(arena)), *MENU[1:])


def _identity(arena: Arena) -> Callable[..., str]:
    """Return what names the feed, and each report in it, for ever, and tells nothing of the arena (RFC 4122)."""

    def named(*names: object) -> str:
        return uuid.uuid5(uuid.NAMESPACE_URL, " ".join(map(str, (arena.settings.arena.address, *names)))).urn

    return named


def _keys(arena: Arena) -> Iterator[str]:
    """Yield the keys that no page may show: the arena's, and the seeds of the games that are not over."""
    yield arena.secret.hex()
    for row in arena.index.games.rows():
        if row.status != "over":
            yield arena.seed(GameName(row.name)).hex()


def _tokens(arena: Arena, game: GameName) -> Iterator[str]:
    """Yield the tokens that a game's letters show."""
    table = arena.ledger(game).table
    for phase in range(table.number + 1):
        yield from (arena.token(table, key, phase) for key in (None, DEPUTY))
        for seat in table.seats:
            for question in range(1 + max(table.questions, authority.QUESTIONS)):
                yield arena.token(table, seat, phase, question)
                yield arena.button_token(table, seat, phase, question)


def _digest(arena: Arena, templates: dict[str, str]) -> str:
    """Return the digest of all that pages are made by, besides the games."""
    settings = msgspec.json.encode(arena.settings.site).decode()
    versions = {name: ruleset.version for name, ruleset in arena.rulesets.items()}
    made_by = repr(
        (KINDS, _menu(arena), sorted(templates.items()), sorted(versions.items()), settings, arena.settings.arena.name)
    )
    made_by += "".join(f"{person} {name}\n" for person, name in sorted(arena.people.public_names().items()))
    return hashlib.sha256(made_by.encode()).hexdigest()


def _read(arena: Arena) -> Record:
    if not arena.shelf.exists(RECORD):
        return Record()
    try:
        return msgspec.json.decode(arena.shelf.read(RECORD), type=Record)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return Record()


def _keep(arena: Arena, record: Record) -> None:
    arena.shelf.write(msgspec.json.encode(record), RECORD)


def folder_of(arena: Arena) -> Path:
    """Return the folder that the settings name, from the arena's. Errors: CharterError where they name none."""
    if not arena.settings.site.folder:
        raise CharterError(
            "settings.toml names no folder for the site. Write [site] and folder = ..., or name one here."
        )
    return arena.root / arena.settings.site.folder
