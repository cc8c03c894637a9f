"""What a standing order would come to if it came to it now, for receipts: said where it is not what the line says."""

from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import OnAttack, OnDisc, OnMyDisc, Recall, Standing, Throw
from pbem.rulesets.discs.model.programme import Programme
from pbem.rulesets.discs.model.state import State

_OUT = "you would be De-Rezzed"


def reaction(state: State, seat: str, programme: Programme, order: Standing) -> str:
    """
    Say what becomes of a Program at this moment where its standing order does not help, or "".

    Shape: `programme` is all that it was told. Rule: D8-D11, T-f, T-j, T-w, T-x, M8.
    """
    me = state.program(seat)
    match order:
        case Recall():
            return ""
        case OnMyDisc() if me.prone:
            return "you are Prone, and would let it by" if order.card or order.dive else ""
        case OnMyDisc() if order.card and me.held < order.least and not (order.dive and not me.held):
            return f"you hold {_cards(me.held)}, and would let it by"
        case OnMyDisc() if order.dive and not order.card and me.held:
            return "you hold a card, and would dive only after a Move of yours"
        case OnMyDisc():
            return ""
        case OnDisc() | OnAttack() if me.prone:
            return f"you are Prone, and cannot react: {_OUT}"
        case OnAttack() if not me.held:
            return f"you hold no card: {'you would fall Prone' if state.house['dive_attack'] == 'yes' else _OUT}"
        case OnAttack():
            return ""
        case OnDisc() if not me.held:
            return "you hold no card: you would fall Prone"
        case OnDisc():
            return _guarded(programme, order, is_armed=me.is_armed)


def danger(state: State, seat: str, programme: Programme, order: Standing) -> str:
    """
    Warn where a Program that holds a card could still be De-Rezzed in this phase for want of a Dodge, or "".

    Shape: it is told never to react; or to Block alone, and its Disc, without which there is no Block, is out or may be
    thrown. Rule: D9, T-j, M8.
    """
    match order:
        case OnAttack(dodges=False):
            return "an Attack De-Rezzes you, with cards in hand. To Dodge it, write: on attack: dodge"
        case OnDisc() if "dodge" not in (guards := programme.guards(order.seat)):
            whose = f" of {state.program(order.seat).name}" if order.seat else ""
            struck = f"a Disc{whose} that crosses you De-Rezzes you, with cards in hand"
            head = write_order(state, order).partition(":")[0]
            if not guards:
                return f"{struck}. To Dodge it, write: {head}: dodge"
            if state.program(seat).is_armed and not any(isinstance(line.act, Throw) for line in programme.lines):
                return ""
            cure = f"To Dodge it then, write: {head}: block, dodge"
            return f"while your Disc is out there is no Block, and {struck}. {cure}"
        case _:
            return ""


def _guarded(programme: Programme, order: OnDisc, *, is_armed: bool) -> str:
    """Say what a Program with a card does where it cannot Block, as it would."""
    guards = programme.guards(order.seat)
    if is_armed or guards[:1] != ("block",):
        return "" if guards else f"you would take it: {_OUT}"
    return f"your Disc is out, so no Block: {'you would Dodge' if 'dodge' in guards else _OUT}"


def _cards(count: int) -> str:
    return f"{count or 'no'} card{'' if count == 1 else 's'}"
