"""How people word what they want in a mail, each in a manner that stays theirs; knows no game."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.ground.chance import Dice

Ways = Mapping[str, Sequence[str]]
"""How somebody says plain lines: by a pattern of a whole line the wordings for it, one of which is drawn."""

_BREATH = 3
"""How many orders go into one breath."""
_LITTLE = 5
"""What a second thought takes off a number."""


class Voice(msgspec.Struct, frozen=True, kw_only=True):
    """
    A manner of writing mails.

    Shape: of `greetings`, `partings`, `excuses` and `same` one is drawn; "" is none. `bullets` stand before lines. Who
    `slips` hits wrong keys, and sends in a second mail what the first one lacks; who `forgets` answers reminders, with
    an excuse, or sends an empty mail; who `wavers` thinks again once all have moved; who has words for `same` does not
    write the same orders again.
    """

    greetings: Sequence[str] = ("",)
    partings: Sequence[str] = ("",)
    bullets: Sequence[str] = ("",)
    yes: str = "yes"
    same: Sequence[str] = ()
    excuses: Sequence[str] = ("",)
    is_talkative: bool = False
    in_one_breath: bool = False
    slips: bool = False
    forgets: bool = False
    wavers: bool = False

    def mails(
        self,
        lines: Sequence[str],
        ways: Ways,
        amends: Mapping[str, str],
        talk: Sequence[str],
        dice: Dice,
        *,
        slips: bool,
        is_first: bool = False,
    ) -> tuple[str, ...]:
        """
        Word plain lines as one mail, or as two: the second, for when the first is answered, mends what that says.

        Shape: there are `slips` only where the game also waits for others, so that a second mail is not too late; the
        first of them is one that nobody can make out.
        """
        worded = [_worded(line, ways, dice.at(str(place))) for place, line in enumerate(lines)]
        slip = dice.face("slip", 4) if slips and self.slips and not _has_blocks(lines) else 0
        if slip and is_first:
            worded, slip = _garbled(worded), 0
        if slip == 1:
            worded = _mistyped(worded, dice)
        later: tuple[str, ...] = ()
        if slip == 2 and len(lines) > 1 and not _is_conditional(lines):
            worded, later = worded[:-1], (f"{dice.pick('more', ('also ', 'oh, and also '))}{lines[-1]}",)
        if slip == 3 and len(lines) > 1:
            worded, later = _miscounted(lines, worded, amends, dice)
        return (self._mail(worded, talk, dice, is_list=_is_conditional(lines), has_blocks=_has_blocks(lines)), *later)

    def joining(self, name: str, talk: str, dice: Dice) -> str:
        """Take a seat."""
        chat = talk if self.is_talkative else ""
        return _joined(
            [dice.pick("greeting", self.greetings), f"join as {name}", chat, dice.pick("parting", self.partings)]
        )

    def plainly(self, lines: Sequence[str]) -> str:
        """Say plain lines as they are, for a reader who did not understand."""
        return _list(lines)

    def second_thought(self, lines: Sequence[str], amends: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
        """
        Take a little off the first number that can be amended.

        Returns all lines as they are meant then, and what to write; "" where none can be.
        """
        for place, line in enumerate(lines):
            for pattern, amended in amends.items():
                number = re.search(r"\d{2,}", line)
                less = line.replace(number[0], str(int(number[0]) - _LITTLE)) if number else line
                if number and (match := re.fullmatch(pattern, less)):
                    return (*lines[:place], less, *lines[place + 1 :]), f"{match.expand(amended)}, after all"
        return tuple(lines), ""

    def _mail(self, worded: Sequence[str], talk: Sequence[str], dice: Dice, *, is_list: bool, has_blocks: bool) -> str:
        bullet = "" if has_blocks else dice.pick("bullet", self.bullets)
        if self.in_one_breath and len(worded) <= _BREATH and not is_list and not has_blocks:
            body = ", ".join(worded)
        else:
            body = _list([line if line.startswith("press ") else f"{bullet}{line}" for line in worded])
        chat = dice.pick("talk", ("", "", *talk)) if self.is_talkative else ""
        return _joined([dice.pick("greeting", self.greetings), body, chat, dice.pick("parting", self.partings)])


def _worded(line: str, ways: Ways, dice: Dice) -> str:
    for pattern, wordings in ways.items():
        if match := re.fullmatch(pattern, line, re.DOTALL):
            return match.expand(dice.pick("wording", wordings))
    return line


def _mistyped(lines: Sequence[str], dice: Dice) -> list[str]:
    """Hit two keys in the wrong order, or one not at all, in the first word of a line."""
    place = dice.face("line", len(lines)) - 1
    word = re.match(r"[a-z]{4,}", lines[place])
    if not word:
        return list(lines)
    at = dice.face("key", len(word[0]) - 2)
    one, other = word[0][at], word[0][at + 1]
    slipped = dice.pick("slipped", (other + one, one if one != other else ""))
    return [*lines[:place], f"{lines[place][:at]}{slipped}{lines[place][at + 2 :]}", *lines[place + 1 :]]


def can_garble(lines: Sequence[str]) -> bool:
    """Say whether there is a word in plain lines that can be made none."""
    return not _has_blocks(lines) and _garbled(lines) != list(lines)


def _garbled(lines: Sequence[str]) -> list[str]:
    """Leave two letters out of the first long word within an order, so that it can be no word; free words stay."""
    for place, line in enumerate(lines):
        found = None if ":" in line else re.search(r"(?<=\s)[^\W\d]{5,}", line)
        if found:
            at = found.start() + 2
            return [*lines[:place], f"{line[:at]}{line[at + 2 :]}", *lines[place + 1 :]]
    return list(lines)


def _miscounted(
    lines: Sequence[str], worded: Sequence[str], amends: Mapping[str, str], dice: Dice
) -> tuple[list[str], tuple[str, ...]]:
    """Say too small a number in the first line that can be amended, and how that is amended."""
    for place, line in enumerate(lines):
        for pattern, amended in amends.items():
            match = re.fullmatch(pattern, line)
            number = re.search(r"\d{2,}", worded[place]) if match else None
            if match and number:
                wrong = int(number[0]) - dice.face("wrong", 9)
                said = f"{worded[place][: number.start()]}{wrong}{worded[place][number.end() :]}"
                return [*worded[:place], said, *worded[place + 1 :]], (match.expand(amended),)
    return [*worded], ()


def _has_blocks(lines: Sequence[str]) -> bool:
    return any("\n" in line for line in lines)


def _is_conditional(lines: Sequence[str]) -> bool:
    """Say whether a line has to stand alone, for what it says of itself would reach into the next."""
    return any(re.search(r"\bif\b|:", line) for line in lines)


def _list(lines: Sequence[str]) -> str:
    return ("\n\n" if _has_blocks(lines) else "\n").join(lines)


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)


VOICES = (
    Voice(partings=("", "", "{me}"), slips=True),
    Voice(
        greetings=("Hi {host},", "Hello {host}, hello all,", "Dear {host},", "Good evening {host},"),
        partings=("Cheers\n{me}", "Best wishes\n{me}", "Thank you!\n{me}"),
        yes="yes\n\nThanks\n{me}",
        is_talkative=True,
    ),
    Voice(
        bullets=("* ", "• ", "- "),
        partings=("🎉", "Ha!", "Muahaha!", "😈"),
        yes="YES!",
        same=("Same as last round!", "Same again!"),
    ),
    Voice(
        partings=("", "thx"),
        excuses=("sorry, am late", "sorry for the delay, long day"),
        same=("same as last round", "same again"),
        in_one_breath=True,
        forgets=True,
        wavers=True,
    ),
)
"""The manners of the players at a table, in the order of their seats."""
PLAIN = Voice()
"""The manner of whoever moderates."""
