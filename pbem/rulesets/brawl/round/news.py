"""The stories that a report leads with, the best first; they add no fact to the report."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.ruleset import EVERYONE, Event, Facts, Result, news
from pbem.rulesets.brawl.state import State

SENTENCES = {
    "began": 4, "swung": 4, "double": 4, "cold": 6, "fell": 10, "left": 4, "stood": 8, "thrown": 4, "comeback": 5,
    "stolen": 4, "chair": 8, "bottle": 6, "floor": 4, "ganged": 4, "charged": 5, "bound": 5, "triple": 5,
    "no counter": 5, "no drink": 4, "no pickup": 4, "no move": 4, "drink": 6, "dizzy": 5, "hurt": 14, "blocked": 8,
    "quiet": 8, "won": 6, "drawn": 4, "police": 4, "close": 6, "blood": 4, "whiff": 6, "unhurt": 6, "dealt": 5,
    "side": 4, "tally": 12, "all landed": 8, "fresher": 12, "worn": 8, "winded": 6, "guard": 8, "too": 10, "up": 5,
    "has chair": 4, "has bottle": 4, "whole": 5,
}  # fmt: skip
"""The kinds of stories, each with how many sentences `news.j2` has for it."""


CLOSE = 3
"""With so little Health left somebody has had a narrow escape."""


def lead(
    state: State, after: State, events: Sequence[Event], result: Result | None = None
) -> tuple[Event, dict[str, int]]:
    """
    Return the news of a round, and how many stories of each kind were told so far.

    Rule: K5, for who began it.
    """
    by_kind: dict[str, list[Facts]] = {}
    for event in events:
        by_kind.setdefault(event.kind, []).append(event.facts)
    found = list(_stories(state, after, by_kind, result)) or [news.story("quiet")]
    fell = {one["who"] for one in found if one["what"] in ("fell", "cold", "double")}
    found = [one for one in found if not (one["what"] in ("hurt", "blood") and one["who"] in fell)]
    first = sum(map(len, state.names.values()))
    chosen, told = news.choose(found, _quiet(state, after, by_kind), SENTENCES, state.stories, first)
    return Event(kind="news", to=EVERYONE, facts={"round": state.round, "stories": chosen}, rule="K23"), told


def _stories(state: State, after: State, events: Mapping[str, list[Facts]], result: Result | None) -> Iterator[Facts]:
    """Yield all stories of a round, the best first."""
    rows = [row for dropped in events.get("dropped", []) for row in dropped["rows"]]
    blows = [row for struck in events.get("blows", []) for row in struck["rows"]]
    if state.round == 1:
        firsts = events.get("declared", [])[:1]
        yield from (news.story("swung" if one["attacks"] else "began", one["who"]) for one in firsts)
    yield from _end(after, events, result)
    yield from _falls(events)
    yield from (news.story("left", one["who"]) for one in events.get("left", []))
    yield from _escapes(events)
    yield from _returns(rows, blows)
    yield from _thefts(rows)
    for hurt in events.get("hurt", []):
        if hurt["item"]:
            yield news.story("chair" if hurt["item"] == "big" else "bottle", hurt["on"], [hurt["who"]])
    yield from _feats(state, rows, blows)
    yield from _narrow(state, after, events)
    yield from _drops(rows)
    yield from _blows(events, blows)
    yield from _in_vain(blows)
    if not (result or blows or events.get("hurt")):
        yield news.story("quiet")


def _falls(events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who went down; two who knocked each other out are one story."""
    falls = {fall["who"]: fall for fall in events.get("knocked_out", [])}
    by = {who: [hurt["who"] for hurt in events.get("hurt", []) if hurt["on"] == who] for who in falls}
    told: set[str] = set()
    for who, fall in falls.items():
        if who in told:
            continue
        other = next((one for one in by[who] if one in falls and who in by[one]), "")
        told.add(other)
        alone = news.story("cold" if fall["cold"] else "fell", who, by[who])
        yield news.story("double", who, [other]) if other else alone


