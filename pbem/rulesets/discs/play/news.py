"""The stories that a report leads with: who fell and how, and else what the cards came to; they add no fact to it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from pbem.ruleset import EVERYONE, Event, Facts, Seat, news
from pbem.rulesets.discs.grid.plane import INCH, distance
from pbem.rulesets.discs.model.state import State

SENTENCES = {
    "attack": 6, "ghost": 6, "own side": 5, "prone": 6, "bank": 6, "struck": 8, "laid": 6, "walked into": 5,
    "alone": 6, "together": 5, "took": 5, "nobody": 5, "two": 6, "hand": 5, "hand flat": 5, "caught": 8, "dived": 6,
    "outlived": 6, "banked": 8, "blocked": 8, "dodged": 8, "sank": 8, "own by": 6, "busy": 6, "floor": 8, "flew": 8,
    "feet": 6, "still": 6, "rose": 6, "threw": 8, "recalled": 6, "most held": 8, "walked": 8, "walls": 6, "turn": 6,
    "poor": 6, "rich": 6, "armed": 6, "air": 8, "near": 8, "cards": 8, "all here": 6, "gone": 6,
}  # fmt: skip
"""The kinds of stories, each with how many sentences `news.j2` has for it."""

BUSY = 3
"""So many Blocks, Dodges and falls in one phase are a story of their own."""
_FLOOR = ("prone", "dive")


def lead(before: State, after: State, events: Sequence[Event]) -> Event:
    """
    Return the news of a phase.

    Shape: nothing is kept of what was told; each phase begins at other sentences, as it does in each company.
    """
    first = sum(map(len, before.names.values())) + news.MOST * (2 * before.turn + before.part)
    stories, quiet = list(_stories(before, after, events)), list(_quiet(before, after, events))
    chosen, _ = news.choose(stories, quiet, SENTENCES, {}, first)
    return Event(kind="news", to=EVERYONE, facts={"stories": chosen}, rule="D1")


def _told(events: Sequence[Event]) -> Mapping[str, list[Facts]]:
    """Return the facts of what all are told, by kind."""
    found: dict[str, list[Facts]] = {}
    for event in events:
        if event.to == EVERYONE:
            found.setdefault(event.kind, []).append(event.facts)
    return found


def _stories(before: State, after: State, events: Sequence[Event]) -> Iterator[Facts]:
    """Yield all stories of a phase, the best first."""
    told = _told(events)
    falls = [_fall(before, events, place) for place, event in enumerate(events) if event.kind == "derezzed"]
    yield from falls
    if falls:
        yield from _left(after)
    stand = {program.name for program in after.standing()}
    for met in told.get("attacked", []):
        if met["who"] in stand:
            yield news.story("hand" if met["does"] == "dodge" else "hand flat", met["who"], [met["by"]])
    crossed = [met for met in told.get("crossed", []) if met["who"] in stand]
    own = {"catch": "caught", "dive": "dived"}
    yield from (news.story(own[met["does"]], met["who"]) for met in crossed if met["does"] in own)
    yield from _outlived(after, crossed)
    yield from _banked(told)
    guards = {"block": "blocked", "dodge": "dodged", "prone": "sank"}
    for met in crossed:
        if met["does"] in guards:
            yield news.story(guards[met["does"]], met["who"], [met["disc"]])
    yield from (news.story("own by", met["who"]) for met in crossed if met["does"] in ("lies", "let by"))
    if not falls:
        yield from _calm(told)


def _left(after: State) -> Iterator[Facts]:
    """Yield who is left, where somebody has fallen."""
    names = [program.name for program in after.standing()]
    if len({after.side(program.seat) for program in after.standing()}) < 2:
        yield news.story("alone" if len(names) == 1 else "together" if names else "nobody", by=names)
    elif len(names) == 2:
        yield news.story("two", by=names)


def _calm(told: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield what a phase came to in which nobody fell."""
    does = Counter(met["does"] for kind in ("crossed", "attacked") for met in told.get(kind, []))
    acts = Counter(card["act"] for card in told.get("card", []))
    saved = does["block"] + does["dodge"] + does["prone"]
    if saved >= BUSY:
        yield news.story("busy", amount=saved)
    elif not (told.get("crossed") or told.get("attacked")):
        if told.get("flight"):
            yield news.story("flew")
        elif not told.get("recalled") and not acts["stand"]:
            yield news.story("feet" if acts["move"] else "still")


def _quiet(before: State, after: State, events: Sequence[Event]) -> Iterator[Facts]:
    """Yield what there is to say where little happened: single cards, and how all of them stand, if it goes on."""
    told = _told(events)
    if after.phase == "over":
        yield news.story("took", amount=before.turn)
        yield from _cards(told)
        return
    lying = (program for program in after.standing() if program.prone)
    flat = [program.name for program in lying if not any(_is_about(event, program.seat) for event in events)]
    if flat:  # who has just gone down is told of by how it came
        yield news.story("floor", by=flat)
    yield from (news.story("walls") for _ in told.get("walls", []))
    yield from _cards(told)
    yield from _hands(before, after)
    for turn in told.get("turn", []):
        yield news.story("turn", amount=turn["turn"] - 1)
    yield from _numbers(after)


