"""HTML turned into lines: hidden things taken out, quoted parts marked with `> `; knows no mail and no game."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from lxml.html import Element, HTMLParser, document_fromstring
from lxml.html import HtmlElement as Node

_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "caption", "center", "dd", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "listing", "main", "nav",
    "ol", "p", "plaintext", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
})  # fmt: skip
"""Elements that begin and end a line. Paragraphs have no margins, so that a line typed with Enter is one line."""
_KEPT = frozenset({"pre", "listing", "plaintext", "xmp"})
_KEPT_STYLE = re.compile(r"(?:^|;)white-space:(pre|normal|nowrap)")
_BLOCK_STYLE = re.compile(r"(?:^|;)display:(inline)?")
_INDENT = 4

SOFT = ">\u200b"
"""
The mark of a quotation in a client that draws none, so that people write between its lines; elsewhere it is `>`.

Nobody sees the difference; who holds the letter that is quoted can tell what was written there.
"""

STRUCK = "\u2063"
"""What stands in a line that its writer struck through, and that nobody sees either."""

_STRIKES = re.compile(r"<(?:s|strike|del)\b|line-through", re.IGNORECASE)
_STRUCK_TAGS = frozenset({"s", "strike", "del"})
_GOES_ON = re.compile(r"(?:[,;:]|\b(?:else|and|or))\s*$", re.IGNORECASE)
"""How a line ends that would go on with the next one, were the rest of it not struck."""

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
_NAME = re.compile(r"[.#][\w-]+")
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
"""The most characters of a mail's style sheets that are looked at."""


def text(html: str) -> str:
    """
    Turn an HTML mail into text, a line for each line that its reader sees.

    Shape: lines of quoted elements begin with `> `; hidden elements and signatures marked as such are gone; what is
    struck through stands in lines of its own, with a mark that nobody sees.
    Errors: none; what no parser takes is "".
    """
    try:
        tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
        if "<style" in html:
            _strike(tree)
        _prune(tree, _hidden_names(tree) if "<style" in html else frozenset())
        _fill_blanks(tree)
        _quote_the_rest(tree)
        for node in list(_outermost(tree)):
            _mark(node)
        return _rendered(tree)
    except Exception:  # noqa: BLE001  lxml raises on an empty document, and on depths that no client writes
        return ""


def strikes(html: str) -> bool:
    """Say whether something in an HTML mail may be struck through."""
    return bool(_STRIKES.search(html))


def hidden(html: str) -> list[tuple[str, str]]:
    """
    Return the lines that are taken out of an HTML mail, each with the reason: "hidden" or "signature".

    Errors: none; of what no parser takes nothing is returned.
    """
    try:
        tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
        names = _hidden_names(tree)
        found = {node for node in tree.iter() if isinstance(node.tag, str) and _is_hidden(node, names)}
        seen = [node for node in tree.iter() if node in found and node.tag not in _NEVER_SHOWN]
        seen = [node for node in seen if not found.intersection(node.iterancestors())]
        why = {node: "signature" if _names(node) & _SIGNATURES else "hidden" for node in seen}
        lines = [(" ".join(text.split()), why[node]) for node in seen for text in node.itertext()]
    except Exception:  # noqa: BLE001  as above
        return []
    return [(line, why) for line, why in lines if line]


class _Page:
    """The lines of a page as they are seen, of which the last one is still open."""

    def __init__(self, *, striking: bool = False) -> None:
        self.lines: list[str] = []
        self.depth = 0
        self.bullet = ""
        self.striking = int(striking)
        self._open: list[str] = []  # in pieces, since a line can be all of a large mail
        self._struck: list[str] = []
        self._kept = False

    def write(self, text: str | None, *, kept: bool) -> None:
        """
        Add to the open line, or to what is struck from it.

        Shape: several blanks count as one, and as none at its beginning, unless they are kept.
        """
        if text and self.striking:
            self._struck.append(text)
            text = " "
        if text and not kept:
            words = " ".join(text.split())
            before = " " if text[0].isspace() and self._open and not self._open[-1][-1].isspace() else ""
            text = f"{before}{words}{' ' if words and text[-1].isspace() else ''}"
        if not text:
            return
        if not self._open:
            text = f"{self.bullet:>{_INDENT * self.depth}}{text}"
            self.bullet = ""
        self._open.append(text)
        self._kept = kept

    def end(self, *, blank: bool = False) -> None:
        """End the open line; an empty one is dropped, or becomes a blank line."""
        if self._open or blank:
            line = "".join(self._open)
            line = line if self._kept else line.removesuffix(" ")
            self.lines += [f"{STRUCK}{line}"] if self._struck and _GOES_ON.search(line) else line.split("\n")
        struck = "".join(self._struck).split("\n")
        self.lines += [f"{STRUCK}{' '.join(line.split())}" for line in struck if line.strip()]
        self._open, self._struck = [], []


