"""Says in plain words what each effect of the power language does; knows no other lines."""

from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Expression, Join, Name, Number, write
from pbem.rulesets.rumble.powers.language.lines import Effect
from pbem.rulesets.rumble.powers.wording.phrasing import Names, amount, attacks, does, hero, own, power, spoken


def effect(one: Effect, names: Names) -> str:
    """Say what is done; "" for what has no words."""
    match one:
        case lines.Deal(of, to, unblockable, nobody, rounds):
            return _dealt(of, to, names, unblockable=unblockable, nobody=nobody, rounds=rounds)
        case lines.Gain(who, of):
            return f"{does(hero(who, names), 'gain', 'gains')} {amount(of, names, 'Energy')}"
        case lines.Lose(who, of):
            return f"{does(hero(who, names), 'lose', 'loses')} {amount(of, names, 'Energy')}, which is no damage"
        case lines.SetEnergy(who, of):
            return f"{own('Energy', hero(who, names))} is set to {spoken(of, names)}"
        case lines.Shield(who, None):
            return f"all damage to {hero(who, names)} is prevented this round"
        case lines.Shield(who, of) if of:
            return f"up to {spoken(of, names)} of the damage to {hero(who, names)} is prevented this round"
        case lines.OnAttack(source, on, sign, of, _, unblockable):
            what = attacks(source, on, names)
            if unblockable:
                return f"{what} carries {spoken(of, names)} more damage that no Defence stops"
            return f"{what} {_changed(sign, of, names)}"
        case lines.OnDefence(who, sign, of):
            return f"{own('Defence', hero(who, names))} {_changed(sign, of, names)}"
        case lines.PassDefence(of, source, on):
            return f"{attacks(source, on, names)} goes past {own('Defence', hero(of, names))}"
        case lines.IgnoreAttack(attack):
            return f"{spoken(attack, names)} is ignored"
        case lines.OnDamage("=", Number(0)):
            return "that damage is prevented"
        case lines.OnDamage(sign, of):
            return f"that damage {_changed(sign, of, names)}"
    return _on_heroes(one, names) or _on_powers(one, names)


def _on_heroes(one: Effect, names: Names) -> str:
    """Say what is done with heroes themselves: what they must or cannot do, who is out, who wins."""
    match one:
        case lines.Forbid(by, next_round):
            return f"{does(hero(by, names), 'cannot', 'cannot')} attack{' next round' if next_round else ''}"
        case lines.Require(by, on, of, next_round):
            who = does(hero(by, names), "have", "has")
            when = " next round" if next_round else ""
            return f"{who} to attack {hero(on, names)} with {spoken(of, names)}, or with all there is{when}"
        case lines.Discount(who, of):
            return f"what {own('powers', hero(who, names))} spend and burn is {spoken(of, names)} less"
        case lines.Swap(first, second):
            return f"{hero(first, names)} and {hero(second, names)} exchange all powers and their Energy"
        case lines.Sidekick(of):
            return f"you also play a sidekick, a hero of its own with {spoken(of, names)} Energy"
        case lines.Revive(who, of):
            return f"{does(hero(who, names), 'stay', 'stays')} in, with {spoken(of, names)} Energy"
        case lines.Eliminate(who, later):
            return f"{does(hero(who, names), 'are', 'is')} out{' at the end of the next round' if later else ''}"
        case lines.Win(who):
            return f"{does(hero(who, names), 'win', 'wins')} the game"
        case lines.Endure(who):
            return f"{does(hero(who, names), 'cannot', 'cannot')} lose, whatever Energy is left"
        case lines.Move():
            return "as much of your Attack as you say is moved to your Defence"
        case lines.Later():
            return "Energy that you held back is allocated once all orders lie open"
    return ""


def _on_powers(one: Effect, names: Names) -> str:
    match one:
        case lines.Give(of, to):
            return f"{power(of, names)} passes to {hero(to, names)}"
        case lines.Discard(of):
            return f"{power(of, names)} is discarded"
        case lines.Draw():
            return "you get a power from the deck, with the Power Strength of this one"
        case lines.Edit(of):
            return f"a number that you name in {power(of, names)} is doubled or halved"
        case lines.Retarget(of, to):
            return f"{spoken(of, names)} is turned on {hero(to, names)}"
    return ""


def _dealt(of: Expression, to: Expression, names: Names, *, unblockable: bool, nobody: bool, rounds: int | None) -> str:
    what = amount(of, names, "unblockable damage" if unblockable else "damage")
    when = f" in each of the next {rounds} rounds" if rounds else ""
    if nobody:
        return f"{does(hero(to, names), 'take', 'takes')} {what}, dealt by nobody{when}"
    whom = "yourself" if to == Name("me") else hero(to, names)
    return f"you deal {whom} {what}{when}" if what.startswith("as much") else f"you deal {what} to {whom}{when}"


def _changed(sign: str, of: Expression, names: Names) -> str:
    said = spoken(of, names)
    if sign == "*=":
        known = {"2": "is doubled", "3": "is tripled", "1 / 2": "is halved"}
        return known.get(write(of), f"is multiplied by {write(of) if isinstance(of, Join) else said}")
    return {"+=": "goes up by", "-=": "goes down by", "=": "is set to"}.get(sign, sign) + f" {said}"
