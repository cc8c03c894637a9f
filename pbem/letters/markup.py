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

_HIDDEN = re.compile(r"display:none|visibility:hidden|mso-hide:all|font-size:0(?![.\d]*[1-9])|opacity:0(?![.\d]*[1-9])")
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


def text(html: str) -> str:
    """
    Turn an HTML mail into text, a line for each line that its reader sees.

    Shape: lines of quoted elements begin with `> `; hidden elements and signatures marked as such are gone.
    Errors: none; what no parser takes is "".
    """
    try:
        tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
        _prune(tree)
        _fill_blanks(tree)
        _quote_the_rest(tree)
        for node in list(_outermost(tree)):
            _mark(node)
        return _rendered(tree)
    except Exception:  # noqa: BLE001  lxml raises on an empty document, and on depths that no client writes
        return ""


def _rendered(tree: Node) -> str:
    return str(Inscriptis(tree, _STYLE).get_text())


def _names(node: Node) -> frozenset[str]:
    """Return the classes and the id of an element, in lower case."""
    return frozenset(f"{node.get('class', '')} {node.get('id', '')}".lower().split())


def _prune(tree: Node) -> None:
    for node in list(tree.iter()):
        if node is not tree and (not isinstance(node.tag, str) or _is_hidden(node)):
            node.drop_tree()


def _is_hidden(node: Node) -> bool:
    if node.tag in _NEVER_SHOWN or "hidden" in node.attrib or _names(node) & _SIGNATURES:
        return True
    style = node.get("style", "")
    return bool(style) and bool(_HIDDEN.search("".join(style.lower().split())))


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
            box = Element("blockquote", type="cite")
            box.text, inside.tail = inside.tail, None
            for sibling in list(inside.itersiblings()):
                box.append(sibling)
            inside.addnext(box)
            inside = inside.getparent()
        node.tag = "blockquote"
        node.set("type", "cite")


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
    stand_in.text = "\n".join(f"> {line}" for line in _rendered(node).strip("\n").split("\n"))
    node.getparent().replace(node, stand_in)
