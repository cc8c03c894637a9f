"""What tests of the site share: an arena with all specimens, and pages taken apart."""

import base64
import hashlib
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import lxml.etree
import lxml.html

from pbem.hall.commands import opening, replay_check
from pbem.hall.site import build
from pbem.hall.store.arena import Arena
from pbem.world.shelf import Shelf
from tests.letters.nasty import UNSEEN

GAMES = Path(__file__).parent.parent.parent / "games"
LATER = datetime(2028, 1, 1, tzinfo=UTC)
"""A time at which all specimens have been over for long."""
OURS = re.compile(r"^(index|winners|rulings|about|powers)\.html$|^rules/|^games/[^/]+/(index|phase-\d\d)\.html$")


def arena_of_specimens(root: Path, *some: str) -> Path:
    """Make an arena in which the specimens were played, all or some; return its folder."""
    (root / "mail").mkdir(parents=True)
    (root / "settings.toml").write_text(
        '[arena]\naddress = "arena@example.org"\nname = "The Ember Arena"\n[mailbox]\npath = "mail"\n', encoding="utf-8"
    )
    shelf = Shelf(root)
    for game in some or sorted(path.parent.name for path in GAMES.glob("*/charter.toml")):
        shutil.copytree(GAMES / game, root / "games" / game)
        shelf.write(replay_check.opened_seed(Shelf(GAMES), (game,)), "secrets", f"{game}.seed")
    return root


def opened(root: Path) -> Arena:
    """Open an arena as the terminal does."""
    return opening.arena(root)


def built(arena: Arena, site: Path, now: datetime = LATER) -> build.Built:
    """Make its site."""
    return build.build(arena, site, now)


def files(site: Path) -> dict[str, bytes]:
    """Return all files of a site, by path."""
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def parsed(page: bytes) -> lxml.html.HtmlElement:
    """Take a page apart."""
    return lxml.html.document_fromstring(page.decode())


TAGS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "body",
        "a",
        "header",
        "div",
        "ul",
        "li",
        "main",
        "p",
        "span",
        "h1",
        "h2",
        "h3",
        "h4",
        "nav",
        "section",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "article",
        "time",
        "details",
        "summary",
        "pre",
        "footer",
        "input",
        "label",
        "script",
        "svg",
        "rect",
        "path",
        "circle",
        "text",
        "figure",
        "figcaption",
        "b",
        "br",
        "blockquote",
        "dl",
        "dt",
        "dd",
        "code",
        "img",
        "em",
        "strong",
        "ol",
        "cite",
        "style",
    ]
)
"""All elements that our templates have, and that rules in Markdown come to."""
FALSE_NAMES = re.compile(r"^(on|style$|srcdoc$|formaction$)")


def hold_sound(site: dict[str, bytes]) -> set[str]:
    """
    Say that nothing on a site is more than text, links within it, and our own scripts; return the digests of these.

    Shape: no element, attribute or link that a template of ours does not have, nothing unseen, and no address.
    """
    scripts: set[str] = set()
    for path, page in site.items():
        text = page.decode().replace("\r\n", "\n" if path.endswith(".ics") else "\r\n")
        assert not set(text) & set(UNSEEN), path
        assert not re.search(r"\w@\w", text), path
        if not path.endswith(".html"):
            continue
        tree = parsed(page)
        (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'sha256-" in policy
        (allowed,) = re.findall(r"script-src ([^;]*)", policy)
        for element in tree.iter(lxml.etree.Element):
            assert element.tag in TAGS, (path, element.tag)
            assert not any(FALSE_NAMES.match(name) for name in element.attrib), (path, element.attrib)
        for script in tree.xpath("//script"):
            digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
            assert not script.attrib and f"'sha256-{digest}'" in allowed, path
            scripts.add(digest)
        for target in tree.xpath("//@href | //@src"):
            assert re.fullmatch(r"[\w./#-]+", target) and ":" not in target, (path, target)
    return scripts
