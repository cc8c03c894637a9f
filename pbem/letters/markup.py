"""HTML turned into lines: hidden things taken out, quoted parts marked with `> `; knows no mail and no game."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from lxml.html import Element, HTMLParser, document_fromstring
from lxml.html import HtmlElement as Node

_BLOCK = HtmlElement(display=Display.block)
# Paragraphs without margins, so that a line typed with Enter is one line; rules and lists begin a new one.
_STYLE = ParserConfig(css={**CSS_PROFILES["strict"], **dict.fromkeys(("p", "hr", "center", "dl", "dt", "dd"), _BLOCK)})

SOFT = ">\u200b"
"""
The mark of a quotation in a client that draws none, so that people write between its lines; elsewhere it is `>`.

Nobody sees the difference; who holds the letter that is quoted can tell what was written there.
"""

_HIDDEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|mso-hide:all|opacity:0(?![.\d]*[1-9])"
    r"|font-size:(?:0(?![.\d]*[1-9])|[0-2](?:\.\d+)?(?:px|pt)|0\.[01]\d*r?em)"
    r"|text-indent:-\d{3}|(?:left|top|margin-left):-\d{4}|clip:rect\(0|transform:scale\(0"
)
_SHUT = re.compile(r"(?<![\w-])(?:max-)?(?:height|width):0(?![.\d]*[1-9])")
_WHITE = re.compile(
    r"(?:^|[;{\"])color:(?:#f[a-f]f[a-f]f[a-f]|#fff|white|rgba?\(255,255,255(?:,1)?\)|transparent)(?![\w])"
)
_BACKGROUND = re.compile(
    r"background(?:-color|-image)?:(?!#f[a-f]f[a-f]f[a-f](?!\w)|#fff(?!\w)|white|rgba?\(255,255,255|transparent|none|inherit|initial)"
)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SELECTED = re.compile(r"\s*\w*([.#][\w-]+)\s*(?:$|,)")
_NEVER_SHOWN = frozenset({"script", "style", "head", "title", "template", "noscript", "object", "svg", "textarea"})
_SIGNATURES = frozenset({"gmail_signature", "moz-signature", "signature", "divsignature"})
_ATTRIBUTIONS = frozenset({"gmail_attr", "moz-cite-prefix"})
_WHOLE_QUOTES = frozenset(
    {
        "gmail_quote",
        "yahoo_quoted",
        "protonmail_quote",
        "ms-outlook-mobile-reference-message",
        "mail-editor-reference-message-container",
    }
)
_REST_QUOTED = frozenset({"divrplyfwdmsg", "x_divrplyfwdmsg"})
_BARE = "quoted-without-marks"
MOST_STYLE = 100_000
"""The most characters of a style sheet that are looked at."""


def text(html: str) -> str:
    """
    Turn an HTML mail into text, a line for each line that its reader sees.

    Shape: lines of quoted elements begin with `> `; hidden elements and signatures marked as such are gone.
    Errors: none; what no parser takes is "".
    """
    try:
        tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
        _prune(tree, _hidden_names(tree) if "<style" in html else frozenset())
        _fill_blanks(tree)
        _quote_the_rest(tree)
        for node in list(_outermost(tree)):
            _mark(node)
        return _rendered(tree)
    except Exception:  # noqa: BLE001  lxml raises on an empty document, and on depths that no client writes
        return ""


def hidden(html: str) -> list[tuple[str, str]]:
    """
    Return the lines that are taken out of an HTML mail, each with why: "hidden", or "signature".

    Errors: none; of what no parser takes nothing is returned.
    """
    try:
        tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
        names = _hidden_names(tree)
        found = {node for node in tree.iter() if isinstance(node.tag, str) and _is_hidden(node, names)}
        seen = [node for node in tree.iter() if node in found and node.tag not in _NEVER_SHOWN]
        seen = [node for node in seen if not found.intersection(node.iterancestors())]
        lines = [(" ".join(text.split()), _why(node)) for node in seen for text in node.itertext()]
    except Exception:  # noqa: BLE001  as above
        return []
    return [(line, why) for line, why in lines if line]


def _why(node: Node) -> str:
    return "signature" if _names(node) & _SIGNATURES else "hidden"


def _rendered(tree: Node) -> str:
    return str(Inscriptis(tree, _STYLE).get_text())


def _names(node: Node) -> frozenset[str]:
    """Return the classes and the id of an element, in lower case."""
    return frozenset(f"{node.get('class', '')} {node.get('id', '')}".lower().split())


def _hidden_names(tree: Node) -> frozenset[str]:
    """Return the classes (`.x`) and ids (`#x`) that a style sheet in the mail hides."""
    names: set[str] = set()
    for sheet in tree.iter("style"):
        for selectors, body in _RULE.findall((sheet.text or "")[:MOST_STYLE]):
            if _hides("".join(body.lower().split())):
                names.update(_SELECTED.findall(selectors))
    return frozenset(names)


def _prune(tree: Node, hidden: frozenset[str]) -> None:
    for node in list(tree.iter()):
        if node is not tree and (not isinstance(node.tag, str) or _is_hidden(node, hidden)):
            node.drop_tree()


def _is_hidden(node: Node, hidden: frozenset[str]) -> bool:
    if node.tag in _NEVER_SHOWN:
        return True
    if not node.attrib:
        return False  # as most are
    if "hidden" in node.attrib or _names(node) & _SIGNATURES:
        return True
    if hidden and not hidden.isdisjoint(
        [f"#{node.get('id', '')}", *(f".{name}" for name in node.get("class", "").split())]
    ):
        return True
    style = "".join(node.get("style", "").lower().split())
    if style and _hides(style):
        return True
    return _is_white(node, style) and not any(map(_is_dark, (node, *node.iterancestors())))


def _hides(style: str) -> bool:
    return bool(_HIDDEN.search(style)) or ("overflow:hidden" in style and bool(_SHUT.search(style)))


def _is_white(node: Node, style: str) -> bool:
    """Say whether the text of an element is white, and so, on a page that is, not seen."""
    if style and "color:" in style and _WHITE.search(style):
        return True
    return node.tag == "font" and node.get("color", "").lower().strip() in ("white", "#fff", "#ffffff", "ffffff")


def _is_dark(node: Node) -> bool:
    """Say whether an element has a ground of its own that is not white."""
    if node.get("bgcolor", "white").lower().strip() not in ("white", "#fff", "#ffffff", "ffffff", ""):
        return True
    style = node.get("style", "")
    return "background" in style and bool(_BACKGROUND.search("".join(style.lower().split())))


def _fill_blanks(tree: Node) -> None:
    """Give an empty paragraph the line break that its hard blank stands for."""
    for node in tree.iter("p"):
        if not len(node.findall(".//br")) and not node.text_content().strip():
            node.append(Element("br"))


def _quote_the_rest(tree: Node) -> None:
    """Put all that follows Outlook's header block into one quotation."""
    for node in [node for node in tree.iter() if _names(node) & _REST_QUOTED][:1]:
        inside = node
        while inside.tag != "body" and inside.getparent() is not None:
            box = Element("blockquote", {"class": _BARE})
            box.text, inside.tail = inside.tail, None
            for sibling in list(inside.itersiblings()):
                box.append(sibling)
            inside.addnext(box)
            inside = inside.getparent()
        node.tag = "blockquote"
        node.set("class", _BARE)


