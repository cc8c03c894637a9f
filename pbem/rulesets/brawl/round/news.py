"""The stories that a report leads with, the best first; they add no fact to the report."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.ruleset import EVERYONE, Event, Facts
from pbem.rulesets.brawl.state import State

MOST = 3
"""How many stories a report leads with."""

SENTENCES = {
    "began": 4, "swung": 4, "double": 4, "cold": 6, "fell": 10, "left": 4, "stood": 8, "thrown": 4, "comeback": 5,
    "stolen": 4, "chair": 8, "bottle": 6, "floor": 4, "ganged": 4, "charged": 5, "bound": 5, "triple": 5,
    "no counter": 5, "no drink": 4, "no pickup": 4, "no move": 4, "drink": 6, "dizzy": 5, "hurt": 14, "blocked": 8,
    "quiet": 8,
}  # fmt: skip
"""The kinds of stories, each with how many sentences `news.j2` has for it."""


def lead(state: State, events: Sequence[Event]) -> tuple[Event, dict[str, int]]:
    """
    Return the news of a round, and how many stories of each kind were told so far.

    Shape: each story has its kind, who it is about, who did it, and `nth`, which picks the sentence: none comes again
    before all others of its kind have been told, nor while another story of the round has one that is new.
    Rule: K5, for who began it.
    """
    by_kind: dict[str, list[Facts]] = {}
    for event in events:
        by_kind.setdefault(event.kind, []).append(event.facts)
    best: dict[str, Facts] = {}
    for story in _stories(state, by_kind):
        best.setdefault(story["who"], story)  # of each only the best
    counts = Counter(state.stories)
    chosen: list[Facts] = []
    found = list(best.values()) or [_story("quiet", "")]
    for story in found:
        if len(chosen) < MOST and counts[story["what"]] < SENTENCES[story["what"]]:
            chosen.append(_numbered(state, story, counts))
    if not chosen:
        chosen.append(_numbered(state, min(found, key=lambda one: counts[one["what"]]), counts))
    return Event(kind="news", to=EVERYONE, facts={"round": state.round, "stories": chosen}, rule="K23"), dict(counts)


def _numbered(state: State, story: Facts, counts: Counter[str]) -> Facts:
    """Return a story with the number of its sentence, and count it; the first number depends on the names."""
    first = sum(map(len, state.names.values()))
    number = (first + counts[story["what"]]) % SENTENCES[story["what"]]
    counts[story["what"]] += 1
    return {**story, "nth": number}


def _story(what: str, who: str, by: Sequence[str] = (), amount: int = 0) -> Facts:
    return {"what": what, "who": who, "by": list(dict.fromkeys(by)), "amount": amount}


def _stories(state: State, events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield all stories of a round, the best first."""
    rows = [row for dropped in events.get("dropped", []) for row in dropped["rows"]]
    blows = [row for struck in events.get("blows", []) for row in struck["rows"]]
    if state.round == 1:
        firsts = events.get("declared", [])[:1]
        yield from (_story("swung" if one["attacks"] else "began", one["who"]) for one in firsts)
    yield from _falls(events)
    yield from (_story("left", one["who"]) for one in events.get("left", []))
    yield from _escapes(events)
    yield from _returns(rows, blows)
    yield from _thefts(rows)
    for hurt in events.get("hurt", []):
        if hurt["item"]:
            yield _story("chair" if hurt["item"] == "big" else "bottle", hurt["on"], [hurt["who"]])
    yield from _feats(state, rows, blows)
    yield from _drops(rows)
    yield from _blows(events, blows)


def _falls(events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who went down; two who knocked each other out are one story."""
    falls = {fall["who"]: fall for fall in events.get("knocked_out", [])}
    by = {who: [hurt["who"] for hurt in events.get("hurt", []) if hurt["on"] == who] for who in falls}
    for who, fall in falls.items():
        other = next((one for one in by[who] if one in falls and who in by[one]), "")
        yield _story("double", who, [other]) if other else _story("cold" if fall["cold"] else "fell", who, by[who])


def _escapes(events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who stayed up, against the odds, and did not fall after all."""
    fallen = {fall["seat"] for fall in events.get("knocked_out", [])}
    for save in events.get("saved", []):
        if save["stays"] and save["seat"] not in fallen:
            yield _story("stood", save["who"], amount=save["chance"])


def _returns(rows: Sequence[Facts], blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield who was thrown back into the fight by somebody else, and who came back and hit."""
    hitters = {row["who"] for row in blows if row["hit"]}
    for row in rows:
        if row["works"] and row["action"] == "move" and not row["on"] and not row["what"]:
            if row["from"]:
                yield _story("thrown", row["who"], [row["from"]])
            elif row["who"] in hitters:
                yield _story("comeback", row["who"])


def _thefts(rows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield whose drink another one drank."""
    drinkers = {row["who"] for row in rows if row["action"] == "drink" and row["works"]}
    for row in rows:
        thieves = [name for name in row["by"] if name in drinkers]
        if row["action"] == "drink" and not row["works"] and thieves:
            yield _story("stolen", row["who"], thieves)


def _feats(state: State, rows: Sequence[Facts], blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield what was done from the floor, by many, in a charge, in a bind, or with three dice alike."""
    hits = [row for row in blows if row["hit"]]
    down = {one.name for one in state.fighters if one.down}
    for name in dict.fromkeys([*(row["who"] for row in hits), *(row["who"] for row in rows if row["works"])]):
        if name in down:
            yield _story("floor", name)
    for name in dict.fromkeys(row["on"] for row in hits):
        by = list(dict.fromkeys(row["who"] for row in hits if row["on"] == name))
        if len(by) > 2:
            yield _story("ganged", name, by, amount=len(by))
    charges = {(row["who"], row["attack"]) for row in rows if row["works"] and row["action"] == "charge"}
    for row in hits:
        if (row["who"], row["nth"]) in charges:
            yield _story("charged", row["on"], [row["who"]])
        if any(value == 3 * int(re.sub(r"\D", "", shown)) for shown, value in row["dice"]):
            yield _story("triple", row["on"], [row["who"]])
    for row in blows:
        if row["bound"] and not row["because"]:
            yield _story("bound", row["who"], [row["on"]])


def _drops(rows: Sequence[Facts]) -> Iterator[Facts]:
    for row in rows:
        if not row["works"] and row["by"] and row["action"] in ("counter", "drink", "pickup", "move"):
            yield _story(f"no {row['action']}", row["who"], row["by"])
        elif row["works"] and row["action"] == "drink":
            yield _story("dizzy" if row["dizzy"] else "drink", row["who"], amount=row["gained"])


def _blows(events: Mapping[str, list[Facts]], blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield who was hurt, most of all first, or that all blows were stopped."""
    sums: Counter[str] = Counter()
    by: dict[str, list[str]] = {}
    for hurt in events.get("hurt", []):
        sums[hurt["on"]] += sum(step["endurance"] + step["health"] for step in hurt["steps"])
        by.setdefault(hurt["on"], []).append(hurt["who"])
    if sums:
        yield from (_story("hurt", name, by[name], amount=lost) for name, lost in sums.most_common(1))
    elif any(not row["because"] for row in blows):
        yield _story("blocked", "")
