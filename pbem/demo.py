"""The demonstration: a whole game over a real mail server on loopback, with the ordinary daemon on a fast clock."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pbem.chance import Dice
from pbem.daemon import Daemon
from pbem.hall import founding, opening, proofs
from pbem.hall.catalogue import rulesets_known
from pbem.hall.looking import counted, identical
from pbem.letters.reading import Letter, read
from pbem.phrases import listed
from pbem.ruleset import CastRuleset, Wits
from pbem.terms import CharterError, GameName, Mail
from pbem.world.clock import FastClock
from pbem.world.log import SILENT
from pbem.world.mailbox import MaildirMailbox
from pbem.world.outbox import SmtpOutbox
from pbem.world.post_office import PostOffice
from pbem.world.settings import ArenaSettings, MaildirSettings, OutboxSettings, Settings

HOST = "example.org"
ARENA = f"arena@{HOST}"
MARK = "made-by-pbem-demo"
MONDAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
MOST_JUMPS = 1000
"""How often the clock may jump before we own that the game does not end."""
WRITING = timedelta(minutes=7)
"""How long a person takes over a mail."""
PATIENCE = 2
"""How often we ask somebody again for whom the whole game waits."""

Tell = Callable[[str], None]
Prompt = Callable[..., str]
How = Literal["editor", "lines", "mail"]


class Seat(NamedTuple):
    """
    A person at the terminal.

    Shape: `answer` takes a letter's text, "" lets it be; `pause` is asked before time passes, with the Maildir
    and the mail server's port: whether to look for mail once more.
    """

    answer: Callable[[str], str] | None
    pause: Callable[[Path, int], bool] | None


class Person:
    """Somebody with a mail program: a mailbox to read, a mail server to send through, and wits of their own."""

    def __init__(self, name: str, wits: Wits, office: PostOffice, dice: Dice) -> None:
        """Give a person an address at the post office."""
        self.name = name
        self.address = f"{name.lower()}@{HOST}"
        self.wits = wits
        self.dice = dice
        self.said: list[str] = []
        self.asked: Mail | None = None
        self.maildir = office.maildir(self.address)
        self._mailbox = MaildirMailbox(self.maildir)
        self._outbox = SmtpOutbox(OutboxSettings(port=office.port))

    def read_mail(self) -> list[Mail]:
        """Take the new letters out of the mailbox."""
        mails = self._mailbox.fetch(100)
        self._mailbox.mark(mails)
        return mails

    def think(self, mail: Mail) -> str:
        """Read a letter and return what to answer, or ""; the last one that asked for something is remembered."""
        letter = "\n".join(read(mail.raw).body)
        if _ASKS.search(letter):
            self.asked = mail
        return self.wits(letter, tuple(self.said), self.dice.at(f"{self.name}/{len(self.said)}"))

    def send(self, mail: Mail, text: str, now: datetime) -> None:
        """Answer a letter through the mail server."""
        self.said.append(text)
        message = EmailMessage(policy=SMTP)
        answered = _headers(mail.raw)
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = answered["reply-to"]
        message["Subject"] = f"Re: {answered['subject']}"
        message["Date"] = format_datetime(now)
        message["Message-ID"] = f"<{self.name.lower()}.{len(self.said)}@{HOST}>"
        message["In-Reply-To"] = answered["message-id"]
        quoted = "\n".join(f"> {line}".rstrip() for line in read(mail.raw).body)
        below = "" if "\n>" in text else f"\n\nOn {now:%d %b} the arena wrote:\n{quoted}\n"
        message.set_content(text + below)
        self._outbox.send(self.address, ARENA, message.as_bytes())

    def close(self) -> None:
        """Hang up."""
        self._outbox.close()


_ASKS = re.compile(r"^(~ |\| join)", re.MULTILINE)


def _headers(raw: bytes) -> dict[str, str]:
    message = message_from_bytes(raw, policy=default)
    return {name.lower(): str(value) for name, value in message.items()}


def play(root: Path, seed: str, tell: Tell, *, letters: str = "some", seat: Seat | None = None) -> bool:
    """
    Play a game from invitation to final report, and replay its archive.

    Shape: `root` is the arena that is left behind; `seat` is whoever sits at the terminal, in the first seat.
    Returns whether the game ended and its replay was identical.
    Errors: CharterError where `root` is there and was not made by a demonstration.
    """
    ruleset = _with_cast()
    _clear(root)
    clock = FastClock(MONDAY)
    addresses = [ARENA, *(f"{name.lower()}@{HOST}" for name in ruleset.cast)]
    with PostOffice(root / "mail", addresses, clock) as office:
        game = GameName(f"{ruleset.name}-1")
        daemon = _found(root, office, clock, ruleset, game, seed)
        people = _cast(ruleset, office, seed, seat)
        story = Story(tell, letters, people[0].name if seat else "")
        story.say(f"A post office is open on 127.0.0.1, port {office.port}; every letter below went through it.")
        story.say("Times are in UTC.")
        pause = seat.pause if seat else None
        look = (lambda: pause(people[0].maildir, office.port)) if pause else (lambda: False)
        is_over = _until_over(daemon, clock, people, story, look)
        daemon.doors.outbox.close()
        for person in people:
            person.close()
    if not is_over:
        story.say("\nThe game waits for a seat that nobody takes, so we stop here. To begin again: pbem demo --play")
    return is_over and _end(root, game, story)


def _with_cast() -> CastRuleset:
    found = next((known for known in rulesets_known().values() if isinstance(known, CastRuleset)), None)
    if found is None:
        raise CharterError("No ruleset here brings players who are programs, so there is nothing to show.")
    return found


def _clear(root: Path) -> None:
    if root.exists():
        if not (root / MARK).exists():
            raise CharterError(f"{root} is there and is not a demonstration's. Choose another: pbem --arena DIR demo")
        shutil.rmtree(root)
    root.mkdir(parents=True, mode=0o700)
    (root / MARK).write_text("The next pbem demo clears this folder away.\n")


def _found(root: Path, office: PostOffice, clock: FastClock, ruleset: CastRuleset, game: GameName, seed: str) -> Daemon:
    settings = Settings(
        arena=ArenaSettings(address=ARENA, name=f"{ruleset.title} Arena"),
        mailbox=MaildirSettings(path=str(office.maildir(ARENA).relative_to(root))),
        outbox=OutboxSettings(port=office.port),
    )
    founding.found_arena(root, settings)
    arena = opening.arena(root)
    *players, moderator = ruleset.cast
    founding.found_game(
        arena,
        game,
        ruleset.name,
        moderator=f"{moderator.lower()}@{HOST}",
        invited=[f"{name.lower()}@{HOST}" for name in players],
        seats=len(players),
        now=clock.now(),
        seed=hashlib.sha256(seed.encode()).digest(),
        review=ruleset.cast_reviewed,
        zone="Europe/London",
        calendar={"rules": {"default": "48h after opening", "round": "every day 20:00, at least 20h"}},
    )
    return Daemon(arena, opening.doors(arena, clock), SILENT)


def _cast(ruleset: CastRuleset, office: PostOffice, seed: str, seat: Seat | None) -> list[Person]:
    dice = Dice(hashlib.sha256(f"cast {seed}".encode()).digest())
    people = [Person(name, wits, office, dice) for name, wits in ruleset.cast.items()]
    if seat:
        me, answer = people[0], seat.answer
        me.wits = lambda letter, said, dice: answer(letter) if answer else ""
    return people


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
        for person, letter in sorted(((person, read(mail.raw)) for person, mail in letters), key=_place):
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
    return letter.message_id.split(".")[2].partition("@")[0]


def _place(letter: tuple[Person, Letter]) -> int:
    """Order letters by the entry of the journal that called for them; those of the desk come first."""
    number = letter[1].message_id.split(".")[1]
    return int(number) if number.isdecimal() else 0


def _until_over(
    daemon: Daemon, clock: FastClock, people: Sequence[Person], story: Story, look: Callable[[], bool]
) -> bool:
    """
    Let mail and time pass: the daemon sweeps after every mail, people answer in turn, and then the clock jumps.

    Returns whether the game came to its end; it does not where it waits for somebody who does not answer.
    """
    unread: list[Delivered] = []
    jumps = stalls = 0
    while jumps < MOST_JUMPS:
        swept = daemon.wake()
        assert not swept.troubles, swept.troubles
        fresh = [(person, mail) for person in people for mail in person.read_mail()]
        story.delivered(clock.now(), fresh)
        unread = sorted(unread + fresh, key=lambda delivered: not story.is_you(delivered[0]))
        if _somebody_writes(unread, clock, story):
            stalls = 0
        elif all(row.status == "over" for row in daemon.arena.index.games()):
            return True
        elif look():
            continue
        elif wake := daemon.next_wake():
            clock.advance_to(wake)
            jumps += 1
        elif stalls == PATIENCE or people[0].asked is None:
            return False
        else:
            story.say("\nThe game waits for you.")
            unread.append((people[0], people[0].asked))
            stalls += 1
    raise AssertionError("the demonstration does not end")


def _somebody_writes(unread: list[Delivered], clock: FastClock, story: Story) -> bool:
    """Let people read their letters, the oldest first, until one of them answers; say whether one did."""
    while unread:
        person, mail = unread.pop(0)
        story.reads(clock.now(), person, mail)
        text = person.think(mail)
        if text:
            clock.advance(WRITING)
            person.send(mail, text, clock.now())
            story.wrote(clock.now(), person, text)
            return True
    return False


def _end(root: Path, game: GameName, story: Story) -> bool:
    """Replay the archive, as `pbem replay` does, and say what to look at next."""
    story.say(f"\nThe game is over. Its archive, {root / 'games' / game}, is replayed from its charter:\n")
    phases = list(proofs.replay(root / "games" / game, rulesets_known(), opening.words()))
    for phase in phases:
        story.say(f"  {phase.folder}  {phase.title:<16} {counted(phase.entries, 'entry', 'entries'):>11}")
    different = next((phase.difference for phase in phases if phase.difference), "")
    if different:
        story.say(different)
        return False
    story.say(f"\n{identical(sum(phase.entries for phase in phases), len(phases))}\n\nTo look around:\n")
    program = _as_called(sys.argv[0])
    for command in ("games", f"show {game}", f"report {game}", f"replay {game}"):
        story.say(f"  {program} --arena {shlex.quote(str(root))} {command}")
    return True


def _as_called(program: str) -> str:
    """Return what to type for pbem: its name where the PATH has it, else the path by which it was called."""
    is_known = Path(program).name != "pbem" or shutil.which("pbem") == str(Path(program).absolute())
    return "pbem" if is_known else shlex.quote(program)


def at_terminal(tell: Tell, edit: Callable[[str], str | None], prompt: Prompt, how: How) -> Seat:
    """
    Give the terminal a seat.

    Shape: "editor" opens an editor with each letter that asks for something quoted in it; "lines" asks after
    every letter for one line after the other; "mail" leaves reading and writing to a mail client of yours.
    """
    told: list[str] = []

    def answer(letter: str) -> str:
        if how == "lines":
            if not told:
                told.append(HOW_LINES)
                tell(HOW_LINES)
            return _lines(prompt)
        if not _ASKS.search(letter):
            return ""
        quoted = "\n".join(f"> {row}".rstrip() for row in letter.split("\n"))
        text = edit(f"\n\n{quoted}\n") or ""
        return "" if text.strip() == quoted.strip() else text

    def pause(maildir: Path, port: int) -> bool:
        tell(f"\nYour letters: {maildir}. Send yours through 127.0.0.1, port {port}, without login or TLS.")
        return prompt("Enter: look for your mail; go: let time pass", default="", show_default=False) != "go"

    return Seat(None if how == "mail" else answer, pause if how == "mail" else None)


HOW_LINES = """\
Type your answer line by line; a line with a single "." ends it and sends it.
An empty line right away is no answer, and blank lines inside are kept."""


def _lines(prompt: Prompt) -> str:
    rows: list[str] = []
    while True:
        row = prompt(">", default="", show_default=False, prompt_suffix=" ")
        if row == "." or not (row or rows):
            return "\n".join(rows)
        rows.append(row)
