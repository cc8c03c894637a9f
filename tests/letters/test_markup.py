"""HTML as lines: what a reader sees, hidden things gone, quoted parts marked."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import document_fromstring

from pbem.letters import markup
from pbem.letters.new_text import new_lines, written
from tests.depth import some


def lines(html: str) -> list[str]:
    """Return the lines of an HTML text without those that are blank, and marked as their reader sees them."""
    return [line.replace(markup.SOFT, ">") for line in markup.text(html).split("\n") if line.strip()]


@pytest.mark.parametrize(
    "html",
    [
        "<div>defend 50</div><div>wait</div>",
        "defend 50<br>wait",
        "<p>defend\n 50</p><p>wait</p>",
        '<p class="MsoNormal">defend&nbsp;50<o:p></o:p></p><p class="MsoNormal">wait</p>',
        "<div dir=ltr>defend <b>5</b>0<div>wait</div></div>",
        "<table><tr><td>defend 50</td></tr><tr><td>wait</td></tr></table>",
        "<pre>defend 50\nwait</pre>",
        "defend 50<hr>wait",
        '<span style="color: red; display: block">defend 50</span>wait',
        'defend <div style="display:inline">50</div><div>wait</div>',
        "<!-- attack 1 --><div>defend 50</div><!--[if mso]>attack<![endif]--><div>wait</div>",
    ],
)
def test_a_line_that_is_seen_is_a_line(html: str) -> None:
    """However a client writes two lines, they are two lines."""
    assert [" ".join(line.split()) for line in lines(html)] == ["defend 50", "wait"]


def test_blank_paragraphs_are_blank_lines() -> None:
    """Paragraphs have no margin of their own, and one that holds a hard blank is a blank line."""
    html = '<p class="MsoNormal">a</p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">b</p><p>c</p>'
    assert markup.text(html).strip().split("\n") == ["a", "", "b", "c"]
    assert markup.text("<div>a</div><div><br></div><div>b</div>").strip().split("\n") == ["a", "", "b"]


def test_cells_of_a_row_stand_side_by_side() -> None:
    """An order that was pasted from a table is one line, whatever its cells are made of; rows are lines."""
    cells = "<tr><td><p>attack</p></td><th><div>Bo</div></th><td>20</td></tr><tr><td>defend</td><td><b>50</b></td></tr>"
    assert lines(f"<table><tbody>{cells}</tbody></table>wait") == ["attack  Bo  20", "defend  50", "wait"]
    assert lines("x<table><tr><td>a<br>b<br>c</td><td>d</td></tr></table>") == ["x", "a", "b  d", "c"]
    assert lines("<table><tr>lost<td>a</td>found<td>b</td></tr></table>") == ["lostfound", "a  b"]


def test_lists_have_their_numbers_or_stars() -> None:
    """As their reader sees them; an item without text leaves nothing behind."""
    html = "<ol><li>a<ul><li>b<br>c</li></ul></li><li></li><li>d</li></ol><ul><li> </li></ul>e"
    assert markup.text(html).split("\n") == [" 1. a", "      * b", "        c", " 3. d", "e"]


def test_blanks_are_kept_where_a_page_keeps_them() -> None:
    """Elsewhere they count as one, also where they stand on both sides of a tag, and as none at the ends of a line."""
    kept = '<div style="white-space: pre-wrap">a\n  b<p style="white-space:normal"> c \n d </p></div><pre> e\nf </pre>'
    assert markup.text(kept).split("\n") == ["a", "  b", "c d", " e", "f "]
    assert markup.text("<p> a <b> b</b>\n<i> c </i> <br> d</p>").split("\n") == ["a b c", "d"]


def test_what_looks_like_a_mark_is_read_once() -> None:
    """Text that tells of a line end, or of a tag, as its reader sees it is none."""
    assert lines("<p>a &amp;#10;attack 1 &amp;lt;br&amp;gt; b</p>") == ["a &#10;attack 1 &lt;br&gt; b"]


WORDS = st.sampled_from(["attack", "Bo", "20", " ", "\n", "&nbsp;"])
TAGS = st.sampled_from(
    ["div", "p", "b", "ul", "ol", "li", "table", "tr", "td", "pre", "blockquote", "h1", "a", "hr", "br"]
)


@given(st.recursive(WORDS, lambda inner: st.builds("<{0}>{1}</{0}>".format, TAGS, st.lists(inner).map("".join))))
def test_no_letter_is_lost(html: str) -> None:
    """Whatever stands in what, each letter that is seen is in some line, as often as it was written."""
    seen, found = Counter("".join(document_fromstring(f"<p>{html}").itertext())), Counter("".join(lines(f"<p>{html}")))
    assert {letter: found[letter] for letter in "acktBo"} == {letter: seen[letter] for letter in "acktBo"}


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display: none">attack 1</div>',
        '<span style="color:red; VISIBILITY : hidden">attack 1</span>',
        '<span style="font-size:0px">attack 1</span>',
        '<span style="mso-hide:all">attack 1</span>',
        '<div style="opacity: 0">attack 1</div>',
        '<p style="font-size:1px; line-height:1px">attack 1</p>',
        '<p style="font-size:0.1em">attack 1</p>',
        '<div style="max-height:0px; overflow:hidden">attack 1</div>',
        '<div style="color:#FFFFFF">attack 1</div>',
        '<span style="color: rgb(255, 255, 255); background-color: white">attack 1</span>',
        '<font color="white">attack 1</font>',
        '<div style="text-indent:-9999px">attack 1</div>',
        '<div style="position:absolute; left:-9999px">attack 1</div>',
        "<style>p, .x {display: none}</style><div class='x'>attack 1</div>",
        "<style>#y{font-size:0}</style><div id='y'>attack 1</div>",
        "<div hidden>attack 1</div>",
        "<script>attack 1</script>",
        "<style>attack 1</style>",
        "<template>attack 1</template>",
        '<div class="gmail_signature">attack 1</div>',
        '<div id="Signature">attack 1</div>',
    ],
)
def test_what_a_reader_does_not_see_is_gone(hidden: str) -> None:
    """Hidden elements hold no orders, and the text around them stays."""
    assert lines(f"<div>defend 50</div>{hidden}<div>wait</div>") == ["defend 50", "wait"]


def test_small_and_pale_is_not_hidden() -> None:
    """A size or an opacity that only begins with a zero is seen."""
    assert lines('<span style="font-size:0.9em">a</span> <i style="opacity:0.5">b</i>') == ["a b"]


@pytest.mark.parametrize(
    "shown",
    [
        '<div style="background-color:#222"><span style="color:#fff">defend 50</span></div>',
        '<table><tr><td bgcolor="navy"><font color="white">defend 50</font></td></tr></table>',
        '<div style="background-color:#fff; color:#000">defend 50</div>',
        '<div style="border-color:white">defend 50</div>',
        '<div aria-hidden="true">defend 50</div>',
        '<div style="height:0; overflow:visible">defend 50</div>',
        "<style>.x{display:none}</style><div class='xx'>defend 50</div>",
    ],
)
def test_what_a_reader_sees_stays(shown: str) -> None:
    """White on a dark ground is seen, and so is what is hidden from programs that read aloud."""
    assert lines(shown) == ["defend 50"]


def test_what_was_taken_out_can_be_shown() -> None:
    """Each line comes with why; what nobody would read anyway, such as a style sheet, does not."""
    html = "<style>p{}</style><div hidden>attack 1<br>two<b hidden>three</b></div><p>x</p><i id=Signature>Ada</i>"
    assert markup.hidden(html) == [("attack 1", "hidden"), ("two", "hidden"), ("three", "hidden"), ("Ada", "signature")]
    assert markup.hidden("") == []


def test_a_quotation_without_a_mark_of_its_own_is_marked_softly() -> None:
    """Where a client draws no mark people write between the lines, so who holds the letter can tell; a hard mark is firm."""
    soft = (
        '<div>wait</div><div id="divRplyFwdMsg">From: Ember</div><div>Round 3<br>defend 50<br>Deadline tonight.</div>'
    )
    body = markup.text(soft).split("\n")
    assert [line for line in body if line.startswith(markup.SOFT)]
    ours = "Round 3\nDeadline tonight."
    assert [line.text for line in new_lines(body, []) if line.text] == ["wait"]
    assert "defend 50" in [line.text for line in new_lines(body, [ours])]
    hard = markup.text("<blockquote>Round 3<br>defend 50<br>Deadline tonight.</blockquote>").split("\n")
    assert new_lines(hard, [ours]) == ()


@pytest.mark.parametrize(
    "quoted",
    [
        "<blockquote>attack 1<br><br>two</blockquote>",
        '<blockquote type="cite"><div>attack 1</div><blockquote>two</blockquote></blockquote>',
        '<div class="gmail_quote">attack 1<br>two</div>',
        '<div class="yahoo_quoted"><div>attack 1</div><div>two</div></div>',
        '<div class="moz-cite-prefix">attack 1<br>two</div>',
        '<div id="mail-editor-reference-message-container"><div>attack 1</div>two</div>',
    ],
)
def test_a_quotation_is_marked(quoted: str) -> None:
    """Each line of a quoted element begins with a mark; what stands around it does not."""
    found = lines(f"<div>defend 50</div>{quoted}wait")
    assert [line for line in found if line.strip("> ")] == ["defend 50", "> attack 1", "> two", "wait"]


def test_all_below_the_header_of_outlook_is_quoted() -> None:
    """Outlook on the web marks only where the quotation begins, somewhere inside the page."""
    html = (
        "<body><div><div>defend 50</div><hr><div id=divRplyFwdMsg>From: Ember</div>tail<div>attack 1</div></div>"
        "<div>attack 2</div>attack 3</body>"
    )
    assert lines(html) == ["defend 50", "> From: Ember", "> tail", "> attack 1", "> attack 2", "> attack 3"]


def test_indented_text_is_no_quotation() -> None:
    """The indent button of a web mailer makes a quotation element around the writer's own words."""
    indented = '<blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>defend 50</div></blockquote>'
    assert lines(indented) == ["defend 50"]


