"""What becomes of a ruling that is said for a power when that goes, changes hands, or is written anew."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import Fate, phrases
from pbem.rulesets.rumble.effects import application, do_lines
from pbem.rulesets.rumble.effects.power_rulings import ForPower, Said, write
from pbem.rulesets.rumble.genres import translation
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.language.runnable import runs


def fate(before: State, after: State, text: str) -> Fate | None:
    """
    Say what a change of the state means for an effect that is said for a power, or None where it is nothing.

    Rule: B16: it ends with the power, or with lines of the power's own, and goes along to whoever gets it.
    """
    effect = do_lines.read(before, text)
    if not isinstance(effect, ForPower):
        return None
    found = _fate(before, after, effect, do_lines.read(after, text))
    return found and msgspec.structs.replace(found, because=translation.in_genre(after, found.because))


def _fate(before: State, after: State, effect: ForPower, then: Said | ForPower | phrases.Unread) -> Fate | None:
    was, power = before.card(effect.power), after.card(effect.power)
    called, plain = f"{power.key} {power.name}".rstrip(), "" if do_lines.out(after, effect) else write(effect.does)
    if not power.in_play:
        return Fate(ends=True, because=f"{called} is out of play.", plain=plain)
    if runs(power.lines):
        instead = f"manual {power.key}"
        return Fate(ends=True, because=f"{called} runs by lines of its own from now on.", instead=instead)
    if not isinstance(then, ForPower):
        return Fate(ends=True, because=f"{called} can do no such thing for whoever has it now.", plain=plain)
    if gone := do_lines.out(after, then):
        return Fate(ends=True, because=f"{phrases.listed(gone, 'and')} is out of the game.", plain=plain)
    if power.owner != was.owner:
        because = f"{called} belongs to {after.names[power.owner]} now."
        whose = before.names[was.owner] if plain and write(effect.does) != write(then.does) else ""
        return Fate(ends=False, because=because, plain=plain, whose=whose)
    if power.text != was.text:
        return Fate(ends=False, because=f"{called} has other words now.", plain=plain)
    return None


def foreseen(state: State, said: Sequence[str]) -> State:
    """Return the state as effects that are about powers themselves will leave it; whoever reads them nothing else."""
    return application.rework(state, application.gather(state, said)[0])[0]
