"""From what games have told to pages: HTML by templates that escape whatever is put into them; touches no disk."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby, zip_longest
from typing import Any

import jinja2
import msgspec
from jinja2.bccache import Bucket
from markupsafe import Markup

from pbem.ground.terms import Facts, Picture, TemplateError
from pbem.hall.site import panels
from pbem.hall.site.guard import Guard
from pbem.hall.site.told import Game, Phase
from pbem.letters.dresses.document import Block, Chart, Drawing, Heading, Paragraph, Quote, Table
from pbem.letters.dresses.text import listed, spelled

OWN = "'self' file: data:"
"""Where a page may take pictures and its style from: the site, also where it is opened from a folder."""
REMEMBERED = 200
"""Of how many templates a process remembers what they were compiled to."""
SCRIPTS = {"find_script": "site/find.js.j2", "seal_script": "site/seal.js.j2"}


class _Compiled(jinja2.BytecodeCache):
    """Templates as they were compiled before, since each making of pages has an environment and a guard of its own."""

    def __init__(self) -> None:
        """Remember none."""
        self._known: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what the same words were compiled to."""
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Remember it."""
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


class Parts(msgspec.Struct, frozen=True):
    """A report cut in two: what is shown at once, and what is folded; in a round that is how it came out."""

    shown: tuple[Block, ...]
    folded: tuple[Block, ...]
    is_round: bool


class Pages:
    """
    Makes pages.

    Shape: `arena` is its name; `indexed` allows search engines; `deadlines` shows when open phases close.
    """

    def __init__(
        self,
        templates: Mapping[str, str],
        guard: Guard,
        arena: str,
        menu: Sequence[tuple[str, str]] = (),
        *,
        indexed: bool = False,
        deadlines: bool = True,
    ) -> None:
        """Take the templates, of which those in `site/` are ours, and a menu of names and pages."""
        self.guard = guard

        @jinja2.pass_context  # so that it is asked where a page is made, and nothing of it is compiled
        def guarded(_context: jinja2.runtime.Context, value: object) -> object:
            return guard.text(value)

        self._style = templates["site/style.css.j2"]
        self.env = jinja2.Environment(
            loader=jinja2.DictLoader(dict(templates)),
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            finalize=guarded,
            bytecode_cache=_COMPILED,
            extensions=["jinja2.ext.do"],
        )
        self.env.filters |= {
            "arrows": _arrows, "base64": _base64, "day": day, "grouped": grouped, "instant": instant, "kind": kind,
            "listed": listed, "panels": panels.panels, "parted": parted, "spelled": spelled,
            "without_charts": without_charts,
        }  # fmt: skip
        scripts = {name: templates[path] for name, path in SCRIPTS.items()}
        hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts.values())
        self.env.globals |= {name: Markup(script) for name, script in scripts.items()}  # noqa: S704  ours, no values
        self.env.globals |= {
            "arena": arena, "indexed": indexed, "deadlines": deadlines, "own": OWN, "hashes": hashes,
            "style": Markup(self._style), "style_hash": f"'sha256-{_digest(self._style)}'", "alone": False,  # noqa: S704
            "anchor": anchor, "page_of": page_of, "text_of": text_of, "picture_name": picture_name, "menu": menu,
        }  # fmt: skip

    def style(self) -> str:
        """Return the style sheet of all pages."""
        return self._style

    def page(self, name: str, up: str, **facts: Any) -> str:
        """Render a page. Errors: TemplateError with the template's name."""
        try:
            return self.env.get_template(f"site/{name}.j2").render(facts | {"up": up})
        except jinja2.TemplateError as error:
            raise TemplateError(f"site/{name}.j2: {error.message}") from error

    def alone(self, game: Game, phase: Phase) -> str:
        """Return a report as a page that needs no other."""
        return self.page("report", "", game=game, phase=phase, alone=True)

    def of_game(self, game: Game) -> Iterator[tuple[str, str]]:
        """Yield the pages of a game, by path within the site."""
        place = f"games/{game.name}"
        facts: Facts = {"game": game, "says": says_of(game), "lead": lead_of(game), "span": span_of(game)}
        rulings = rulings_of(game)
        yield f"{place}/index.html", self.page("game", "../../", rulings=rulings, **facts)
        for number, phase in enumerate(game.phases):
            before = game.phases[number - 1] if number else None
            after = game.phases[number + 1] if number + 1 < len(game.phases) else None
            around = {"phase": phase, "before": before, "after": after}
            yield f"{place}/{page_of(phase)}", self.page("phase", "../../", game=game, **around)
            yield f"{place}/{text_of(phase)}", _TAG.sub("< ", str(self.guard.text(phase.text)))
            for picture in phase.pictures:
                yield f"{place}/{picture_name(phase, picture)}", str(self.guard.text(picture.svg))


