"""How often a mail is read, at most: whatever nobody can read is guessed at for so many lines, and no more."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from pbem.language import deciding, together
from pbem.language.deciding import Said
from pbem.language.parses import Language
from pbem.language.sentences import Sentence
from tests.depth import some
from tests.hall.test_talk import ORDERS, table_of, taken

MOST_LINES = 499


def slipped(word: str, chance: random.Random) -> str:
    """Return a word with two letters swapped."""
    place = chance.randrange(max(1, len(word) - 1))
    return f"{word[:place]}{word[place + 1 : place + 2]}{word[place]}{word[place + 2 :]}"


def drawn(name: str, every: int, chance: random.Random) -> Iterator[str]:
    """Yield lines of slips; each so many-th is an order."""
    table = table_of(name)
    words = sorted({*table.verbs, "attack", "defence", "Bo", "Cy", "Ada"})
    for number in range(MOST_LINES):
        said = " ".join(slipped(chance.choice(words), chance) for _ in range(chance.randint(2, 12)))
        yield ORDERS[name][number // every % 3] if every and not number % every else f"{said} {number}"


@pytest.mark.parametrize("every", [0, 25])
@pytest.mark.parametrize("name", some(3, ORDERS))
def test_a_mail_of_slips_is_guessed_at_in_so_many_lines_alone(
    name: str, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in lines that are tried in other words, which cost nearly all; what reads as it stands is taken."""
    guessed: Counter[str] = Counter()

    def counted_sentences(language: Language, sentence: Sentence) -> Said:
        guessed[sentence.tokens[0].line] += 1
        return by_clauses(language, sentence)

    by_clauses = deciding._by_clauses
    monkeypatch.setattr(deciding, "_by_clauses", counted_sentences)
    lines = list(drawn(name, every, random.Random(f"{name} {every}")))
    entry, _ = taken(name, *lines)
    tried = [line for line in lines if line not in ORDERS[name]]
    assert 0 < sum(guessed[line] > 0 for line in tried) <= 3 * together.MOST_GUESSED
    assert sum(guessed[line] for line in tried) <= 5 * together.MOST_GUESSED
    assert len(entry.said) == MOST_LINES
