"""What goes on in people of the demonstration between a letter and their answer; knows no game, and no mail program."""

import re
from collections.abc import Iterator

from pbem.demo.voices import PLAIN, VOICES, can_garble
from pbem.ground.chance import Dice
from pbem.ruleset import Cast

_PROOF = re.compile(r"To the moderator alone\. Proof (\d+) of")
_RECEIPT = re.compile(r"(?m)^To you alone\. (?:Orders for|Your mail to)")
_INVITATION = "To you alone. An invitation"
_OFFER = re.compile(r"To you alone\. A seat in \S+, a game under way\.")
_LEFT = re.compile(r"Somebody else plays .+ from now on\.\s+What you\s+write")
_DIGITS = re.compile(r"^\| confirm (\d+)$", re.MULTILINE)
_TALK = re.compile(r"^(.+) writes to you:\n((?:\n: .*(?:\n: .*)*\n)+)", re.MULTILINE)
_ALL_IN = "All have moved. The phase closes before its deadline"
_ALONE = "To you alone. A question"
_REMINDER = "To you alone. A reminder"
_REFUSALS = ("Not taken", "Taken in part")
_DOUBTS = re.compile(r"I am not sure about this:\n.*?If", re.DOTALL)
_QUOTED = re.compile(r"^ +: (.+)$", re.MULTILINE)
_YES = "reply: yes"
_BLANK = "\n"


class Mind:
    """
    One of a cast, who reads letters and answers them: decides by wits, and writes in a voice.

    Shape: `meant` is what was wanted last, in plain lines, whatever words it was written in.
    """

    def __init__(self, name: str, cast: Cast, dice: Dice) -> None:
        """Take who it is, and the dice of the whole cast."""
        *players, self._host = cast.people
        self.meant: tuple[str, ...] = ()
        self.name, self._cast, self._dice = name, cast, dice
        self._voice = VOICES[players.index(name) % len(VOICES)] if name in players else PLAIN
        self._said: list[str] = []
        self._question = ""
        self._later: tuple[str, ...] = ()
        self._is_plain = self._has_agreed = self._has_slipped = False
        self._has_wavered = self._has_left = False
        self._replied: list[str] = []

    def answer(self, letter: str) -> str:
        """Read a letter, and return what to answer, or ""."""
        text = self._named(self._thought(letter, self._dice.at(f"{self.name}/{len(self._said)}")))
        if text:
            self._said.append(text)
        return text

    def _thought(self, letter: str, dice: Dice) -> str:
        if self.name == self._host:
            return self._ruling(letter, dice)
        self._has_left = self._has_left or bool(_LEFT.search(letter))
        if self._has_left:
            return ""
        if letter.startswith(_INVITATION):
            return "" if self._said else self._voice.joining(self.name, self._cast.talk[0], dice)
        if _OFFER.match(letter):
            return "yes"
        if _RECEIPT.search(letter):
            return self._reaction(letter)
        if letter.startswith(_REMINDER):
            return self._orders(dice, is_late=True) if self._question else ""
        leaving = self._cast.leaving
        if leaving and self.name == leaving.player and leaving.at in letter:
            return "" if leaving.words in self._said else leaving.words
        if asks(letter):
            self._question = letter
            return self._orders(dice)
        return ""

    def _ruling(self, letter: str, dice: Dice) -> str:
        """Moderate: answer what players say, rule on a proof or let it out, and confirm what has to be."""
        if digits := _DIGITS.search(letter):
            return f"confirm {digits[1]}"
        lines = [line for name, words in _TALK.findall(letter) for line in self._replies(name, words)]
        if proof := _PROOF.match(letter):
            lines += self._wanted(letter, dice) or (f"approve {proof[1]}",)
        return "\n".join(lines)

    def _replies(self, name: str, words: str) -> Iterator[str]:
        """Give the seat of whoever wants to leave to somebody else, and answer a question when it first comes."""
        leaving = self._cast.leaving
        if leaving and leaving.successor in words:
            yield f"replace {name} by {leaving.successor.lower()}@example.org because {leaving.because}"
            yield f"to {name}: {leaving.farewell}\n"
        for asked, reply in self._cast.replies.items():
            if asked in words and reply not in self._replied:
                self._replied.append(reply)
                yield f"to {name}: {reply}\n"

    def _wanted(self, letter: str, dice: Dice) -> tuple[str, ...]:
        leaving = self._cast.leaving
        name = leaving.player if leaving and self.name == leaving.successor else self.name
        return tuple(self._cast.people[name](letter, self._said, dice))

    def _orders(self, dice: Dice, *, is_late: bool = False) -> str:
        """Answer the question that is open; who forgets may leave it for a reminder."""
        wanted = self._wanted(self._question, dice)
        if not is_late and self._voice.forgets and dice.face("late", 3) == 1:
            self.meant = self.meant if wanted else ()
            return "" if wanted else _BLANK
        question, self._question = self._question, ""
        self._is_plain = self._has_agreed = False
        is_same, self.meant = wanted == self.meant, wanted
        if not wanted:
            return ""
        if is_same and self._voice.same:
            return dice.pick("same", self._voice.same)
        ways = self._cast.ways.get(self.name, {})
        slips = not question.startswith(_ALONE)
        said = self._voice.mails(
            wanted, ways, self._cast.amends, self._cast.talk, dice, slips=slips, is_first=not self._has_slipped
        )
        self._has_slipped = self._has_slipped or (slips and can_garble(wanted))
        first, *later = said
        self._later = tuple(later)
        return f"{dice.pick('excuse', self._voice.excuses)}\n\n{first}" if is_late else first

    def _reaction(self, letter: str) -> str:
        """Read a receipt: write plainly what was not understood, agree to the rest, and send what was forgotten."""
        is_refused = any(words in letter for words in _REFUSALS)
        doubts = _DOUBTS.search(letter)
        missed = [line for line in _QUOTED.findall(doubts[0] if doubts else "") if not self._is_chat(line)]
        if (is_refused or missed) and not self._is_plain:
            self._is_plain, self._later = True, ()
            return self._voice.plainly(self.meant)
        if _ALL_IN in letter and self._voice.wavers and not self._has_wavered:
            self.meant, thought = self._voice.second_thought(self.meant, self._cast.amends)
            self._has_wavered = bool(thought)
            return thought
        if (doubts or _YES in " ".join(letter.split())) and not self._later and not self._has_agreed:
            self._has_agreed = True
            return self._voice.yes
        later, self._later = "\n".join(self._later), ()
        return later

    def _is_chat(self, line: str) -> bool:
        """Say whether a line is small talk of one's own, and no order that was not understood."""
        chat = (*self._voice.greetings, *self._voice.partings, *self._voice.excuses, *self._cast.talk)
        return any(line == row for words in chat for row in self._named(words).split("\n"))

    def _named(self, words: str) -> str:
        return words.replace("{me}", self.name).replace("{host}", self._host)


def asks(letter: str) -> bool:
    """Say whether a letter asks for an answer: it has a form, or invites."""
    return re.search(r"^(~ |\| join)", letter, re.MULTILINE) is not None