_TAG = re.compile(r"<(?=[A-Za-z/!?])")
"""What begins a tag: a text without any is taken for HTML by no browser, whatever server it lies on."""


def without_charts(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return what a report says but for its charts, and for a heading that would stand above nothing."""
    kept = [one for one in blocks if not isinstance(one, Chart)]
    return tuple(
        one
        for one, after in zip_longest(kept, kept[1:])
        if not (isinstance(one, Heading) and (after is None or isinstance(after, Heading)))
    )


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _arrows(text: str) -> str:
    """Write an arrow where a letter has two signs for it."""
    return text.replace(" -> ", " → ")


def kind(block: object) -> str:
    """Return which kind of block it is."""
    return type(block).__name__


def day(when: datetime) -> str:
    """Write a day: 23 November 2026."""
    return f"{when.astimezone(UTC):%-d %B %Y}"


def instant(when: datetime) -> str:
    """Write an instant: 23 Nov 2026, 10:31 UTC."""
    return f"{when.astimezone(UTC):%-d %b %Y, %H:%M} UTC"


def anchor(phase: Phase) -> str:
    """Return the anchor of a phase on its game's page."""
    return f"phase-{phase.number}"


def page_of(phase: Phase) -> str:
    """Return the file of a phase's own page, which never changes its name."""
    return f"phase-{phase.number:02}.html"


def text_of(phase: Phase) -> str:
    """Return the file of a phase's report as it was mailed."""
    return f"phase-{phase.number:02}.txt"


def picture_name(phase: Phase, picture: Picture) -> str:
    """Return the file of a phase's picture."""
    return f"phase-{phase.number:02}-{picture.name}.svg"


def says_of(game: Game) -> str:
    """Return the sentence that stands above a game."""
    return game.result or (f"{game.name}, {game.title}" if game.phases else game.name)


def lead_of(game: Game) -> str:
    """Return the newest news of a game."""
    return news_of(game.phases[-1]) if game.phases else ""


def news_of(phase: Phase) -> str:
    """Return what a phase is told by in a sentence or a few: the moderator's headline, or its news."""
    return phase.headline or " ".join(block.text for block in phase.lead if isinstance(block, Paragraph))


def span_of(game: Game) -> str:
    """Return from when to when a game was played, in days."""
    first = day(game.created)
    last = day(game.phases[-1].published) if game.phases else first
    if not game.result:
        return f"since {first}"
    return first if first == last else f"{first} to {last}"


def rulings_of(game: Game) -> list[tuple[Any, str]]:
    """Return all rulings that reports have told, each once, with the title of the phase that it came in."""
    found: dict[int, tuple[Any, str]] = {}
    for phase in game.phases:
        for row in phase.rulings:
            found.setdefault(row.number, (row, phase.title))
    return [found[number] for number in sorted(found)]


def grouped(blocks: Sequence[Block]) -> list[list[Block]]:
    """Group paragraphs that stand below each other, at the edge or deeper; all else stands alone."""

    def alike(pair: tuple[int, Block]) -> tuple[int, str]:
        at, block = pair
        if not isinstance(block, Paragraph):
            return at, "alone"
        return -1, "line" if block.depth else "text"

    return [[block for _, block in some] for _, some in groupby(enumerate(blocks), key=alike)]


def parted(blocks: Sequence[Block], has_pictures: bool) -> Parts:
    """
    Cut a report into what is shown at once, and what is folded.

    Shape: sections with bars are shown, and of what stands above all headings all but lines of sums and drawings of
    which there are pictures. Where nothing would be shown all is.
    """
    shown: list[Block] = []
    folded: list[Block] = []
    sections: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading):
            sections.append([])
        sections[-1].append(block)
    for section in sections:
        has_bars = any(isinstance(block, Table) and block.has_bars for block in section)
        if not any(isinstance(one, Table) for one in blocks) and any(isinstance(one, Quote) for one in section):
            shown += section
            continue
        is_headed = bool(section) and isinstance(section[0], Heading)
        for block in section:
            is_line = isinstance(block, Paragraph) and block.depth > 0 and not has_bars
            is_drawn = isinstance(block, Drawing) and has_pictures
            (folded if is_line or is_drawn or (is_headed and not has_bars) else shown).append(block)
    if not shown:
        return Parts(tuple(folded), (), is_round=False)
    return Parts(tuple(shown), tuple(folded), is_round=True)