def _cards(told: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who did what with the cards of the phase."""
    who: dict[str, list[str]] = {}
    for card in told.get("card", []):
        who.setdefault(card["act"], []).append(card["who"])
    if rose := who.get("stand"):
        yield news.story("rose", by=rose)
    if threw := who.get("throw"):
        yield news.story("threw", by=threw)
    if recalled := [one["disc"] for one in told.get("recalled", [])]:
        yield news.story("recalled", by=recalled)
    if most := _most(who.get("move", [])):
        yield news.story("walked", most[0], amount=most[1])
    if most := _most(who.get("hold", [])):
        yield news.story("most held", most[0], amount=most[1])


def _most(names: Sequence[str]) -> tuple[str, int] | None:
    """Return whose name stands there most often, alone and more than once, with how often."""
    (name, count), (_, second) = [*Counter(names).most_common(2), ("", 0), ("", 0)][:2]
    return (name, count) if count > max(second, 1) else None


def _hands(before: State, after: State) -> Iterator[Facts]:
    """Yield who holds no card, who holds as many as are allowed, and who has a Disc in hand."""
    standing = after.standing()
    poor = [program.name for program in standing if not program.held]
    if poor and len(poor) < len(standing) and after.turn > 1:
        yield news.story("poor", by=poor)
    rich = [program.name for program in standing if program.held == after.limit and not program.prone]
    if rich and len(rich) < len(standing) and after.limit > 1:
        yield news.story("rich", by=rich, amount=after.limit)
    discs = sum(program.disc is not None for program in after.programs)
    if not discs and any(program.disc for program in before.programs):
        yield news.story("armed")
    elif discs > 1:
        yield news.story("air", amount=discs)


def _numbers(after: State) -> Iterator[Facts]:
    """Yield what can be counted at the end of any phase: inches between foes, cards held, who are there."""
    standing = after.standing()
    pairs = [pair for pair in combinations(standing, 2) if after.side(pair[0].seat) != after.side(pair[1].seat)]
    apart = sorted((distance(one.at, other.at), place) for place, (one, other) in enumerate(pairs))
    if apart and apart[0][0] < [*apart, (apart[0][0] + 1, 0)][1][0]:
        nearest = pairs[apart[0][1]]
        yield news.story("near", by=[program.name for program in nearest], amount=apart[0][0] // INCH + 1)
    if held := sum(program.held for program in standing):
        yield news.story("cards", amount=held)
    gone = len(after.programs) - len(standing)
    yield news.story("gone", amount=gone, other=len(standing)) if gone else news.story("all here", amount=len(standing))


def _outlived(after: State, crossed: Sequence[Facts]) -> Iterator[Facts]:
    """Yield whom more than one Disc of others has crossed, of those who still stand; the most first."""
    pairs = {(one["who"], one["owner"]) for one in crossed}
    met = Counter(who for who, owner in sorted(pairs) if after.names[Seat(owner)] != who)
    for who, count in met.most_common():
        if count > 1:
            yield news.story("outlived", who, amount=count)


def _banked(told: Mapping[str, list[Facts]]) -> Iterator[Facts]:
    """Yield the flight that met the most walls, where that was two or more, and no other met as many."""
    walls = [(len(one["squares"]) - 2, one["disc"]) for one in told.get("flight", [])]
    most = max((count for count, _ in walls), default=0)
    found = [disc for count, disc in walls if count == most]
    if most > 1 and len(found) == 1:
        yield news.story("banked", by=found, amount=most)


def _fall(before: State, events: Sequence[Event], place: int) -> Facts:
    """Say how somebody was De-Rezzed: what struck them is the event before it, and what led to that comes before."""
    facts, struck = events[place].facts, events[place - 1]
    prone = next(
        (one.facts.get("does") in _FLOOR for one in reversed(events[: place - 1]) if _is_about(one, facts["seat"])),
        before.program(facts["seat"]).prone,
    )
    by = next(program for program in before.programs if program.name == facts["by"])
    if struck.kind == "attacked":
        how = "attack"
    elif any(one.kind == "derezzed" and one.facts["seat"] == by.seat for one in events[:place]) or by.out:
        how = "ghost"
    elif before.side(by.seat) == before.side(facts["seat"]):
        how = "own side"
    else:
        how = "prone" if prone else _met(events[:place], by.seat)
    return news.story(how, facts["who"], [facts["by"]])


def _met(events: Sequence[Event], by: str) -> str:
    """Say how a Disc came to who stood: over the wall or straight, laid there as it bounced, or walked into."""
    moved = ("flight", "placed")
    last = next(
        one for one in reversed(events) if one.kind == "card" or (one.kind in moved and one.facts["owner"] == by)
    )
    if last.kind == "flight":
        return "bank" if len(last.facts["squares"]) > 2 else "struck"
    return "laid" if last.kind == "placed" else "walked into"


def _is_about(event: Event, seat: str) -> bool:
    """Say whether an event put a Program on the floor, or up again."""
    facts = event.facts
    stood = event.kind == "card" and facts["act"] == "stand"
    return facts.get("seat") == seat and (stood or (event.kind in ("crossed", "attacked") and facts["does"] in _FLOOR))
