"""Mails of the discs that an attack saw taken otherwise than they were meant: they are asked about, or read as meant."""

import pytest

from tests.depth import some
from tests.rulesets.test_discs_spelling import battle, read

MISREAD = {
    "attack Bo no more": ("attack Bo",),
    "dodge discs no more": ("on disc: dodge",),
    "card 2: attack Bo no more": ("card 2: attack Bo",),
    "cards 2 to 3:\nthrow at Bo\nhold": ("throw at Bo", "hold"),
    "1/2: throw at Bo": ("throw at Bo",),
    "2-3: throw at Bo": ("throw at Bo",),
    "cards 1-2:\nthrow at Bo\ncards 3-4:\nhold": ("throw at Bo", "hold"),
    "throw at Bo, cards 2-3": ("throw at Bo",),
    "throw at Bo (cards 1-3)": ("throw at Bo",),
    "throw at Bo. That's for cards 2-3.": ("throw at Bo",),
    "move to Bo, at most 2.5 inches": ("move to Bo",),
    "move to Bo (2.5 inches)": ("move to Bo",),
    "move north (1/2 inch)": ("move 0",),
    "throw at Bo (within 6.5)": ("throw at Bo",),
    "hold (1-2 cards)": ("hold",),
    "nothing but throw at Bo": ("pass", "throw at Bo"),
    "do nothing but throw at Bo": ("pass", "throw at Bo"),
    "hold but throw at Bo": ("hold", "throw at Bo"),
    "by card\nthrow at Bo\nattack Mo": ("throw at Bo", "attack Mo"),
    "card 1: attack Bo. Otherwise hold. card 2: throw at Mo": ("card 1: attack Bo", "hold", "card 2: throw at Mo"),
    "by card\n1. attack Bo. Else hold.\n2. throw at Mo": ("card 1: attack Bo", "hold", "card 2: throw at Mo"),
    "If Bo is prone:\n- attack Bo\n- throw at Mo": ("if Bo is prone: attack Bo", "throw at Mo"),
    "if Bo within 12:\nthrow at Bo\nattack Bo": ("if Bo within 12: throw at Bo", "attack Bo"),
    "throw at Bo if somebody is prone": ("if nearest is prone: throw at Bo",),
    "if anyone is beyond 12 throw at Bo": ("if nearest beyond 12: throw at Bo",),
    "attack Bo, prone": ("attack Bo",),
    "attack nearest (the prone one)": ("attack nearest",),
    "throw at nearest, clear shot": ("throw at nearest",),
    "throw at Bo, my disc in hand": ("throw at Bo",),
    "dodge attacks and discs": ("on attack: dodge",),
    "dodge discs and attacks": ("on disc: dodge",),
    "block discs and attacks": ("on disc: block",),
    "on Bo's disc: dodge, else block": ("on disc of Bo: dodge, block",),
    "if attacked, dodge else hold": ("on attack: dodge", "hold"),
    "catch my disc, else attack Bo": ("on my disc: card", "attack Bo"),
    "throw at Bo, that is, attack Bo": ("throw at Bo", "attack Bo"),
    "throw at Bo\n\nSecond thoughts: attack Mo": ("throw at Bo", "attack Mo"),
    "throw at Bo\nBut on card 2 hold": ("throw at Bo", "card 2: hold"),
    "throw at Bo. But attack Mo.": ("throw at Bo", "attack Mo"),
    "My question: can I attack Bo": ("attack Bo",),
    "My old list:\nthrow at Bo\nattack Mo": ("throw at Bo", "attack Mo"),
    "his orders: throw at Bo": ("throw at Bo",),
    "throw at Bo. This is for later.": ("throw at Bo",),
    "throw at Bo\n\nThat was the old plan.": ("throw at Bo",),
    "throw at Bo if he has a card": ("if Bo holds 1: throw at Bo",),
    "attack if Bo is within 4": ("if Bo within 4: attack nearest",),
    "throw at Bo (first)": ("throw at Bo",),
    "throw at Bo, the second time": ("throw at Bo",),
    "move to Bo, left of him": ("move to Bo",),
    "throw at Bo (off the wall)": ("throw at Bo",),
    "move to NE (corner)": ("move 45",),
    "throw at Bo because I will hold": ("throw at Bo", "hold"),
    "throw at Bo as it comes": ("throw at Bo",),
    "throw at Bo and attack Mo if Mo is prone": ("throw at Bo", "if Mo is prone: attack Mo"),
    "throw at Bo and others": ("throw at Bo",),
    "attack Bo, if he is prone, throw at Mo": ("attack Bo", "if Mo is prone: throw at Mo"),
    "attack Bo, throw at Mo if he is prone": ("attack Bo", "if Mo is prone: throw at Mo"),
    "First card\nthrow at Bo\nattack Mo": ("throw at Bo", "attack Mo"),
    "attack: throw at Bo": ("attack nearest", "throw at Bo"),
    "throw at Bo. Hold this.": ("throw at Bo", "hold"),
    "move 3 inches from Bo": ("move from Bo by 3",),
    "Bo prone? throw at Bo": ("throw at Bo",),
    "throw at Bo. If he is prone attack Mo.": ("throw at Bo", "if Mo is prone: attack Mo"),
    "throw at Bo\nif he is within 4 attack": ("throw at Bo", "if nearest within 4: attack nearest"),
    "attack Bo, if he is prone throw at Mo, else hold": ("attack Bo", "if Mo is prone: throw at Mo", "hold"),
    "card 1: attack Bo. Throw at Mo. Card 2: hold.": ("card 1: attack Bo", "throw at Mo", "card 2: hold"),
    "card 1: attack Bo\n- throw at Mo\ncard 2: hold": ("card 1: attack Bo", "throw at Mo", "card 2: hold"),
    "nothing\nthrow at Bo": ("pass", "throw at Bo"),
    "keep it": ("hold",),
    "only dodge Bo's disc": ("on disc of Bo: dodge",),
    "attack Mo (because Bo is prone: throw at Bo)": ("attack Mo", "throw at Bo"),
}
"""What was taken of a mail, with nothing said of the rest."""


@pytest.mark.parametrize("mail", some(3, MISREAD))
def test_what_was_meant_otherwise_is_not_taken_in_silence(mail: str) -> None:
    """Something else is read of it, or the answer says what was not."""
    orders, complaints = read(*mail.split("\n"), state=battle("Ada", "Bo", "Mo", "Cy"))
    assert complaints or tuple(orders) != MISREAD[mail]