def _end(state: State, events: Mapping[str, list[Facts]], result: Result | None) -> Iterator[Facts]:
    """Yield that the police came, and who has won, or that nobody has."""
    if any(one["came"] for one in events.get("police", [])):
        yield news.story("police", "the police")
    if result and len(result.winners) == 1:
        yield news.story("won", state.names[result.winners[0]], amount=state.round)
    elif result:
        winners = [state.names[seat] for seat in result.winners]
        yield news.story("side" if winners else "drawn", "", winners)


def _narrow(state: State, after: State, events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield the first blood of the fight, and who was hurt, is up, and has hardly any Health left."""
    hurts = events.get("hurt", [])
    unhurt = not any(one.knocked for one in state.fighters) and all(
        (one.endurance, one.health) == (one.full_endurance, one.full_health) for one in state.fighters
    )
    victims = dict.fromkeys(hurt["on"] for hurt in hurts)
    if unhurt and len(victims) == 1:
        (who,) = victims
        yield news.story("blood", who, [hurt["who"] for hurt in hurts])
    left = {hurt["on"]: hurt["health"][1] for hurt in hurts}  # a ruling may have changed it since, and is no escape
    for one in after.fighters:
        is_left = one.is_up and left.get(one.name) == one.health
        if is_left and 0 < one.health <= CLOSE < state.fighter(one.seat).health:
            yield news.story("close", one.name, amount=one.health)


def _in_vain(blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield who struck more than once and hit nobody, and at whom more than one struck and none hit."""
    struck = [row for row in blows if not row["because"]]
    for key, other, what in (("who", "on", "whiff"), ("on", "who", "unhurt")):
        for name in dict.fromkeys(row[key] for row in struck):
            mine = [row for row in struck if row[key] == name]
            others = {row[other] for row in mine}
            if len(mine) > 1 and not any(row["hit"] for row in mine) and (what == "whiff" or len(others) > 1):
                yield news.story(what, name, sorted(others), amount=len(mine))


def _escapes(events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who stayed up, against the odds, and did not fall after all."""
    fallen = {fall["seat"] for fall in events.get("knocked_out", [])}
    for save in events.get("saved", []):
        if save["stays"] and save["seat"] not in fallen:
            yield news.story("stood", save["who"], amount=save["chance"])


def _returns(rows: Sequence[Facts], blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield who was thrown back into the fight by somebody else, and who came back and hit."""
    hitters = {row["who"] for row in blows if row["hit"]}
    for row in rows:
        if row["works"] and row["action"] == "move" and not row["on"] and not row["what"]:
            if row["from"]:
                yield news.story("thrown", row["who"], [row["from"]])
            elif row["who"] in hitters:
                yield news.story("comeback", row["who"])


def _thefts(rows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield whose drink another one drank."""
    drinkers = {row["who"] for row in rows if row["action"] == "drink" and row["works"]}
    for row in rows:
        thieves = [name for name in row["by"] if name in drinkers]
        if row["action"] == "drink" and not row["works"] and thieves:
            yield news.story("stolen", row["who"], thieves)


def _feats(state: State, rows: Sequence[Facts], blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield what was done from the floor, by many, in a charge, in a bind, or with three dice alike."""
    hits = [row for row in blows if row["hit"]]
    down = {one.name for one in state.fighters if one.down}
    for name in dict.fromkeys([*(row["who"] for row in hits), *(row["who"] for row in rows if row["works"])]):
        if name in down:
            yield news.story("floor", name)
    for name in dict.fromkeys(row["on"] for row in hits):
        by = list(dict.fromkeys(row["who"] for row in hits if row["on"] == name))
        if len(by) > 2:
            yield news.story("ganged", name, by, amount=len(by))
    charges = {(row["who"], row["attack"]) for row in rows if row["works"] and row["action"] == "charge"}
    for row in hits:
        if (row["who"], row["nth"]) in charges:
            yield news.story("charged", row["on"], [row["who"]])
        if any(value == 3 * int(shown[-1]) for shown, value in row["dice"]):
            yield news.story("triple", row["on"], [row["who"]])
    for row in blows:
        if row["bound"] and not row["because"]:
            yield news.story("bound", row["who"], [row["on"]])


def _drops(rows: Sequence[Facts]) -> Iterator[Facts]:
    for row in rows:
        if not row["works"] and row["by"] and row["action"] in ("counter", "drink", "pickup", "move"):
            yield news.story(f"no {row['action']}", row["who"], row["by"])
        elif row["works"] and row["action"] == "drink":
            yield news.story("dizzy" if row["dizzy"] else "drink", row["who"], amount=row["gained"])


def _blows(events: Mapping[str, list[Facts]], blows: Sequence[Facts]) -> Iterator[Facts]:
    """Yield who was hurt, most of all first, or that all blows were stopped."""
    sums = _lost(events)
    by: dict[str, list[str]] = {}
    for hurt in events.get("hurt", []):
        by.setdefault(hurt["on"], []).append(hurt["who"])
    if sums:
        yield from (news.story("hurt", name, by[name], amount=lost) for name, lost in sums.most_common(1))
        dealt: dict[str, list[str]] = {}
        for hurt in events.get("hurt", []):
            dealt.setdefault(hurt["who"], []).append(hurt["on"])
        for name, victims in dealt.items():
            if len(set(victims)) > 1:
                yield news.story("dealt", name, victims)
    elif any(not row["because"] for row in blows):
        yield news.story("blocked", "")


def _quiet(state: State, after: State, events: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield what there is to say where little happened: smaller blows, and how all of them stand."""
    struck = [row for blows in events.get("blows", []) for row in blows["rows"] if not row["because"]]
    for name in dict.fromkeys(row["on"] for row in struck):
        by = {row["who"] for row in struck if row["on"] == name}
        if len(by) == 1 and not any(row["hit"] for row in struck if row["on"] == name):
            yield news.story("guard", name, sorted(by))
    lost = _lost(events)
    for name, points in lost.items():
        if points < max(lost.values()):
            yield news.story("too", name, [hurt["who"] for hurt in events["hurt"] if hurt["on"] == name])
    yield from _breath(state, after, lost)
    landed = sum(row["hit"] for row in struck)
    if len(struck) > 1 and landed:
        yield news.story("tally" if landed < len(struck) else "all landed", "", amount=len(struck), other=landed)
    up = sorted((one for one in after.fighters if one.is_up), key=lambda one: one.health)
    if len(up) > 1 and up[-1].health > up[-2].health:
        yield news.story("fresher", up[-1].name, amount=up[-1].health)
    if len(up) > 2 and 0 < up[0].health < min(up[1].health, up[0].full_health):
        yield news.story("worn", up[0].name, amount=up[0].health)
    if len(up) > 1 and any(one.down and not one.gone for one in after.fighters):
        yield news.story("up", "", [one.name for one in after.fighters if one.is_up])


def _breath(state: State, after: State, lost: Mapping[str, int]) -> Iterator[Facts]:
    """Yield who has just run out of Endurance, who has what in hand, and who lacks nothing and lost nothing."""
    up = [one for one in after.fighters if one.is_up]
    for one in up:
        if one.endurance <= 0 < state.fighter(one.seat).endurance:
            yield news.story("winded", one.name)
    for one in up:
        if one.item:
            yield news.story("has chair" if one.item == "big" else "has bottle", one.name)
    for one in up:
        is_whole = not one.knocked and (one.endurance, one.health) == (one.full_endurance, one.full_health)
        if is_whole and not lost.get(one.name) and state.round > 2:
            yield news.story("whole", one.name)


def _lost(events: Mapping[str, list[Facts]]) -> Counter[str]:
    """Return what hits took of Endurance and Health, by name."""
    sums: Counter[str] = Counter()
    for hurt in events.get("hurt", []):
        sums[hurt["on"]] += sum(step["endurance"] + step["health"] for step in hurt["steps"])
    return sums