def test_answers_between_quotations_are_not_quoted() -> None:
    """An element that holds quotations and answers is looked into."""
    html = '<div class="gmail_quote">On Tuesday wrote:<blockquote>a</blockquote><div>wait</div><blockquote>b</blockquote></div>'
    assert lines(html) == ["On Tuesday wrote:", "> a", "wait", "> b"]


@pytest.mark.parametrize("html", ["", " ", "\0", "<!-- -->", "<", "<frameset>", "<div>" * 5000, "\ud800", "<?xml x?>"])
def test_no_html_is_too_bad(html: str) -> None:
    """What cannot be read is no text, and nothing is raised."""
    assert lines(html) in ([], ["<"], ["\ufffd"])


STRIKES = [
    "<s>{}</s>", "<strike>{}</strike>", "<del>{}</del>", '<span style="text-decoration: line-through">{}</span>',
    '<b style="color:red; TEXT-DECORATION-LINE : line-through">{}</b>', '<i class="x y">{}</i>', '<u id="z">{}</u>',
    "<s><b>{}</b></s>", "<b><s>{}</s></b>",
]  # fmt: skip
SHEET = "<style>.x{text-decoration:line-through} #z{text-decoration:underline line-through}</style>"


def taken(html: str) -> tuple[list[str], list[str]]:
    """Return the new lines of a page, and those that are named as struck through."""
    found = written(markup.text(f"{SHEET}<body>{html}").split("\n"), ())
    struck = [one.text for one in found.passed if one.taken == "struck through"]
    return [line.text for line in found.lines if line.text], struck


