"""A yes, a no or a number in whatever words: heard as a whole, and never beside a word that turns it."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.language.words import COMMON
from pbem.speech.answers import WORDS, Answer, answer, answered, declines


def said_for(kind: str) -> list[str]:
    """Return what stands for a class, as people write it."""
    return [" ".join(one) for one in WORDS.classes[kind]]


def mail(text: str) -> list[OrderLine]:
    """Return the lines of a mail."""
    return [OrderLine(number, line) for number, line in enumerate(text.split("\n"), 1)]


YES, NO = (st.sampled_from(said_for(kind)) for kind in ("YES", "NO"))
KIND = st.sampled_from([said for said in said_for("KIND") if said not in ("hi", "hello", "hey")])  # hi Yeah greets
MARK = st.sampled_from(["", ".", "!", "!!", " :)", ",", " -"])
TURNS = st.sampled_from(
    ["not yet", "but not before May", "unless he defends", "if Bo does", "maybe", "wait", "no, wait"]
)
AROUND = st.sampled_from(
    ["{}", "Hi Gwen,\n\n{}", "{}\n\nThanks\nTom", "{}\n\nHave fun!\nTom Miller", "{}\nGood luck, all"]
)


@given(YES, KIND, KIND, MARK, AROUND)
def test_a_yes_is_heard_in_whatever_words(yes: str, before: str, behind: str, mark: str, around: str) -> None:
    """With kind words around it, and a greeting and good wishes."""
    for text in (yes, f"{before} {yes}", f"{yes}, {behind}", f"{before}, {yes} {behind}", f"{yes} {yes}"):
        assert answer(f"{text}{mark}") == Answer("yes"), text
        assert answered(mail(around.format(f"{text}{mark}")), "Tom Miller") == Answer("yes"), text


@given(NO, KIND, MARK, st.sampled_from(["My exams are in May", "I have no time", "Gwen", "too much to do"]))
def test_a_no_is_heard_with_its_reason(no: str, kind: str, mark: str, reason: str) -> None:
    """Behind a mark; and it is never a yes."""
    for text in (f"{no}{mark}", f"{no}, {kind}{mark}", f"{kind}, {no}{mark}", f"{no}. {reason}", f"{no} - {reason}"):
        assert declines(mail(text)), text
        assert answered(mail(text)) in (Answer("no"), None), text


@given(YES, TURNS, st.sampled_from(["{} {}", "{}, {}", "{}\n{}", "{}. {}", "{1} {0}", "{}\n\nThanks\n\n{}"]))
def test_no_yes_is_heard_beside_what_turns_it(yes: str, turn: str, how: str) -> None:
    """Above it, below it, in the same sentence; nor is that a plain no."""
    assert answered(mail(how.format(yes, turn))) is None


@given(YES, st.sampled_from(["{}?", "{} ?", "is that a {}?", "{}\n?", "{}\nWhen does it begin?"]))
def test_a_question_answers_nothing(yes: str, how: str) -> None:
    """Whatever it begins with."""
    assert answered(mail(how.format(yes))) is None


@given(
    st.integers(1, 99), st.sampled_from(["{}", "{}.", "number {}", "no. {}", "yes, {} please", "the {}th one", "{}!"])
)
def test_a_number_is_heard_with_few_words(number: int, how: str) -> None:
    """Two numbers are none, nor is one in a longer sentence."""
    assert answered(mail(how.format(number))) == Answer("number", number)
    for other in ("{} or 3", "{}, 4", "not {}", "{}?", "attack Bob {}", "I have {} cats"):
        assert answered(mail(other.format(number))) is None, other


def test_no_word_that_answers_turns_another() -> None:
    """But those that say no."""
    turning = {" ".join(one) for kind in ("TURN", "LIMIT", "CHOICE") for one in COMMON.classes[kind]}
    assert not turning & {*said_for("YES"), *said_for("KIND")}
    assert not set(said_for("YES")) & {*said_for("NO"), *said_for("KIND"), *said_for("AGREES")} - {
        "yes", "yeah", "sure", "ok", "okay", "gladly", "indeed"
    }  # fmt: skip
