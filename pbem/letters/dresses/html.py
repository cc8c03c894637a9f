"""The dress of HTML mail: what a letter says, as tables with styles in place; nothing in it is fetched."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import jinja2

from pbem.letters.dresses.document import Block
from pbem.letters.dresses.text import printable

TEMPLATE = "html/letter.j2"


def page(
    templates: Mapping[str, str], blocks: Sequence[Block], title: str, pictures: Sequence[Mapping[str, str]]
) -> str:
    """
    Return a letter as HTML, of what its text says and in the same order.

    Shape: `pictures` go with the letter, each with the `cid` by which it is shown and what it `says`; one stands above
    each drawing in letters, in their order.
    """
    template = _environment(templates[TEMPLATE]).get_template(TEMPLATE)
    return template.render(blocks=blocks, title=title, pictures=pictures)


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
