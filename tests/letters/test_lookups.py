"""What stands in facts means in a template of ours what Jinja says it means, however it is looked up."""

from typing import Any

import jinja2
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.letters import rendering

KEYS = st.sampled_from(
    ("hero", "items", "values", "get", "keys", "copy", "facts", "__len__", "__class__", "jinja", "0")
)
VALUES = st.recursive(
    st.integers() | st.sampled_from(("", "x", True, None)), lambda some: st.dictionaries(KEYS, some) | st.lists(some)
)


class Odd(dict[str, Any]):
    """A dictionary that has more to say than its keys."""

    hero = "an attribute"


@given(st.dictionaries(KEYS, VALUES) | st.dictionaries(KEYS, VALUES).map(Odd) | VALUES, KEYS)
@example({}, "hero")
@example({"items": 1}, "items")
@example(Odd(hero=1), "hero")
def test_a_lookup_finds_what_jinja_finds(value: Any, key: str) -> None:
    """The same value; of what is missing the same complaint, and the same answer to whether it is there."""
    ours = rendering.environment({})
    jinjas = jinja2.Environment(undefined=jinja2.StrictUndefined)
    for text in (f"x.{key}", f"x.{key} is defined", f"x.{key}|default('none')", f"x|attr('{key}')"):
        if key != "0":
            assert _said(ours, text, value) == _said(jinjas, text, value)
    assert _said(ours, f"x['{key}']", value) == _said(jinjas, f"x['{key}']", value)


def _said(words: jinja2.Environment, text: str, value: Any) -> str:
    try:
        found = words.compile_expression(text, undefined_to_none=False)(x=value)
        return f"no {found._undefined_message}" if isinstance(found, jinja2.Undefined) else repr(found)
    except (jinja2.TemplateError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
