"""Standing orders, read and written: what to do when a Disc or an Attack comes, when to Catch, when to Recall."""

import re
from typing import TypeAlias

from pbem.ruleset import Refused
from pbem.rulesets.discs.model.order import Guard, OnAttack, OnDisc, OnMyDisc, Recall
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.names import find_program, written

Standing: TypeAlias = OnDisc | OnAttack | OnMyDisc | Recall

_HEAD = re.compile(
    r"on\s+(?:an?y?\s+|the\s+)?"
    r"(my dis[ck]|attacks?|dis[ck]s?(?:\s+(?:of|from)\s+(?P<of>.+?))?|(?P<whose>.+?)'s? dis[ck])"
    r"(?:\s*(?P<colon>[:=]|-?>)\s*|\s*[,-]\s+|\s+)"
    r"(?P<what>(?(colon).+|(?:(?:only )?(?:block|dodge)|card|catch|dive|never|nothing|prone)\b.*))",
    re.IGNORECASE,
)
_RECALL = re.compile(
    r"recall(?:\s+(?:my |the )?dis[ck])?\s*:?\s+(?:only )?(.+)|(never|no|don'?t) recall|recall", re.IGNORECASE
)
_WHEN = {
    "when away": "away", "always": "away", "yes": "away", "if away": "away", "away": "away", "never": "never",
    "no": "never", "off": "never", "don't": "never", "dont": "never", "if nobody ahead": "nobody ahead",
    "when nobody ahead": "nobody ahead",
    "if nobody is ahead": "nobody ahead", "when nobody is ahead": "nobody ahead",
}  # fmt: skip
_WRITTEN = {"away": "when away", "never": "never", "nobody ahead": "if nobody ahead"}
_NOTHING = ("never", "nothing", "none", "no")
_ONLY = re.compile(r"only (block|dodge)|(block|dodge) only", re.IGNORECASE)
"""What is to be tried alone, with no Dodge in its place."""


def read_standing(state: State, seat: str, text: str) -> Standing | Refused | None:
    """Read a standing order; None for what is none. Rule: D9-D11, D19, M8."""
    if match := _RECALL.fullmatch(text):
        when = _WHEN.get((match[1] or match[2] or "").lower())
        if not when:
            return Refused("unreadable", "Write recall: when away, recall: never, or recall: if nobody ahead.", "D19")
        return Recall(when)  # type: ignore[arg-type]
    match = _HEAD.fullmatch(text)
    if not match:
        if re.match(r"on\s+(?:my\s+)?(?:dis[ck]|attack)", text, re.IGNORECASE):
            because = "Write on disc: block, dodge; on disc of NAME: dodge; on attack: dodge; on my disc: card, dive."
            return Refused("unreadable", because, "M8")
        return None
    about, what = match[1].lower(), match["what"].lower().replace(" or more", "")
    words = [word for word in re.split(r"\s*(?:,|/|\bthen\b|\bor\b|\belse\b|\band\b)\s*", what) if word]
    if about.startswith("attack"):
        return _on_attack(words)
    if re.fullmatch(r"my dis[ck]", about):
        return _on_my_disc(state, words)
    whose = match["of"] or match["whose"] or ""
    if whose and not match["colon"] and not isinstance(find_program(state, seat, f"{whose} {what}", "M8"), Refused):
        return Refused("ambiguous", f"A colon tells what to do from the name: on disc of {whose}: dodge.", "M8")
    if whose and re.search(r"\belse\b", what):
        because = f"What is done else stands on a line of its own: on disc of {whose}: dodge, and on disc: block."
        return Refused("ambiguous", because, "M8")
    if whose and not isinstance(whose := find_program(state, seat, whose, "M8", flying=True), str):
        return whose
    return _on_disc(words, whose)


def _on_disc(words: list[str], whose: str) -> OnDisc | Refused:
    guards: list[Guard] = []
    if len(words) == 1 and words[0] in _NOTHING:
        return OnDisc((), whose)
    if only := next((match for word in words if (match := _ONLY.fullmatch(word))), None):
        words = [only[1] or only[2] if word == only[0] else word for word in words]
    for word in words:
        if word in ("prone", "dive", "drop", "drop flat"):
            because = "You fall Prone by yourself when you hold no card, and cannot while you hold one. Leave it out."
            return Refused("illegal", because, "T-x")
        if word not in ("block", "dodge") or word in guards:
            because = "Write block, dodge, in the order in which to try them; or only block; or never."
            return Refused("unreadable", because, "M8")
        guards.append(word)  # type: ignore[arg-type]
    return OnDisc(tuple(guards), whose, only=only is not None and guards == ["block"])


def _on_attack(words: list[str]) -> OnAttack | Refused:
    if words == ["block"]:
        return Refused("illegal", "One cannot Block an Attack. Write on attack: dodge, or on attack: never.", "T-g")
    if len(words) != 1 or words[0] not in ("dodge", *_NOTHING):
        return Refused("unreadable", "Write on attack: dodge, or on attack: never.", "M8")
    return OnAttack(words[0] == "dodge")


def _on_my_disc(state: State, words: list[str]) -> OnMyDisc | Refused:
    if len(words) == 1 and words[0] in _NOTHING:
        return OnMyDisc(card=False, dive=False)
    card, dive, least = False, False, 1
    for word in words:
        if match := re.fullmatch(r"(?:card|catch)(?: if i hold (\d{1,3})(?: cards?)?)?", word):
            card, least = True, int(match[1] or 1)
            if not 1 <= least <= state.limit:
                because = f"One holds 1 to {state.limit} cards in this game. Write card if I hold {state.limit}."
                return Refused("illegal", because, "T-a")
        elif word == "dive":
            dive = True
        else:
            because = "Write on my disc: card, dive; on my disc: card if I hold 2; or on my disc: never."
            return Refused("unreadable", because, "M8")
    return OnMyDisc(card=card, dive=dive, least=least)


def write_standing(state: State, order: Standing) -> str:
    """Write a standing order as `read_standing` reads it."""
    match order:
        case OnDisc():
            of = f" of {written(state, order.seat)}" if order.seat else ""
            return f"on disc{of}: {'only ' if order.only else ''}{', '.join(order.guards) or 'never'}"
        case OnAttack():
            return f"on attack: {'dodge' if order.dodges else 'never'}"
        case OnMyDisc():
            least = f" if I hold {order.least}" if order.least > 1 else ""
            words = [*([f"card{least}"] if order.card else []), *(["dive"] if order.dive else [])]
            return f"on my disc: {', '.join(words) or 'never'}"
        case Recall():
            return f"recall: {_WRITTEN[order.when]}"
