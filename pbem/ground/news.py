"""Chooses what a report leads with: the best stories, of each person one, in words that were not used before."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pbem.ground.terms import Facts

MOST = 5
"""How many stories a report leads with at most."""
FEW = 3
"""How many it has, if it can, before somebody is told of twice, or how all of them stand is told."""


def story(what: str, who: str = "", by: Sequence[str] = (), amount: int = 0, other: int = 0) -> Facts:
    """
    Return a story.

    Shape: its kind, whom it is about, who did it; what `amount` and `other` count goes by its kind.
    """
    return {"what": what, "who": who, "by": list(dict.fromkeys(by)), "amount": amount, "other": other}


def choose(
    stories: Sequence[Facts], quiet: Iterable[Facts], sentences: Mapping[str, int], told: Mapping[str, int], first: int
) -> tuple[list[Facts], dict[str, int]]:
    """
    Return what a report leads with, and how many stories of each kind were told so far.

    Shape: `stories` are the best first; `quiet` is what there is to say where little happened, and is not
    gone through where enough did; not both are empty.
    `sentences` counts those that there are for each kind, `told` those that were told before. Each story that is chosen
    has `nth`, which picks its sentence; `first`, another number for each company, is where counting begins. No
    sentence comes again before all others of its kind were told, nor while another story has one that is new.
    """
    counts, chosen = Counter(told), list[Facts]()

    def tell(story: Facts) -> None:
        number = (first + counts[story["what"]]) % sentences[story["what"]]
        counts[story["what"]] += 1
        chosen.append({**story, "nth": number})

    best: dict[str, Facts] = {}
    for story in stories:
        best.setdefault(story["who"], story)
    for story in best.values():
        if len(chosen) < MOST and counts[story["what"]] < sentences[story["what"]]:
            tell(story)
    if len(chosen) >= FEW:
        return chosen, dict(counts)
    calm = tuple(quiet)
    for story in (*(one for one in stories if best[one["who"]] is not one), *calm):
        is_news = story["what"] not in [one["what"] for one in chosen]
        if len(chosen) < FEW and is_news and counts[story["what"]] < sentences[story["what"]]:
            tell(story)
    if not chosen:
        tell(min((*best.values(), *calm), key=lambda one: counts[one["what"]]))
    return chosen, dict(counts)
