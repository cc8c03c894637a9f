"""With which words lines begin, for what is not read by tables yet: the phases before the rounds, and talk."""

from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.language.words import verbs
from pbem.rulesets.rumble.model.state import State

OPENS = (
    r"\bif\b|^(?:text|sidekick|plan|precog\w*)\b.*:"
    r"|^(?!(?:block first|order packets|ask me|captions?|hero|name)\b)\w+\s[^:]*:(?!\s*[0-9]+$)"
)
"""What goes on to the end of its line: conditions, plans, texts, a Sidekick's orders, by the words of any genre."""
INNER_WORDS = frozenset(("energy", "power", "powers", "largest", "smallest", "spend", "burn"))
"""What lines of a round are about."""


def order_words(state: State) -> frozenset[str]:
    """Return the words that begin lines of a round, those of the genre and of powers among them."""
    words = (*verbs(genre_of(state.house)), "sidekick", "if", *(one.name for one in state.powers))
    return frozenset(word.split()[0].casefold() for word in words if word.split())
