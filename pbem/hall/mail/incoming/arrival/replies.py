"""What a reply to an offer says, a yes or a no, and whether it can be from whoever was asked."""

from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.desk import pending
from pbem.letters import addressing
from pbem.speech import answers, chatter


def may_be_theirs(mail: Arrival) -> bool:
    """Say whether a mail is addressed to us, and our mail server did not find that it is another's."""
    here = mail.arena.settings.arena
    is_named = any(addressing.is_ours(one, here.address) for one in mail.parcel.letter.named)
    return is_named and authority.verdict(mail.arena, mail.parcel) != "fail"


def agrees(mail: Arrival) -> bool:
    """Say whether a mail begins with a plain yes, and nothing below it may change that."""
    first, *others = _texts(mail) or ("",)
    is_yes = answers.answer(first) == answers.Answer("yes") or pending.is_confirmed(mail.new_lines)
    return is_yes and not any(map(chatter.may_change, others))


def declines(mail: Arrival) -> bool:
    """Say whether a mail begins with a plain no, as its first sentence, and nothing behind that may be a yes."""
    return answers.declines(mail.new_lines)


def _texts(mail: Arrival) -> list[str]:
    return [line.text for line in mail.new_lines if line.text.strip()]
