"""Law: of replies from real mail programs no new line is lost, and next to no quoted line is taken."""

from collections.abc import Iterable
from typing import NamedTuple

import pytest

from pbem.letters.reading import newly, read
from tests.letters.corpus.mails import Specimen, corpus, judged


class Figures(NamedTuple):
    """How many mails there were, how many quoted, in how many a new line was lost and a quoted one taken."""

    mails: int
    quoting: int
    lost: tuple[str, ...]
    taken: tuple[str, ...]
    by_rote: tuple[str, ...]

    def told(self, name: str) -> str:
        """Tell them on one line."""
        share = 100 * len(self.taken) / max(self.quoting, 1)
        return f"{name}: {self.mails} mails, {self.quoting} quote; new lines lost in {len(self.lost)}, quoted taken in \
{len(self.taken)} ({share:.1f} %), what programs add taken in {len(self.by_rote)}"


def figures(mails: Iterable[Specimen], *, subtracting: bool) -> Figures:
    """Read mails with or without the letters that they answer."""
    chosen = [mail for mail in mails if subtracting or not mail.is_bare]
    verdicts = {}
    for mail in chosen:
        found = newly(read(mail.raw), mail.ours if subtracting else ())
        verdicts[mail.name] = judged(mail, [line.text for line in found])
    return Figures(
        mails=len(chosen),
        quoting=sum(bool(mail.quoted) for mail in chosen),
        lost=tuple(name for name, verdict in verdicts.items() if verdict.lost),
        taken=tuple(name for name, verdict in verdicts.items() if verdict.taken),
        by_rote=tuple(name for name, verdict in verdicts.items() if verdict.rote),
    )


def hold(mails: Iterable[Specimen]) -> None:
    """Hold both halves to the aims, and print the four figures."""
    mails = list(mails)
    for half in (False, True):
        mine = [mail for mail in mails if mail.is_frozen == half]
        name = "frozen half" if half else "open half"
        without, within = figures(mine, subtracting=False), figures(mine, subtracting=True)
        print(without.told(f"{name}, without the letter that is answered"))
        print(within.told(f"{name}, with it"))
        assert not without.lost and not within.lost
        assert len(without.taken) < 0.03 * without.quoting, without.taken
        assert not within.taken


def test_the_corpus_is_what_was_asked_for() -> None:
    """Three hundred mails and more, of many programs, languages, places and charsets; both halves are large."""
    mails = corpus()
    parts = [mail.name.split(" ", 1)[1].rsplit(", ", 6) for mail in mails]
    assert len(mails) >= 300 and len({mail.name for mail in mails}) == len(mails)
    assert len({part[0] for part in parts}) >= 60
    assert len({part[1] for part in parts}) >= 15
    assert {part[2] for part in parts} == {"alone", "top", "bottom", "inline", "trimmed", "form"}
    assert len({part[5] for part in parts}) >= 20
    assert 0.4 < sum(mail.is_frozen for mail in mails) / len(mails) < 0.6


def test_a_sample_of_the_corpus_is_read() -> None:
    """Each third mail: nothing lost, under 3 % with anything quoted taken, none once we hold the letter."""
    hold(corpus()[::3])


@pytest.mark.sweep
def test_the_corpus_is_read() -> None:
    """All of it: nothing lost, under 3 % with anything quoted taken, none once we hold the letter."""
    hold(corpus())


def test_a_reading_that_errs_is_found_out() -> None:
    """Who loses a line, takes a quoted one, or takes a footer is told so."""
    mail = next(mail for mail in corpus() if len(mail.new) > 1 and mail.quoted and mail.by_rote)
    assert judged(mail, mail.new) == ((), (), ())
    assert judged(mail, mail.new[1:]).lost == (mail.new[0],)
    assert judged(mail, [*mail.new, mail.quoted[-1]]).taken
    assert judged(mail, [*mail.new, "Sent by pigeon"]).rote
