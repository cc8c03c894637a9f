"""Words that are shouted for damage, each once in a game: whose turn it is, and what the moderator is asked of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Only, Seat
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.engine.active_abilities import ActiveAbility
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Number

Judge: TypeAlias = Callable[..., bool]
"""Records a yes or no under a key, with its words, and returns what is to be used."""


class Shout(msgspec.Struct, frozen=True):
    """A word shouted for one source of damage: with which power, on whom, what it adds, and whether it counts."""

    word: str
    with_it: ActiveAbility
    on: str
    amount: int
    counts: bool


class Shouts(msgspec.Struct, kw_only=True):
    """
    What is shouted in a round, in the order of its damage.

    Shape: `heard` are the words that were shouted, by whom in this round, "" in an earlier one; `made` are the
    shouts, `late` the words that somebody else had shouted before in this round.
    """

    names: Mapping[str, str]
    judge: Judge
    heard: Mapping[str, str]
    made: tuple[Shout, ...] = ()
    late: Mapping[tuple[str, str], ActiveAbility] = {}

    def on_hit(self, one: ActiveAbility, source: str, on: str) -> Shout | None:
        """
        Shout the next word that the owner of a power has for this damage, or nothing.

        Rule: C31: a word that somebody shouted before adds nothing, and the next one is taken.
        """
        owner = one.power.owner
        for order in one.captions:
            if (order.on or owner) != (on if order.on else source):
                continue
            for word in order.words:
                first = self.heard.get(word)
                if first is None:
                    return self._made(word, one, on)
                if first not in ("", owner):
                    self.late = {**self.late, (owner, word): self.late.get((owner, word), one)}
        return None

    def _made(self, word: str, one: ActiveAbility, on: str) -> Shout:
        self.heard = {**self.heard, word: one.power.owner}
        text = f"Caption {word} of {self.names[one.power.owner]} counts"
        counts = self.judge(f"caption {word}", text, True, one.ability.ask, "C31")
        effect = one.ability.does[0].effect
        assert isinstance(effect, lines.OnDamage) and isinstance(effect.amount, Number)
        shout = Shout(word, one, on, effect.amount.value, counts)
        self.made += (shout,)
        return shout

    def events(self) -> Iterator[Event]:
        """
        Tell all what was shouted, its owner which word came too late, and ask the moderator what only a person knows.

        Rule: C31.
        """
        for shout in self.made:
            power = shout.with_it.power
            facts = {"word": shout.word, "hero": self.names[power.owner], "power": power.name}
            heard = facts | {"on": self.names[shout.on], "amount": shout.amount if shout.counts else 0}
            yield Event(kind="shouted", to=EVERYONE, facts=heard, rule="C31")
            asked = facts | {"number": power.key, "question": shout.with_it.ability.ask}
            yield Event(kind="caption_asked", to=MODERATOR_ALONE, facts=asked, rule="C31")
        for (owner, word), one in self.late.items():
            first = self.names[self.heard[word]]
            because = f"{first} shouted {word} before you in this round, so it adds nothing."
            facts = {"hero": self.names[owner], "power": one.power.name, "because": because}
            yield Event(kind="not_done", to=Only((Seat(owner),)), facts=facts, rule="C31")


def before_shouts(state: State, judge: Judge) -> Shouts:
    """Return the shouts of a round before any is heard, and who judges new ones."""
    return Shouts(names=state.names, judge=judge, heard=dict.fromkeys(state.shouted, ""))