def _rendered(node: Node, *, kept: bool = False, striking: bool = False) -> str:
    page = _Page(striking=striking)
    _render(node, page, kept=kept)
    page.end()
    return "\n".join(page.lines)


def _render(node: Node, page: _Page, *, kept: bool) -> None:
    """Write an element with all that is in it, but not the text after it."""
    tag, is_list, is_block = node.tag, node.tag in ("ol", "ul"), node.tag in _BLOCKS
    style = "".join(node.get("style", "").lower().split())
    if shown := _BLOCK_STYLE.search(style):
        is_block = not shown[1]
    if spaced := _KEPT_STYLE.search(style):
        kept = spaced[1] == "pre"
    kept = kept or tag in _KEPT
    if is_block or tag == "br":
        page.end(blank=tag == "br")
    is_struck = tag in _STRUCK_TAGS or "line-through" in style
    page.striking += is_struck
    page.depth += is_list
    page.write(node.text, kept=kept)
    for number, child in enumerate(node, 1):
        page.bullet = page.bullet if not is_list else f"{number}. " if tag == "ol" else "* "
        if tag != "tr":
            _render(child, page, kept=kept)
        page.write(child.tail, kept=kept)
    if tag == "tr":
        page.end()
        cells = [_rendered(cell, kept=kept, striking=page.striking > 0).split("\n") for cell in node]
        page.write(_row(cells), kept=True)
    if is_block:
        page.end()
    page.striking -= is_struck
    page.depth -= is_list
    page.bullet = "" if is_list else page.bullet


def _row(cells: Sequence[Sequence[str]]) -> str:
    """Put the lines of cells side by side, the lower ones in the middle of the row, as they are shown."""
    height = max(map(len, cells), default=0)
    columns = [[""] * ((height - len(cell)) // 2) + [*cell] for cell in cells]
    return "\n".join("  ".join(line).rstrip() for line in zip_longest(*columns, fillvalue=""))


def _names(node: Node) -> frozenset[str]:
    """Return the classes and the id of an element, in lower case."""
    return frozenset(f"{node.get('class', '')} {node.get('id', '')}".lower().split())


def _hidden_names(tree: Node) -> frozenset[str]:
    """Return the classes (`.x`) and ids (`#x`) that a style sheet in the mail hides."""
    return _names_where(tree, _hides)


def _names_where(tree: Node, is_so: Callable[[str], bool]) -> frozenset[str]:
    style = "}".join(sheet.text or "" for sheet in tree.iter("style"))[:MOST_STYLE]
    rules = (rule.split("{")[-2:] for rule in style.split("}")[:-1] if "{" in rule)
    found = (selectors for selectors, body in rules if is_so("".join(body.lower().split())))
    return frozenset(name for selectors in found for name in _selected(selectors))


def _selected(selectors: str) -> Iterator[str]:
    """Yield the class or the id with which each selector of a rule ends."""
    for selector in selectors.split(","):
        *_, last = ("", *selector.split())
        name = last[max(last.rfind("."), last.rfind("#"), 0) :]
        if _NAME.fullmatch(name):
            yield name


def _strike(tree: Node) -> None:
    """Write the strokes of a style sheet into the elements that it strikes."""
    names = _names_where(tree, lambda style: "line-through" in style)
    for node in tree.iter() if names else ():
        if isinstance(node.tag, str) and not names.isdisjoint(_selectors(node)):
            node.set("style", f"{node.get('style', '')};text-decoration:line-through")


def _selectors(node: Node) -> list[str]:
    return [f"#{node.get('id', '')}", *(f".{name}" for name in node.get("class", "").split())]


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
    if hidden and not hidden.isdisjoint(_selectors(node)):
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
