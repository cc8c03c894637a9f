"""Counters: their names in the file are those that older releases wrote, since the file alone holds the counts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.hall.mail.outgoing.caps import Kind
from pbem.world.index import Index
from pbem.world.index.counters import Counted, What, day, hour

NOW = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
KEPT = {
    "tries 5a1e": Counted(what=What.TRIES, about="5a1e"),
    "moved by hand": Counted(what=What.MOVED),
    "2026-11-23 ignored": Counted(what=What.IGNORED, span=day(NOW)),
    "2026-11-23 purge 0": Counted(what=What.PURGE, about="0", span=day(NOW)),
    "2026-11-23 stranger": Counted(what="stranger", span=day(NOW)),
    "2026-11-23 refused failed 0c4f": Counted(what="refused", evidence="failed", about="0c4f", span=day(NOW)),
    "2026-11-23 strangers 77aa": Counted(what=What.STRANGERS, about="77aa", span=day(NOW)),
    "2026-11-23 answers 0c4f": Counted(what=str(Kind("answers")), about="0c4f", span=day(NOW)),
    "2026-11-23 09 held-token 0c4f": Counted(what=str(Kind("held", "token")), about="0c4f", span=hour(NOW)),
}
"""Names as an older release wrote them, and what they are."""


def test_what_an_older_release_counted_still_counts(tmp_path: Path) -> None:
    """Its file is read as it is: each counter goes on from where it stood, and a day that is over is forgotten."""
    index = Index(tmp_path / "index.sqlite")
    index._db.executemany("insert into told values(?, ?)", [(name, 3) for name in KEPT])
    index.close()
    index = Index(tmp_path / "index.sqlite")
    assert [index.counters.increment(counted) for counted in KEPT.values()] == [4] * len(KEPT)
    assert {name for (name,) in index._db.execute("select what from told")} == set(KEPT)
    index.counters.forget_before(NOW + timedelta(days=1))
    assert {name for (name,) in index._db.execute("select what from told")} == {"tries 5a1e", "moved by hand"}
    index.counters.reset([KEPT["tries 5a1e"]])
    assert index.counters.value(KEPT["tries 5a1e"]) == 0
    index.close()


@pytest.mark.parametrize("kind", [Kind("answers"), Kind("held"), Kind("held", "token"), Kind("held", "none")], ids=str)
def test_the_kind_of_a_letter_reads_back(kind: Kind) -> None:
    """The identity of a letter holds it as text."""
    assert Kind.parse(str(kind)) == kind
    assert Kind.parse("refused") is None
