"""Says in chats what waits to be said; a hook that is away, or refuses, stops nothing else."""

from collections.abc import Callable
from datetime import datetime, timedelta

from pbem.ground.terms import CharterError, HookError
from pbem.hall.store.arena import Arena
from pbem.letters import addressing
from pbem.world.index.chat import ChatMessage
from pbem.world.settings import ChatSettings
from pbem.world.webhook import Message, Webhook

MOST = 10
"""How many messages are said between two sweeps at most, since each may take seconds."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)

Say = Callable[[ChatSettings, Message], None]


def say(arena: Arena, now: datetime, through: Say | None = None) -> list[str]:
    """
    Say what waits; return troubles.

    A hook that cannot be reached is tried again, ever more rarely, until what there is to say is no news any more; of
    a hook that failed nothing else is tried in the same visit.
    """
    hooks = {wanted.name: wanted for wanted in arena.settings.chat}
    through = through or (lambda wanted, message: Webhook(wanted, arena.root).say(message))
    troubles: list[str] = []
    failed: set[str] = set()
    for waiting in arena.index.chat.to_say(now, MOST):
        wanted = hooks.get(waiting.hook)
        if wanted is None:  # it was taken out of the settings
            arena.index.chat.note_said(waiting)
        elif waiting.hook in failed:
            arena.index.chat.put_off(waiting, now + FIRST_PAUSE)
        else:
            try:
                through(wanted, _message(arena, waiting))
            except (HookError, CharterError) as error:
                failed.add(waiting.hook)
                troubles.append(f"chat {waiting.hook}: {error}")
                _put_off(arena, waiting, error, now)
            else:
                arena.index.chat.note_said(waiting)
    return troubles


def _message(arena: Arena, waiting: ChatMessage) -> Message:
    base = arena.settings.site.url
    said = f"{waiting.event} {waiting.until.isoformat()} {waiting.text}"
    return Message(
        key=addressing.name(arena.secret, waiting.game, "chat", said),
        game=waiting.game,
        event=waiting.event,
        text=waiting.text,
        url=f"{base}games/{waiting.game}/index.html" if base else "",
    )


def _put_off(arena: Arena, waiting: ChatMessage, error: HookError | CharterError, now: datetime) -> None:
    """Try again later; what a hook refuses for good is not said to it any more."""
    if isinstance(error, HookError) and error.is_final:
        arena.index.chat.note_said(waiting)
        return
    asked = timedelta(seconds=error.pause) if isinstance(error, HookError) else timedelta(0)
    pause = min(FIRST_PAUSE * 2**waiting.tries, LONGEST_PAUSE)
    arena.index.chat.put_off(waiting, now + max(asked, pause))
