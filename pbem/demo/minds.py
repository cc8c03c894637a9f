"""What goes on in people of the demonstration between a letter and their answer; knows no game, and no mail program."""

import re

from pbem.chance import Dice
from pbem.demo.voices import PLAIN, VOICES, can_garble
from pbem.ruleset import Cast

_PROOF = re.compile(r"To the moderator alone\. Proof (\d+) of")
_RECEIPT = re.compile(r"(?m)^To you alone\. (?:Orders for|Your mail to)")
_INVITATION = "To you alone. An invitation"
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

    def answer(self, letter: str) -> str:
        """Read a letter, and return what to answer, or ""."""
        text = self._named(self._thought(letter, self._dice.at(f"{self.name}/{len(self._said)}")))
        if text:
            self._said.append(text)
        return text

    def _thought(self, letter: str, dice: Dice) -> str:
        if proof := _PROOF.match(letter):
            return "\n".join(self._wanted(letter, dice) or (f"approve {proof[1]}",))
        if letter.startswith(_INVITATION):
            return "" if self._said else self._voice.joining(self.name, self._cast.talk[0], dice)
        if _RECEIPT.search(letter):
            return self._reaction(letter)
        if letter.startswith(_REMINDER):
            return self._orders(dice, is_late=True) if self._question else ""
        if asks(letter):
            self._question = letter
            return self._orders(dice)
        return ""

    def _wanted(self, letter: str, dice: Dice) -> tuple[str, ...]:
        return tuple(self._cast.people[self.name](letter, self._said, dice))

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
