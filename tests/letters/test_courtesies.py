"""Which lines are a greeting or a closing, and which could be an order."""

import pytest

from pbem.speech.courtesies import courtesy


@pytest.mark.parametrize(
    "line",
    [
        "Hi", "hi,", "Hello all,", "Hello everyone!", "Dear moderator,", "Hi Bob,", "Good morning", "Hallo zusammen,",
        "Thanks!", "Thanks, Ada", "thank you very much", "Many thanks in advance", "Cheers, Ada", "Cheers\u00a0Ada",
        "Best regards", "Best regards, Ada Lovelace", "Kind regards,", "Regards,", "Best,", "All the best", "Viele Grüße",
        "Good luck everyone!", "Ada", "Ada Lovelace", "ada", "- Ada", "Ada.", "MfG",
    ],
)  # fmt: skip
def test_a_courtesy_is_set_aside(line: str) -> None:
    """Greetings, closings and the writer's own name are no orders."""
    assert courtesy(line, "Ada Lovelace")


@pytest.mark.parametrize(
    "line",
    [
        "", "attack Cuttlefish 20", "defend 50", "hi 5", "Hi, attack Cuttlefish 20", "Hello ready", "Thanks, wait",
        "Cheers, hold", "ready", "no", "Bob", "Best of luck to Cuttlefish with his attack", "Thanks for the game, approve",
        "Lovelace Ada", "dear me, what a round", "use Best Regards on Ada", "end", "hey status",
    ],
)  # fmt: skip
def test_what_could_be_an_order_is_no_courtesy(line: str) -> None:
    """A digit, a word that is an order by itself, or anything more than the pattern, and the line stays."""
    assert not courtesy(line, "Ada Lovelace")


def test_a_name_that_is_an_order_is_no_courtesy() -> None:
    """A person who is called Ready does not lose the order."""
    assert not courtesy("ready", "Ready")
    assert not courtesy("Ada", "")
