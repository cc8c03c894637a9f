"""Eight Coves, tested as pbem tests its own games: by the laws of the contract, by cases, by mail, by a specimen."""

from pathlib import Path
from tempfile import TemporaryDirectory

from coves import RULESET
from coves.bots import hunter
from pbem.testing import Casebook, Cases, Contract, Room, Specimens, keep
from scene import claims, lay

HERE = Path(__file__).parent.parent


class TestContract(Contract):
    """Coves keeps the laws of every ruleset."""

    rulesets = (RULESET,)


class TestCases(Cases):
    """Every case comes out as RULES.md says."""

    books = (Casebook(RULESET, HERE / "cases", lay, claims),)


class TestSpecimens(Specimens):
    """The finished games replay."""

    rulesets = (RULESET,)
    folders = tuple(sorted((HERE / "games").iterdir()))


def played(folder: Path) -> Room:
    """Play a game by mail to its end."""
    room = Room(folder, {"coves": RULESET})
    room.found("ada", "bo", "cy", name="coves-1")
    room.play(hunter, "coves-1")
    return room


def test_a_game_is_played_by_mail_to_its_end(tmp_path: Path) -> None:
    """Somebody finds the treasure, and all are told."""
    assert "dug up the treasure" in played(tmp_path).last("ada@example.org")


def test_nobody_sails_under_the_name_of_a_cove(tmp_path: Path) -> None:
    """Or a ruling could mean either."""
    room = Room(tmp_path, {"coves": RULESET})
    room.invite("ada", "bo")
    room.write("ada@example.org", "join as Heron")
    room.sweep()
    assert '"Heron" cannot be told from other words here.' in room.last("ada@example.org")


def test_who_lets_orders_stand_digs_once(tmp_path: Path) -> None:
    """The receipt says whether a set stands, and to ask for it is refused where it cannot."""
    room = Room(tmp_path, {"coves": RULESET})
    room.found("ada", "bo", standing=("day",))
    room.write("ada@example.org", "stay")
    room.sweep()
    assert "These stand, in later phases of this kind too" in room.last("ada@example.org")
    room.write("ada@example.org", "dig\nstanding on")
    room.sweep()
    assert "Such a set counts in this phase alone." in room.last("ada@example.org")
    assert "in later phases" not in room.last("ada@example.org")
    room.write("bo@example.org", "stay")
    room.sweep()
    assert [seat for seat in room.table().seats if seat in room.table().sets.hand] == ["bo"]


def test_a_moderator_says_where_things_are(tmp_path: Path) -> None:
    """A place and a direction are set and overruled by name, and a word that is none of them is refused."""
    room = Room(tmp_path, {"coves": RULESET})
    room.found("ada", "bo", review=("day",))
    room.write("gwen@example.org", "set treasure = crab because of rats\nset wind south because of fog")
    room.sweep()
    echo = room.last("gwen@example.org")
    assert "-> Crab" in echo and "There is no wind of that name. Known: east or west." in " ".join(echo.split())
    for who in ("ada", "bo"):
        room.write(f"{who}@example.org", "stay")
    room.sweep()
    room.write("gwen@example.org", "overrule place of Ada = Fog because of a current")
    room.sweep()
    assert "Fog" in room.last("gwen@example.org")
    room.write("gwen@example.org", "approve 2")
    room.sweep()
    assert room.table().state.place["ada"] == "Fog"


if __name__ == "__main__":  # where the rules have changed, and their version has gone up, the specimen is played anew
    with TemporaryDirectory() as scratch:
        keep(played(Path(scratch)).root / "games" / "coves-1", HERE / "games" / "coves-1")
