"""Whether a die can be dropped for something, whatever others declare. Rule: K2, K14, K18-K20, K-aa."""

from pbem.ruleset import Refused
from pbem.rulesets.brawl.order import ACTIVE, BARE, Drop
from pbem.rulesets.brawl.state import COOP, State
from pbem.rulesets.brawl.words import no_other


def settled_drop(state: State, seat: str, drop: Drop) -> Drop | Refused:
    """Return a drop that can be done, whatever others declare, or why it cannot. Rule: K2, K14, K18-K20, K-aa."""
    if not state.is_pub and (drop.action not in BARE or (drop.what and drop.what not in BARE)):
        return _bare()
    match drop.action:
        case "counter":
            return _counter(state, seat, drop)
        case "coop" | "bind":
            return _nobody_to(state, seat, drop) or drop
        case "move":
            return _nowhere(state, seat, drop) or drop
    return drop


def _bare() -> Refused:
    because = "In a bare-knuckle fight dice are dropped for counter, advantage, maneuver or regain."
    return Refused("illegal", because, "K2")


def _counter(state: State, seat: str, drop: Drop) -> Drop | Refused:
    wrong = _lasts_not(drop.what, old=drop.old) or no_other(state, seat, drop.on, "K14")
    return wrong or _nothing_to_counter(state, seat, drop) or drop


def _lasts_not(what: str, *, old: bool) -> Refused | None:
    """Refuse to counter something of before that lasts no longer than its round. Rule: K-s."""
    if not old or what in ACTIVE:
        return None
    because = f"{what.capitalize()} can be countered in its own round only; what lasts is advantage, maneuver, item."
    return Refused("illegal", because, "K-s")


def _nothing_to_counter(state: State, seat: str, drop: Drop) -> Refused | None:
    """Refuse a Counter that has nothing to counter, whatever others declare. Rule: K14, K-p."""
    whose = state.fighter(drop.on)
    lasts = {"advantage": whose.advantage, "maneuver": whose.maneuver, "pickup": bool(whose.item)}.get(drop.what, 0)
    mine = len(state.order) if drop.die == COOP else state.rank(seat)  # a given die is used at the rank of the giver
    is_slower = state.house["declare"] != "blind" and -1 < state.rank(drop.on) < mine
    if lasts or (is_slower and not drop.old):
        return None
    if drop.old or is_slower:
        return Refused("illegal", f"{whose.name} has no {drop.what} from before to counter.", "K14")
    because = f"{whose.name} has no {drop.what} now, and is no slower than you: only what is declared can be countered."
    return Refused("illegal", because, "K-p")


_RULE_OF = {"coop": "K18", "bind": "K20"}


def _nobody_to(state: State, seat: str, drop: Drop) -> Refused | None:
    """Refuse to bind whom one cannot, and to give a die to who cannot take it. Rule: K18, K20, K-jj."""
    rule, found = _RULE_OF[drop.action], drop.on
    if wrong := no_other(state, seat, found, rule):
        return wrong
    name = state.fighter(found).name
    if drop.action == "bind" and state.fighter(found).down:
        return Refused("illegal", f"{name} is down. Bind somebody who is up.", rule)
    if drop.action == "bind" and not -1 < state.rank(found) < state.rank(seat):
        return Refused("illegal", f"{name} is no slower than you. Only a slower fighter can be bound.", "K20")
    if drop.action == "coop" and state.fighter(found).down:
        return Refused("illegal", f"{name} is down and cannot take a die.", "K-jj")
    return None


def _nowhere(state: State, seat: str, drop: Drop) -> Refused | None:
    """Refuse a Move that leads nowhere. Rule: K19, K-aa."""
    if not drop.on and not drop.what:
        if state.fighter(seat).away:
            return None
        here = "down, and come back once you are up" if state.fighter(seat).down else "in the fight"
        because = f"You are {here}. To gain a damage die write drop {drop.die} move charge 1."
        return Refused("illegal", because, "K-aa")
    if state.house["groups"] == "off":
        return _no_groups(drop.die)
    wrong = no_other(state, seat, drop.on, "K19") if drop.on else None
    if wrong or not drop.on or state.fighter(drop.on).fights:
        return wrong
    because = f"{state.fighter(drop.on).name} is not in the fight. Move to somebody who is, or step aside."
    return Refused("illegal", because, "K-aa")


def _no_groups(die: str) -> Refused:
    because = f"Nobody changes groups in this game. Write drop {die} move to come back, or drop {die} move charge 1."
    return Refused("illegal", because, "K-aa")
