"""What the terminal tells of a demonstration: who wrote what, and the letters that they got."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias

from pbem.demo.people import Person
from pbem.ground.terms import Mail
from pbem.language.phrases import listed
from pbem.letters.reading import Letter, read

Tell: TypeAlias = Callable[[str], None]
Delivered: TypeAlias = tuple[Person, Mail]


class Story:
    """
    What the terminal tells: who wrote what, and the letters that they got.

    Shape: `letters` "some" shows each kind of letter once in full, every report, and whatever was refused;
    "all" shows all, "none" only who has a letter. Where `you` play, all your letters are shown, and nobody
    else's mail.
    """

    def __init__(self, tell: Tell, letters: str, you: str) -> None:
        """Take where to tell it, how much, and the name of the person at the terminal, or ""."""
        self._tell = tell
        self._letters = letters
        self._you = you
        self._gap = False
        self._shown: set[str] = set()

    def say(self, text: str) -> None:
        """Tell a line of the story itself."""
        self._tell(text)
        self._gap = text.endswith("\n")

    def is_you(self, person: Person) -> bool:
        """Say whether this is the person at the terminal, who is never kept waiting."""
        return person.name == self._you

    def wrote(self, now: datetime, person: Person, text: str) -> None:
        """Tell that somebody sent a mail."""
        if self._you:
            who = "You have" if self.is_you(person) else f"{person.name} has"
            self.say(f"{now:%a %d %b %H:%M}  {who} written")
            return
        lines = "\n".join(f"      {line}".rstrip() for line in text.split("\n"))
        self._apart(f"{now:%a %d %b %H:%M}  {person.name} writes\n{lines}")

    def delivered(self, now: datetime, letters: Sequence[Delivered]) -> None:
        """Tell who has letters, all at one time: of each kind some whole, and the others together in a line."""
        if self._you:
            return
        kinds: dict[str, list[tuple[Person, Letter]]] = {}
        for person, mail in sorted(letters, key=lambda delivered: (delivered[1].arrived, delivered[1].name)):
            letter = read(mail.raw)
            kinds.setdefault(f"{letter.subject} ({_kind(letter)})", []).append((person, letter))
        for what, group in kinds.items():
            rest = []
            for person, letter in group:
                if self._letters == "all" or (self._letters == "some" and self._is_news(letter)):
                    self._whole(f"{now:%a %d %b %H:%M}  {person.name} has a letter: {letter.subject}", letter)
                else:
                    rest.append(person.name)
            if rest:
                have = "has" if len(rest) == 1 else "have"
                self.say(f"{now:%a %d %b %H:%M}  {listed(rest, 'and')} {have} a letter: {what}")

    def reads(self, now: datetime, person: Person, mail: Mail) -> None:
        """Show a letter to the person at the terminal, when it is their turn to read it."""
        if self.is_you(person):
            letter = read(mail.raw)
            self._whole(f"{now:%a %d %b %H:%M}  You have a letter: {letter.subject}", letter)

    def _whole(self, heading: str, letter: Letter) -> None:
        body = "\n".join(f"    | {line}".rstrip() for line in letter.body).rstrip(" |\n")
        self._apart(f"{heading}\n{body}")

    def _apart(self, text: str) -> None:
        """Tell a paragraph, with one blank line before and behind it."""
        above = "" if self._gap else "\n"
        self.say(f"{above}{text}\n")

    def _is_news(self, letter: Letter) -> bool:
        kind = _kind(letter)
        first = letter.body[0] if letter.body else ""
        refused = any(line.startswith(("Not taken", "Taken in part")) for line in letter.body)
        mark = first if kind == "report" else f"{kind} {refused} {'(ruled)' in ' '.join(letter.body)}"
        is_news = mark not in self._shown
        self._shown.add(mark)
        return is_news


def _kind(letter: Letter) -> str:
    return letter.message_id.split(".")[1]
