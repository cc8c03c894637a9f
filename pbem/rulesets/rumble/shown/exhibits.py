"""The powers of a game as pages show them: from what everybody was told, and from nothing else."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import Event, Exhibit, Facts
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.powers.language.runnable import abilities
from pbem.rulesets.rumble.powers.wording import descriptions

EXHIBITED = "powers"
_TAGS = {"power": "", "flaw": "a Flaw", "curse": "a Curse"}


def exhibits(events: Sequence[Event]) -> tuple[Exhibit, ...]:
    """Return the powers that lay in the pool, or were drawn, as they were at the end of what was told. Rule: R17."""
    found: dict[str, Exhibit] = {}
    for event in events:
        facts = event.facts
        match event.kind:
            case "power_pooled" | "power_drawn":
                owner = facts.get("hero", "") if event.kind == "power_drawn" else ""
                tag = _TAGS[facts["kind"]]
                found[facts["number"]] = Exhibit(
                    number=facts["number"], name=facts["name"], text=facts["text"], tag=tag, owner=owner
                )
            case "named":
                was, now = facts["was"], facts["now"]
                found = {
                    number: msgspec.structs.replace(one, owner=now) if one.owner == was else one
                    for number, one in found.items()
                }
            case _ if (one := found.get(facts.get("number", ""))) is not None:
                found[one.number] = msgspec.structs.replace(one, **_change(event.kind, facts))
    return tuple(msgspec.structs.replace(one, reading=_reading(one.lines)) for one in found.values())


def _reading(lines: str) -> tuple[tuple[str, str], ...]:
    """Say in words what lines do by which a power runs; what was assumed depends on the house, and is left out."""
    return tuple(
        (slot["head"], "; ".join(slot["says"]))
        for ability in descriptions.describe(abilities(lines), DEFAULTS)
        for slot in ability
        if slot["head"] != descriptions.ASSUMED
    )


def _change(kind: str, facts: Facts) -> dict[str, str]:
    """Return what an event changes of the power that it names."""
    match kind:
        case "power_won":
            owner = facts["heroes"][0] if len(facts["heroes"]) == 1 else ""
            return {"owner": owner, "worth": str(facts["price"]) if facts["price"] >= 0 else ""}
        case "flaw_taken":
            return {"owner": facts["heroes"][0] if len(facts["heroes"]) == 1 else ""}
        case "power_passed_on":
            return {"owner": facts["to"], "worth": str(facts["price"]) if facts["price"] >= 0 else ""}
        case "power_given":
            return {"owner": facts["to"]}
        case "power_unsold":
            return {"note": "nobody wanted it"}
        case "power_discarded":
            return {"note": "discarded"}
        case "power_text" | "power_edited":
            return {"text": facts["text"], "lines": ""}
        case "power_runs":
            return {"lines": facts["lines"]}
        case "power_manual":
            return {"lines": ""}
        case "remembered":
            used = facts["used"]
            note = f"used {used} times" if used > 1 else "used once" if used else "never used" * bool(facts["unused"])
            return {"author": facts["author"], **({"note": note} if note else {})}
    return {}
