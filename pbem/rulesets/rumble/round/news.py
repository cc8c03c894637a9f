"""Chooses what a report leads with: of all stories the best, and none about what another one tells already."""

from collections.abc import Iterable

from pbem.ruleset import EVERYONE, Event, Facts
from pbem.rulesets.rumble.round.record import Round
from pbem.rulesets.rumble.round.stories import Story, plain, quiet, seen, stories

MOST = 5
"""How many stories a report leads with at most, where there is room for so many sentences."""
ENOUGH = 4
"""How many it has before what is less than a wonder is told too."""
FEW = 3
"""How many it has, if there are so many, before a hero is told of twice, or how all of them stand is told."""


def lead(round_: Round) -> Event:
    """
    Return the news of a round.

    Shape: `stories` are the best first; `turn` picks the sentence of each kind of story, another one in each round
    until all have been told, and which comes first goes by the names.
    """
    chosen, over = _Chosen(), seen(round_)
    chosen.take(stories(over), MOST)
    if len(chosen.stories) < ENOUGH:
        chosen.take(quiet(over), ENOUGH)
    chosen.take_passed_over(FEW)
    if len(chosen.stories) < FEW:
        chosen.take(plain(over), FEW)
    first = sum(len(hero.name) for hero in round_.before.heroes if not hero.power)
    facts: Facts = {"turn": first + round_.before.round, "stories": [_facts(one) for one in chosen.stories]}
    return Event(kind="news", to=EVERYONE, facts=facts)


class _Chosen:
    """The stories that are told: each kind once, of each hero one, and no blow twice."""

    def __init__(self) -> None:
        self.stories: list[Story] = []
        self._kinds: set[str] = set()
        self._heroes: set[str] = {""}
        self._blows: set[tuple[str, str]] = set()
        self._passed: list[Story] = []

    def take(self, found: Iterable[Story], most: int) -> None:
        """Take stories until there are so many."""
        for story in found:
            if story.hero in self._heroes and story.hero:
                self._passed.append(story)
            else:
                self._tell(story)
            if len(self.stories) >= most:
                return

    def take_passed_over(self, most: int) -> None:
        """Take more about heroes who have been told of, where there is too little else."""
        for story in self._passed:
            if len(self.stories) < most:
                self._tell(story)

    def _tell(self, story: Story) -> None:
        if story.what in self._kinds or not self._blows.isdisjoint(story.blows):
            return
        self.stories.append(story)
        self._kinds.add(story.what)
        self._heroes.add(story.hero)
        self._blows.update(story.blows)


def _facts(story: Story) -> Facts:
    return {
        "what": story.what,
        "hero": story.hero,
        "by": list(story.by),
        "heroes": list(story.heroes),
        "amount": story.amount,
        "other": story.other,
        "more": story.more,
        "power": story.power,
    }
