"""Tables of words and shapes: what is wrong in one is told when it is read, with its line."""

import pytest

from pbem.language.shapes import Shapes, TableError
from pbem.language.words import WordClasses

WORDS = WordClasses("GO go walk go_away\nEND end")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("order.go: GONE", "there is no class GONE"),
        ("order.go: GO to:place", "there is no kind place"),
        ("order.go: GO {[END]}", "it never ends"),
        ("order.go: [GO]", "can be empty"),
        ("order.go: a:order GO", "begins with itself"),
        ("order.go: [END] a:more GO\nmore.a: b:order", "begins with itself"),
        ("order.go: (GO | END", ") is missing"),
        ("order.go: GO ]", "] closes nothing"),
        ("order go: GO", "a line is kind.act: shape"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(table: str, told: str) -> None:
    """No table that nobody could read by is taken."""
    with pytest.raises(TableError, match=told.replace("(", r"\(").replace(")", r"\)").replace("]", r"\]")):
        Shapes(table).check(WORDS, ())


def test_a_slot_that_can_be_filled_again_is_a_tuple() -> None:
    """In braces, or twice one after another; not in two ways of the same."""
    shapes = Shapes("a.one: x:n {y:n}\nb.two: x:n x:n\nc.three: (x:n GO | GO x:n)\nd.four: (x:n GO x:n | GO)")
    assert {shape.act: shape.several for shape in shapes.all} == {
        "one": {"y"},
        "two": {"x"},
        "three": frozenset(),
        "four": {"x"},
    }


def test_the_first_shape_of_an_act_is_the_one_that_we_write() -> None:
    """Journals are read by these alone."""
    shapes = Shapes("a.one: GO\na.one: END\na.two: END GO\nb: GO")
    assert [shape.line for shape in shapes.canonical.all] == ["a.one: GO", "a.two: END GO", "b: GO"]


def test_each_word_stands_for_its_class_alone() -> None:
    """What is said of several words is found as a whole, and the longest is not the only one."""
    assert [*WORDS.ends("GO", ["go", "away"], 0)] == [1, 2]
    assert [*WORDS.ends("END", ["go"], 0)] == []
    assert WORDS.canonical("GO") == "go"
    assert (WORDS | WordClasses("END stop")).canonical("END") == "end"