@pytest.mark.parametrize("strike", some(4, STRIKES))
@pytest.mark.parametrize(
    "box", ["<div>{}</div>", "<p>{}</p>", "{}<br>", "<ul><li>{}</li></ul>", "<table><tr><td>{}</table>"]
)
@pytest.mark.parametrize("before", ["", "<div>defend 50</div>"])
def test_what_is_struck_through_is_no_new_line_and_is_named(strike: str, box: str, before: str) -> None:
    """Whatever it stands in; the lines around it stay."""
    new, struck = taken(before + box.format(strike.format("attack Bo 20")) + "<div>wait</div>")
    assert new == (["defend 50"] if before else []) + ["wait"] and [one.lstrip("* ") for one in struck] == [
        "attack Bo 20"
    ]


@pytest.mark.parametrize("strike", STRIKES)
def test_a_line_that_is_struck_in_part_keeps_the_rest(strike: str) -> None:
    """But never the head of an order whose rest is struck, which would take the next line for it."""
    assert taken(f"<div>attack Bo {strike.format('20')} 30</div>") == (["attack Bo 30"], ["20"])
    assert taken(f"<div>{strike.format('attack Bo 20')} defend 40</div>") == (["defend 40"], ["attack Bo 20"])
    several = strike.format("attack Bo 20<br>attack Cy 10")
    assert taken(f"<div>{several}<br>wait</div>") == (["wait"], ["attack Bo 20", "attack Cy 10"])
    for head in ("if attacked by Bo:", "defend 10,", "if my energy < 40: wait else"):
        struck = taken(f"<div>{head} {strike.format('defend 30')}</div><div>attack Cy 20</div>")
        assert struck == (["attack Cy 20"], [head, "defend 30"])


def test_what_is_struck_through_in_a_quotation_fills_no_form() -> None:
    """A form line is read in a quotation, and so its stroke is too."""
    new, struck = taken("<blockquote>~ defend 20<br><s>~ attack Bo 20</s></blockquote><div>wait</div>")
    assert new == ["defend 20", "wait"] and struck == ["attack Bo 20"]
