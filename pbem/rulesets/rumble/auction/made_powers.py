"""What becomes of a name and a text: a power, one of the archive, or why it can be none. Rule: R17, B11."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from pbem.ruleset import MARK, OrderLine, Parsed, Refused, amounts, marked_refusal, phrases
from pbem.rulesets.rumble.auction import power_lines
from pbem.rulesets.rumble.auction.power_layout import Block
from pbem.rulesets.rumble.model.order import Invent, Order, Unsigned
from pbem.rulesets.rumble.model.state import LONGEST_NAME, LONGEST_TEXT, PowerKind
from pbem.rulesets.rumble.powers.archive import archive, find, lines_of, named

LONGEST_LINE = 1_000
"""Characters of a line here: a mail program may send a whole power on one."""
FORM = 'Write "power: NAME" and below it "text: WHAT IT DOES", or on one line: "power NAME: WHAT IT DOES".'
_PLACEHOLDER = Refused("unreadable", f"That is what stands in a form. {FORM}", "R17")
LIKE_AN_ORDER = Refused("illegal", "That name reads like an order. Change its first word.", "R17")
ORDER_LIKE = re.compile(
    r"(?:use|discard|bids?|if|confirm|resign|plan|precog(?:nition)?)\b"
    r"|(?:att(?:ack(?:s|ing)?)?|atk|def(?:en[cs]e|end(?:s|ing)?)?|hold|reserve|block|hero|name|power|text|type)\b.*[0-9:]",
    re.IGNORECASE,
)
"""Names that could pass for an order where they begin a line of ours."""
_SECRET = re.compile(r"\S@\S+\.\w|(?<![^\W_])(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{16,}(?![^\W_])", re.IGNORECASE)
"""A mail address, or what looks like the token of a reply address."""
_WRITTEN = re.compile(r"(?P<word>power|text|type): (?P<rest>.+)|unsigned")
KINDS: dict[str, PowerKind] = {"flaw": "flaw", "curse": "curse"}
KIND_BEHIND = re.compile(r"(.+?)[\s,;-]*[(\[]\s*(?:an?\s+)?(flaw|curse)\s*[)\]][.!]?", re.IGNORECASE | re.DOTALL)
"""A text with its type in brackets behind it."""
SHORTEST_BEGUN = 5
"""The fewest letters of a beginning that names a power of the archive."""


def as_written(lines: Sequence[OrderLine]) -> Parsed[Order] | None:
    """Read powers in the lines in which we keep them, without a look at what they say; None for any other lines."""
    orders: list[Order] = []
    found = [(line, _WRITTEN.fullmatch(line.text)) for line in lines if line.text.strip()]
    for line, match in found:
        if match is None or marked_refusal(line.text):
            return None
        last = orders[-1] if orders and isinstance(orders[-1], Invent) else None
        match match["word"]:
            case None:
                orders.append(Unsigned(line=line.number))
            case "power":
                orders.append(Invent(match["rest"], "", line=line.number))
            case "text" if last and not last.text and len(match["rest"]) <= LONGEST_TEXT:
                orders[-1] = msgspec.structs.replace(last, text=match["rest"])
            case "type" if last and last.kind == "power" and match["rest"] in KINDS:
                orders[-1] = msgspec.structs.replace(last, kind=KINDS[match["rest"]])
            case _:
                return None
    made = [one for one in orders if isinstance(one, Invent)]
    is_whole = bool(orders) and all(one.text and _may_be_kept(one) for one in made)
    return Parsed(tuple(orders), ()) if is_whole else None


def _may_be_kept(power: Invent) -> bool:
    return len(power.name) <= LONGEST_NAME and not secret_in(power.name, power.text) and not _wrong_name(power)


def _wrong_name(power: Invent) -> bool:
    is_order = ORDER_LIKE.match(power.name) is not None or amounts.is_on_somebody(power.name)
    return re.fullmatch(r"[Pp][0-9]+|[^\w]+", power.name) is not None or (
        is_order and not lines_of(power.name, power.text)
    )


def tagged_name(text: str) -> tuple[str, PowerKind]:
    """Part a name from the type behind it: `Tunnel Vision [flaw]`."""
    tag = re.fullmatch(r"(.+?)\s*(?:[(\[,]|\s-)\s*(?:an?\s+)?(flaw|curse)\s*[)\]]?[.!]?", text, re.IGNORECASE)
    return (tag[1], KINDS[tag[2].casefold()]) if tag else (text, "power")


def of_archive(text: str) -> Iterator[Invent]:
    """Yield the powers of the archive that a line names, where it says nothing else."""
    left = f" {phrases.without_stop(text).casefold()} "
    found: list[tuple[int, Invent]] = []
    for one in sorted(archive(), key=lambda one: -len(one.name)):
        place = left.find(f" {one.name.casefold()} ")
        place = place if place >= 0 else left.find(f" {one.name.casefold()},")
        if place >= 0:
            left = left.replace(one.name.casefold(), "\0" * len(one.name), 1)
            found.append((place, Invent(one.name, one.text, "curse" if one.type == "curse" else "power")))
    rest = [word for word in power_lines.words_of(left.replace("\0", " ")) if word.isascii()]
    begun = {word: [one for one in archive() if one.name.casefold().startswith(word)] for word in rest}
    for word, ones in begun.items():
        if len(word) >= SHORTEST_BEGUN and len(ones) == 1:
            found.append((left.index(word), Invent(ones[0].name, ones[0].text)))
            rest.remove(word)
    if found and all(power_lines.is_around_names(word) for word in rest):
        yield from (one for _, one in sorted(found, key=lambda both: both[0]))


def made_power(block: Block) -> Invent | Refused:
    """Return the power that a block comes to, or why it is none."""
    name, text = block.piece.name, " ".join(block.parts).strip()
    if block.texted and block.piece.rest:
        name = block.piece.rest
    name, tag = tagged_name(name)
    kind = tag if block.kind == "power" else block.kind
    name = name if named(name) else name.rstrip(" .,;:")
    known = named(name) if not text else None
    name, text = (known.name, known.text) if known else (name, text)
    if power_lines.is_elsewhere(text) and (known := named(name)):
        text = known.text
    if power_lines.is_placeholder(name) or power_lines.is_placeholder(text) or power_lines.is_elsewhere(text):
        return _PLACEHOLDER
    if MARK in name or MARK in text:
        return marked_refusal(f"{name} {text}") or Refused("illegal", FORM, "R17")
    if not name:
        return Refused("unreadable", f"This power has no name. {FORM}", "R17")
    if secret := secret_in(name, text):
        return secret
    if len(name) > LONGEST_NAME:
        return Refused("illegal", f"That name has {len(name)} characters; {LONGEST_NAME} is the most.", "R17")
    if re.fullmatch(r"[Pp][0-9]+|[^\w]+", name):
        return Refused("illegal", "A power needs a name in words, such as Tough Hide.", "R17")
    if ORDER_LIKE.match(name) and not lines_of(name, text):  # Precognition is a power of the archive
        return LIKE_AN_ORDER
    if not text:
        meant = find(name)
        hint = "" if isinstance(meant, phrases.Unread) else f" Of the archive there is power: {meant.name}."
        return Refused("unreadable", f"{name} has no text. {FORM}{hint}", "R17")
    if len(text) > LONGEST_TEXT:
        return Refused("illegal", f"That text has {len(text)} characters; {LONGEST_TEXT} is the most.", "R17")
    return Invent(name, text, kind, line=block.line.number)


def secret_in(name: str, text: str) -> Refused | None:
    """Refuse words that hold what only their writer should know: everybody reads a power."""
    match = _SECRET.search(f"{name} {text}")
    if match is None:
        return None
    because = "A mail address, or a part of one, stands in this power, which everybody will read. Send it without that."
    return Refused("ambiguous", because, "R17")
