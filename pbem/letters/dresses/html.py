"""The dress of HTML mail: what a letter says, as tables with styles in place; nothing in it is fetched."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

import jinja2

from pbem.letters.dresses.document import Block
from pbem.letters.dresses.text import printable

TEMPLATE = "html/letter.j2"


class Button(NamedTuple):
    """A button that opens a mail: what it says, and address, subject and text of the mail, as a `mailto:` link."""

    label: str
    href: str


def button(label: str, to: str, subject: str, lines: Sequence[str]) -> Button:
    """Return a button that opens a mail with these lines in it. Rule: RFC 6068 (mailto)."""
    text = "\r\n".join([*lines, ""])
    return Button(label, f"mailto:{quote(to, safe='@+')}?subject={quote(subject, safe='')}&body={quote(text, safe='')}")


def page(
    templates: Mapping[str, str],
    blocks: Sequence[Block],
    title: str,
    pictures: Sequence[Mapping[str, str]] = (),
    buttons: Sequence[Button] = (),
) -> str:
    """
    Return a letter as HTML, of what its text says and in the same order, with buttons below.

    Shape: `pictures` go with the letter, each with the `cid` by which it is shown and what it `says`; one stands above
    each drawing in letters, in their order.
    """
    template = _environment(templates[TEMPLATE]).get_template(TEMPLATE)
    return template.render(blocks=blocks, title=title, pictures=pictures, buttons=buttons)


@lru_cache(maxsize=4)
def _environment(source: str) -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.DictLoader({TEMPLATE: source}),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    env.filters["kind"] = lambda block: type(block).__name__
    return env
