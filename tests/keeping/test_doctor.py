"""What the doctor says of the site's folder and of chats: before the first report finds out."""

from itertools import takewhile
from pathlib import Path

import msgspec
import pytest

from pbem.hall.keeping import doctor
from pbem.hall.keeping.doctor import Finding
from pbem.hall.store.arena import Doors
from pbem.world.login import write_secret
from pbem.world.settings import ChatSettings, SiteSettings
from tests.conftest import Room


def findings(room: Room, site: str = "", *chat: ChatSettings) -> dict[str, Finding]:
    """Return what is found in an arena with these settings, by what was looked at."""
    room.settings = msgspec.structs.replace(room.settings, site=SiteSettings(folder=site), chat=chat)
    room.reopen()
    doors = Doors(room.clock, room.mailbox, room.outbox)
    found = doctor.look_over(room.arena, doors, lambda seconds: None, 1)
    return {one.what: one for one in takewhile(lambda one: one.what != "mailbox", found)}


def test_folder_of_the_site_is_tried(room: Room, tmp_path: Path) -> None:
    """A page is written and taken away; a folder in the arena is readable by its owner alone, which is said."""
    assert "site" not in findings(room)
    (tmp_path / "site").mkdir()
    found = findings(room, "../site")["site"]
    assert found.is_well and not list((tmp_path / "site").iterdir())
    assert "where only its owner can read it" in findings(room, "pages")["site"].seen
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    found = findings(room, "../file")["site"]
    assert not found.is_well and "cannot be written" in found.seen


@pytest.mark.parametrize(
    ("url", "is_well", "said"),
    [
        ("https://chat.example.org/secret-part", True, "is at hand"),
        ("http://chat.example.org/secret-part", False, "neither https"),
        ("", False, "no address"),
    ],
)
def test_address_of_a_chat_is_looked_at(room: Room, url: str, is_well: bool, said: str) -> None:
    """Nothing is said to it, and nothing of it is told."""
    if url:
        write_secret(room.root / "secrets" / "hook", url)
    found = findings(room, "", ChatSettings(name="club", kind="discord", url_file="secrets/hook"))["chat club"]
    assert found.is_well is is_well and said in found.seen
    assert "secret-part" not in f"{found.seen} {found.todo}"