def _outermost(tree: Node) -> Iterator[Node]:
    """Find the quoted elements that stand in no other one."""
    for child in tree:
        if _is_quoted(child):
            yield child
        else:
            yield from _outermost(child)


def _is_quoted(node: Node) -> bool:
    names = _names(node)
    if node.tag == "blockquote":
        # Gmail's indent button makes a bare blockquote without a border; that is the writer's own text.
        indented = "border:none" in "".join(node.get("style", "").lower().split())
        return not indented or bool(names) or "cite" in node.attrib or "type" in node.attrib
    if names & _ATTRIBUTIONS:
        return True
    # Clients let people answer between the quotations of such an element, so one with quotations is looked into.
    return bool(names & _WHOLE_QUOTES) and node.find(".//blockquote") is None


def _mark(node: Node) -> None:
    """Put the text of a quoted element in its place, each line with a mark."""
    stand_in = Element("pre")
    stand_in.tail, node.tail = node.tail, None  # else the text behind it would be rendered with it
    is_soft = node.tag != "blockquote" or _BARE in _names(node)
    mark = SOFT if is_soft and not _names(node) & _ATTRIBUTIONS else ">"
    stand_in.text = "\n".join(f"{mark} {line}" for line in _rendered(node).strip("\n").split("\n"))
    node.getparent().replace(node, stand_in)
