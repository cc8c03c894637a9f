"""The demonstration: a whole game over a real mail server on loopback, with the ordinary daemon on a fast clock."""

import hashlib
import shlex
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pbem.daemon import Daemon
from pbem.demo.minds import Mind
from pbem.demo.people import ARENA, Person, address_of
from pbem.demo.story import Story, Tell
from pbem.demo.terminal import Seat, at_terminal
from pbem.demo.turns import until_over
from pbem.ground.chance import Dice
from pbem.ground.terms import CharterError, GameName
from pbem.hall.commands import founding, opening, presets, replay_check
from pbem.hall.commands.status import counted, identical
from pbem.hall.keeping import new_arena
from pbem.hall.store.arena import Arena
from pbem.hall.store.catalogue import rulesets_known
from pbem.language.phrases import listed
from pbem.ruleset import CastRuleset, LibraryRuleset
from pbem.world.clock import FastClock
from pbem.world.log import SILENT
from pbem.world.mailbox import Mailbox, MaildirMailbox
from pbem.world.outbox import Outbox, SmtpOutbox
from pbem.world.post_office import PostOffice
from pbem.world.settings import ArenaSettings, MaildirSettings, OutboxSettings, Settings

__all__ = ["Seat", "at_terminal", "cast_of", "found", "play", "with_cast"]

MARK = "made-by-pbem-demo"
MONDAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


def play(
    root: Path,
    seed: str,
    tell: Tell,
    *,
    letters: str = "some",
    seat: Seat | None = None,
    at_end: Callable[[], None] = lambda: None,
    name: str = "",
) -> bool:
    """
    Play a game from invitation to final report, and replay its archive.

    Shape: `root` is the arena that is left behind; `seat` is whoever sits at the terminal, in the first seat;
    `at_end` is called when the story is told, before what came of it; `name` is the ruleset's, or "".
    Returns whether the game ended and its replay was identical.
    Errors: CharterError where `root` is there and was not made by a demonstration, and for a ruleset without a cast.
    """
    ruleset = with_cast(name)
    _clear(root)
    clock = FastClock(MONDAY)
    addresses = [ARENA, *map(address_of, ruleset.cast.everybody())]
    with PostOffice(root / "mail", addresses, clock) as office:
        game = GameName(f"{ruleset.name}-1")
        settings = Settings(
            arena=ArenaSettings(address=ARENA, name=f"{ruleset.title} Arena"),
            mailbox=MaildirSettings(path=str(office.maildir(ARENA).relative_to(root))),
            outbox=OutboxSettings(port=office.port),
        )
        arena = found_game(root, settings, ruleset, game, seed, clock.now())
        daemon = Daemon(arena, opening.doors(arena, clock), SILENT, lambda: clock.now().timestamp())
        smtp = OutboxSettings(port=office.port)
        people = cast_of(ruleset, seed, lambda address: (MaildirMailbox(office.maildir(address)), SmtpOutbox(smtp)))
        if seat:
            people[0].answer = seat.answer or (lambda letter: "")
        story = Story(tell, letters, people[0].name if seat else "")
        story.say(f"A post office is open on 127.0.0.1, port {office.port}. Every letter goes through it.")
        story.say("Times are in UTC.")
        pause = seat.pause if seat else None
        look = (lambda: pause(office.maildir(people[0].address), office.port)) if pause else (lambda: False)
        is_over = until_over(daemon, clock, people, story, look)
        daemon.doors.outbox.close()
        for person in people:
            person.close()
    at_end()
    chosen = f" --game {name}" if name else ""
    if not is_over:
        story.say(
            f"\nThe game waits for a seat that nobody takes, so we stop here. To begin again: pbem demo{chosen} --play"
        )
    return is_over and _end(root, game, story, chosen)


def with_cast(name: str = "") -> CastRuleset:
    """
    Return the ruleset of a name that brings players who are programs; without one the first that has a library.

    Errors: CharterError for none.
    """
    found = {known.name: known for known in rulesets_known().values() if isinstance(known, CastRuleset)}
    if not found:
        raise CharterError("No ruleset here brings players who are programs, so there is nothing to show.")
    if name and name not in found:
        raise CharterError(f"No ruleset {name} brings players who are programs. These do: {listed([*found], 'and')}.")
    return found[name] if name else max(found.values(), key=lambda one: isinstance(one, LibraryRuleset))


def _clear(root: Path) -> None:
    if root.exists():
        if not (root / MARK).exists():
            raise CharterError(f"{root} is there and is not a demonstration's. Choose another: pbem --arena DIR demo")
        shutil.rmtree(root)
    root.mkdir(parents=True, mode=0o700)
    (root / MARK).write_text("The next pbem demo clears this folder away.\n")


def found_game(
    root: Path,
    settings: Settings,
    ruleset: CastRuleset,
    game: GameName,
    seed: str,
    now: datetime,
    mailing_list: str = "",
) -> Arena:
    """Make an arena, and found a game in it to which the cast is invited."""
    new_arena.found_arena(root, settings, {})
    arena = opening.arena(root)
    cast = ruleset.cast
    *players, moderator = cast.people
    founding.found_game(
        arena,
        game,
        ruleset.name,
        moderator=address_of(moderator),
        invited=[address_of(name) for name in players],
        seats=len(players),
        now=now,
        seed=hashlib.sha256(seed.encode()).digest(),
        house=dict(cast.house),
        review=cast.reviewed,
        zone="Europe/London",
        mailing_list=mailing_list,
        calendar={"rules": dict(cast.rules), "second_thought": presets.USUAL},
    )
    return arena


def cast_of(ruleset: CastRuleset, seed: str, account: Callable[[str], tuple[Mailbox, Outbox]]) -> list[Person]:
    """Return the cast of a ruleset, each with the account of their address."""
    dice = Dice(hashlib.sha256(f"cast {seed}".encode()).digest())
    return [
        Person(name, Mind(name, ruleset.cast, dice).answer, *account(address_of(name)))
        for name in ruleset.cast.everybody()
    ]


def _end(root: Path, game: GameName, story: Story, chosen: str) -> bool:
    """Replay the archive, as `pbem replay` does, and say what to look at next."""
    story.say(f"\nThe game is over. Its archive, {root / 'games' / game}, is replayed from its charter:\n")
    phases = list(replay_check.replay(root / "games" / game, rulesets_known(), opening.words()))
    for phase in phases:
        story.say(f"  {phase.folder}  {phase.title:<21} {counted(phase.entries, 'entry', 'entries'):>11}")
    different = next((phase.difference for phase in phases if phase.difference), "")
    if different:
        story.say(different)
        return False
    story.say(f"\n{identical(sum(phase.entries for phase in phases), len(phases))}\n")
    story.say(_to_try(_as_called(sys.argv[0]), root, game, chosen))
    return True


def _to_try(program: str, root: Path, game: GameName, chosen: str) -> str:
    """Name three things to do next, with what to type for each."""
    return (
        "Three things to try:\n\n"
        f"  1. Take a seat yourself:\n       {program} demo{chosen} --play\n"
        "  2. Look at the game that is left behind; show and replay do so too:\n"
        f"       {program} --arena {shlex.quote(str(root))} report {game}\n"
        f"  3. Run an arena of your own, with a mail account of yours:\n       {program} init\n"
    )


def _as_called(program: str) -> str:
    """Return what to type for pbem: its name where the PATH has it, else the path by which it was called."""
    is_known = Path(program).name != "pbem" or shutil.which("pbem") == str(Path(program).absolute())
    return "pbem" if is_known else shlex.quote(program)
