"""Mails that an attack saw taken otherwise than they were meant, with nothing said: through the real intake."""

import pytest

from tests.depth import some
from tests.listening.filling import filled
from tests.listening.judging import seen
from tests.listening.said import Said
from tests.listening.scenes import Stage

MISREAD: dict[str, dict[str, tuple[str, ...]]] = {
    "rumble with powers": {
        "use Ink Cloud 15 on Bob": ("use Ink Cloud", "attack Bob 15"),
        "use Ink Cloud 15 on everybody": (
            "use Ink Cloud",
            "attack Bob 15",
            "attack Cy 15",
            "attack Doctor Cuttlefish 15",
        ),
        "use Ink Cloud 15 for defence": ("use Ink Cloud", "defend 15"),
        "use Ink Cloud 15 to defend me": ("use Ink Cloud", "defend 15"),
        "use Ink Cloud 15 to attack Bob": ("use Ink Cloud", "attack Bob 15"),
        "use Laser Eyes on Bob and Cy with 10": ("use Laser Eyes on Bob spend 10", "attack Cy 10"),
        "use Laser Eyes on Bob, Cy 20": ("use Laser Eyes on Bob spend 10", "attack Cy 20"),
        "use Ink Cloud on Bob and Cy 15": ("use Ink Cloud on Bob", "attack Cy 15"),
        "Plan A: defend 40": ("plan Air Strike: defend 40",),
        "plan a: attack Bob 20": ("plan Air Strike: attack Bob 20",),
        "Plan A: wait and see": ("plan Air Strike: wait and see",),
    },
    "rumble auction": {
        "bid Ink Cloud 15\nscrap that": ("bid Ink Cloud 15 discard",),
        "bid Ink Cloud 15, scrap that": ("bid Ink Cloud 15 discard",),
        "bid Ink Cloud 15. Scrap that.": ("bid Ink Cloud 15 discard",),
        "Ink Cloud 15 scrap that, Flight 9": ("bid Ink Cloud 15 discard", "bid Flight 9"),
        "Skip bid Ink Cloud 15\nbid Flight 9": ("bid Ink Cloud 15", "bid Flight 9"),
        "pass bid Ink Cloud 15": ("bid Ink Cloud 15",),
        "No more bid Ink Cloud 15\nbid Flight 9": ("bid Ink Cloud 15", "bid Flight 9"),
        "Ink Cloud 15 # only if Bob bids": ("bid Ink Cloud 15",),
        "Can I bid Ink Cloud 15": ("bid Ink Cloud 15",),
        "bid Ink Cloud 15 (??)": ("bid Ink Cloud 15",),
        "Hello Cy!\n\nbid Ink Cloud 15": ("bid Ink Cloud 15",),
        "bid Ink Cloud > 15": ("bid Ink Cloud 15",),
    },
    "rumble tie": {
        "bid Ink Cloud 25, scrap that": ("bid Ink Cloud 25 discard",),
    },
    "rumble round": {
        "attack Bob 20 # if he defends": ("attack Bob 20",),
        "attack Bob 20 #maybe": ("attack Bob 20",),
        "attack Bob 20 # Cy 10": ("attack Bob 20",),
        "attack Bob 20 # and defend 40": ("attack Bob 20",),
        "Can I attack Bob 20 and defend 40": ("attack Bob 20", "defend 40"),
        "may I attack Bob 20": ("attack Bob 20",),
        "can i idle 20": ("idle 20",),
        "I would attack Bob 20": ("attack Bob 20",),
        "I'd attack Bob 20": ("attack Bob 20",),
        "I'd love to attack Bob 20, but": ("attack Bob 20",),
        "attack Bob 20 (?)": ("attack Bob 20",),
        "attack Bob 20 (?)\ndefend 40 (?)": ("attack Bob 20", "defend 40"),
        "attack Bob 20\n???": ("attack Bob 20",),
        "?? attack Bob 20": ("attack Bob 20",),
        "(?) attack Bob 20": ("attack Bob 20",),
        "Hi Cy,\n\nplease attack Bob 20": ("attack Bob 20",),
        "Dear Bob,\n\nattack Cy 20\ndefend 80": ("attack Cy 20", "defend 80"),
        "attack Bob >20": ("attack Bob 20",),
        "defend > 40": ("defend 40",),
        "For Round 3:\nattack Bob 20\nattack Cy 10\ndefend 70": ("attack Cy 10", "defend 70"),
        "for round 3:\n\nattack Bob 20\ndefend 40": ("attack Bob 20", "defend 40"),
        "attack Cy 20 (was: attack Bob 20)": ("attack Cy 20", "attack Bob 20"),
        "choose one:\nattack Bob 20\nattack Cy 20": ("attack Bob 20", "attack Cy 20"),
        "any of:\nattack Bob 20\nattack Cy 20": ("attack Bob 20", "attack Cy 20"),
        "possible moves:\nattack Bob 20\nattack Cy 20": ("attack Bob 20", "attack Cy 20"),
        "choices:\nattack Bob 20\nattack Cy 20": ("attack Bob 20", "attack Cy 20"),
        "or: attack Bob 20": ("attack Bob 20",),
        "my old list:\nattack Bob 20\ndefend 40": ("attack Bob 20", "defend 40"),
        "what I did:\nattack Bob 20\ndefend 40": ("attack Bob 20", "defend 40"),
        "old: attack Bob 20": ("attack Bob 20",),
        "crossed out: attack Bob 20": ("attack Bob 20",),
        "yesterday's orders:\nattack Bob 20": ("attack Bob 20",),
        "my guesses:\nattack Bob 20": ("attack Bob 20",),
        "I expect:\nattack Bob 20": ("attack Bob 20",),
        "wish list:\nattack Bob 20": ("attack Bob 20",),
        "in an ideal world: attack Bob 20": ("attack Bob 20",),
        "Rumour: attack Bob 20": ("attack Bob 20",),
        "Question: attack Bob 20": ("attack Bob 20",),
        "the rules say:\nattack Bob 20": ("attack Bob 20",),
        "what I want to avoid:\nattack Bob 20": ("attack Bob 20",),
        "sample orders:\nattack Bob 20": ("attack Bob 20",),
        "Monday: attack Bob 20\nTuesday: attack Cy 20": ("attack Bob 20", "attack Cy 20"),
        "in future: attack Bob 20": ("attack Bob 20",),
        "on Friday: attack Bob 20": ("attack Bob 20",),
        "attack Bob 20 (or so)": ("attack Bob 20",),
        "attack Bob 20 and a bit": ("attack Bob 20",),
        "attack Bob 20\na bit more": ("attack Bob 20",),
        "attack Bob 20\nonce more": ("attack Bob 20",),
        "attack Bob 20\nMore to come.": ("attack Bob 20",),
        "attack Bob 20, as a threat": ("attack Bob 20",),
        "attack Bob 20, I wish": ("attack Bob 20",),
        "attack Bob 20\nup to you": ("attack Bob 20",),
        "I would attack Bob 20, were I stronger": ("attack Bob 20",),
    },
    "brawl round": {
        "attack Bob with a damage b # unless he defends": ("attack Bob with a damage b",),
        "attack Bob with a damage b (?)": ("attack Bob with a damage b",),
        "if Bob attacks me:\n  defend with a\n  defend with b\nattack Cy with c damage d": (
            "if Bob attacks me: defend with a",
            "defend with b",
            "attack Cy with c damage d",
        ),
        "if Bob defends:\nattack Bob with a damage b\ndefend with c": (
            "if Bob defends 1: attack Bob with a damage b",
            "defend with c",
        ),
        "For Round 3:\nattack Bob with a damage b\ndefend with c": ("defend with c",),
    },
    "rumble round, orders on hand": {
        "Bob 25 # Cy 15": ("attack Bob 25",),
        "attack Doctor 5 as well": ("attack Doctor Cuttlefish 5",),
        "as well, attack Doctor 5": ("attack Doctor Cuttlefish 5",),
        "can I also attack Doctor 5": ("attack Doctor Cuttlefish 5",),
        "no Cy?": ("attack Bob 20", "defend 40"),
        "drop Cy?": ("attack Bob 20", "defend 40"),
        "make that 25 on Bob?": ("attack Bob 25", "attack Cy 10", "defend 40"),
    },
    "brawl round, orders on hand": {
        "defend with d as well": ("defend with d",),
    },
}
"""By scene: the mail, and what stood on hand, ready, though something else was meant, or it should be asked."""


@pytest.mark.parametrize(
    ("scene", "mail"), some(4, [(scene, mail) for scene, mails in MISREAD.items() for mail in mails])
)
def test_what_was_meant_otherwise_is_not_taken_in_silence(played: Stage, scene: str, mail: str) -> None:
    """Something else is taken of it, or the seat waits for an answer."""
    with played.lend(scene) as room:
        came = seen(room, filled(Said(name="misread", about=1, scene=scene, text=mail), room))
        assert not came.moved or came.hand != MISREAD[scene][mail]
        assert came.told
