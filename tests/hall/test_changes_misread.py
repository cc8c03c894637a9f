"""Mails that resemble changes of the set on hand, by somebody who attacked their reader: each was taken otherwise than meant."""

import pytest

from tests.depth import some
from tests.hall.test_changes import on_hand, sent, with_set
from tests.hall.test_talk import SEAT

HANDS = {
    "rumble": ("attack Bo 20", "attack Cy 30", "defend 40"),
    "brawl": ("defend with a", "drop b maneuver", "pass"),
    "discs": ("throw at Bo", "attack Cy", "move to Bo", "hold"),
}
KEPT = {
    "rumble": (
        "drop Cy. The defence too.",
        "drop Cy. And the defence too.",
        "drop Cy. Halve the defence",
        "drop Cy; halve the defence",
        "raise Bo by 5\nHalve the defence",
        "drop Cy. Strengthen the defence.",
        "drop Cy. A little more defence.",
        "raise Bo by 5. Both.",
        "raise Bo by 5. Both of them.",
        "raise Bo by 5. More.",
        "drop Cy. More to come.",
        "drop Cy. Next time.",
        "drop Cy. Soon.",
        "also attack Bo 5. Tomorrow",
        "drop Cy. In turn 5",
        "drop Cy. As you were",
        "raise Bo by 5. As you were",
        "drop Cy. He said.",
        "drop Cy. Or?",
        "drop Cy. Yes?",
        "kill that Bo",
        "take out that Bo",
        "please stop that Bo",
        "kill the Cy",
        "take out my Bo",
        "stop the attack by Bo",
        "no attack from Bo",
        "drop the attack of Bo",
        "the attack from Bo will be 25",
        "Bo's defence will be 50",
        "Bo 20 -> 25 - keep Cy",
        "the rest on Bo, leave Cy",
        "minus 5 on Bo",
        "give Bo's 20 to Cy",
        "drop Cy. Half the defence.",
        "put another 5 on Bo",
        "Gwen, also attack Bo 5",
        "since Bo is weak, also attack Bo 5",
        "next round: also attack Bo 5",
        "also attack Bo 5. Scratch that, also attack Cy 5",
        "cancel that, also attack Bo 5",
        "drop 2, I mean drop 3",
        "drop 2. No wait, drop 3",
        "drop 2\nsorry, drop 3",
        "drop 2... no, drop 3",
        "drop 2, actually drop 3",
        "5 more on Bo. No wait, 5 more on Cy",
        "take 5 from Bo and put it on Cy. I meant take 6 from Bo and put it on Cy",
        "also attack Bo 5. Sorry, also attack Cy 5",
        "kill Cy",
        "take out Cy",
        "strike Bo",
        "stop Cy!",
        "drop 20 on Bo",
        "drop in on Bo",
        "strike first",
        "lose to Cy",
        "drop to 20",
        "take away from Bo",
        "no more on Bo",
        "Bo is only 19",
        "swap stories with Bo and Cy",
        "swap Bo and Cy says Cy",
        "hi Bo, kill Cy",
        "hi Cy, forget Bo",
        "hey Bo, drop 2",
        "10 more from Cy",
        "one more for Bo",
        "drop 0",
        "keep only 2 and 9",
        "my defence was 30",
        "make that 25 on Bo?",
        "why make that 25 on Bo?",
        "change the defence to 35 tomorrow",
        "possibly also attack Bo 5",
        "drop 2. No, leave it.",
        "drop 2. Actually, don't.",
        "drop 2. Just kidding.",
        "drop 2. But only if Bo attacks.",
        "drop 2\nnext round",
        "drop 2. Sorry, 3",
        "drop Bo. No wait, Cy",
        "make the defence 30. Sorry, 35",
    ),
    "brawl": ("swap 1 and 2. No, swap 2 and 3",),
    "discs": (
        "also attack Bo. At the start.",
        "strike that Cy",
        "my orders stand, attack Bo",
        "my orders stand. attack Bo",
        "throw at Bo, not Cy",
        "oh and pass too",
        "move hold to the top. Scratch that, move hold to the end",
        "also pass. Forget that, also move to Cy",
        "move 4 to the top. Sorry, move 3 to the top",
        "my orders stand",
        "my orders stand\npass",
        "orders stand",
        "take out Cy",
        "Cy is now nearest",
        "make it so",
        "make it now",
        "I won't move in with Bo",
        "move to Cy first",
        "keep 2",
        "move 3 first\ndrop 2",
    ),
}
"""Talk, facts, fights, corrections of the mail itself, lines that there are not: the set stays as it is."""
MADE = (
    ("rumble", "+ attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "& attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "...and attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "Oh and attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "extra 5 on Bo", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("brawl", "+ ask me", ("defend with a", "drop b maneuver", "pass", "ask me")),
    ("discs", "& attack Bo", ("throw at Bo", "attack Cy", "move to Bo", "hold", "attack Bo")),
    ("rumble", "then attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "finally attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "attack Bo 5. Keep the rest.", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "attack Bo 5. All others remain.", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "attack Bo 5. No other changes.", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "attack Bo 5 (rest as before)", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "keep the rest, attack Bo 5", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "the rest stays, attack Bo 5", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "my orders stand. attack Bo 5", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "one more thing: attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "I forgot one: attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "keep everything and attack Bo 5", ("attack Bo 5", "attack Cy 30", "defend 40")),
    ("rumble", "attack Bo 5 on top", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "Bo 25, leave the others", ("attack Bo 25", "attack Cy 30", "defend 40")),
    ("rumble", "I'll also attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "ok also attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "- also attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("rumble", "1. also attack Bo 5", ("attack Bo 20", "attack Cy 30", "defend 40", "also attack Bo 5")),
    ("brawl", "oh and also ask me", ("defend with a", "drop b maneuver", "pass", "ask me")),
    ("brawl", "thanks, also ask me", ("defend with a", "drop b maneuver", "pass", "ask me")),
    ("discs", "hello add pass", ("throw at Bo", "attack Cy", "move to Bo", "hold", "pass")),
    ("discs", "move attack first", ("attack Cy", "throw at Bo", "move to Bo", "hold")),
    ("discs", "attack before throw", ("attack Cy", "throw at Bo", "move to Bo", "hold")),
    ("rumble", "take 10 from Bo", ("attack Bo 10", "attack Cy 30", "defend 40")),
    ("rumble", "remove 5 from Bo", ("attack Bo 15", "attack Cy 30", "defend 40")),
)
"""Changes that were taken for new sets, or for others."""


@pytest.mark.parametrize(("game", "said"), some(3, [(game, said) for game, mails in KEPT.items() for said in mails]))
def test_what_only_resembles_a_change_is_none(game: str, said: str) -> None:
    """Nor is it a new set; it may be asked about."""
    entry, after = sent(with_set(game, *HANDS[game]), *said.split("\n"), hours=2)
    assert on_hand(after) == HANDS[game], entry


@pytest.mark.parametrize(("game", "said", "wanted"), MADE)
def test_what_adds_or_moves_an_order_is_no_new_set(game: str, said: str, wanted: tuple[str, ...]) -> None:
    """Whatever stands before it."""
    assert on_hand(sent(with_set(game, *HANDS[game]), *said.split("\n"), hours=2)[1]) == wanted


@pytest.mark.parametrize("joint", [" and also ", ", also ", " as well as ", ". Also ", "\nalso "])
def test_what_joins_two_orders_is_a_set_of_its_own(joint: str) -> None:
    """As without a set on hand."""
    entry, after = sent(with_set("rumble", *HANDS["rumble"]), *f"attack Bo 5{joint}defend 9".split("\n"), hours=2)
    assert on_hand(after) in (("attack Bo 5", "defend 9"), ("attack Bo 5", "also defend 9")), entry


@pytest.mark.parametrize("why", ["he is a friend", "I hate the taste of ink", "my sister says so"])
@pytest.mark.parametrize(
    "behind", ["", ", and attack Bo 5", " and 5 more on Bo", ". give his 20 to Bo", ", unless Bo runs"]
)
def test_the_reason_of_a_change_hides_nothing_behind_it(why: str, behind: str) -> None:
    """Alone it says nothing; with more behind it nothing is done in silence."""
    entry, after = sent(with_set("rumble", *HANDS["rumble"]), f"no attack on Cy because {why}{behind}", hours=2)
    is_made = on_hand(after) == ("attack Bo 20", "defend 40")
    assert is_made if not behind else not (is_made and after.moved(SEAT)), entry


@pytest.mark.parametrize("said", ["drop Cy?", "drop Cy? thanks", "drop Cy? The rest stays.", "Could you drop Cy?"])
def test_a_question_changes_nothing_and_is_offered(said: str) -> None:
    """As what it means without its mark."""
    entry, after = sent(with_set("rumble", *HANDS["rumble"]), said, hours=2)
    assert on_hand(after) == HANDS["rumble"] and entry.offered == ("attack Bo 20", "defend 40")
    assert "This is a question" in entry.complaints[0].because


@pytest.mark.parametrize("kind", ["Sorry!", "Thanks!", "Have a nice day"])
def test_kind_words_behind_a_change_take_nothing_from_it(kind: str) -> None:
    """Nor do they make it wait."""
    entry, after = sent(with_set("rumble", *HANDS["rumble"]), f"make that 25 on Bo. {kind}", hours=2)
    assert on_hand(after) == ("attack Bo 25", "attack Cy 30", "defend 40"), entry


CORRECTED = ("drop 2. No wait, drop 3", "drop 2\nsorry, drop 3", "drop 2... no, drop 3")


@pytest.mark.parametrize("said", CORRECTED)
def test_what_a_mail_corrects_is_not_done_and_what_it_means_offered(said: str) -> None:
    """Of two changes the second takes the place of the first, by a yes."""
    entry, after = sent(with_set("rumble", *HANDS["rumble"]), *said.split("\n"), hours=2)
    assert on_hand(after) == HANDS["rumble"] and entry.offered == HANDS["rumble"][:2]


@pytest.mark.parametrize(
    "behind",
    ["No, leave it.", "Actually, don't.", "Just kidding.", "But only if Bo attacks.", "Next round.", "Sorry, 3"],
)
def test_nothing_is_offered_that_the_mail_takes_back(behind: str) -> None:
    """Nor where a condition stands behind it."""
    entry, after = sent(with_set("rumble", *HANDS["rumble"]), f"drop 2. {behind}", hours=2)
    assert on_hand(after) == HANDS["rumble"] and entry.offered == ()
