"""A new arena: its settings written as a person would, and its secrets apart, where nobody else reads."""

from pathlib import Path

import msgspec

from pbem.ground import records
from pbem.ground.terms import CharterError
from pbem.world.login import write_secret
from pbem.world.settings import Settings
from pbem.world.shelf import Shelf

_HEADING = """\
# An arena of pbem. What each setting means: deploy/settings.sample.toml.
# After a change, run pbem doctor; a running daemon reads this file again on SIGHUP.

"""

BEFORE = "settings.toml.before"


def refuse_another(root: Path) -> None:
    """Make sure that no arena is there yet. Errors: CharterError."""
    if is_there(root):
        raise CharterError(f"{root / 'settings.toml'} is there already. To change it: pbem init, or an editor")


def is_there(root: Path) -> bool:
    """Say whether a folder is an arena already."""
    return (root / "settings.toml").exists()


def found_arena(root: Path, wanted: Settings, secrets: dict[str, str]) -> None:
    """
    Make an arena's folder with its settings.

    Shape: `secrets` are names of files below the arena, such as secrets/password, to what they hold.
    Errors: CharterError where there is an arena already, or something cannot be written.
    """
    refuse_another(root)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(root, wanted, secrets)


def mend_arena(root: Path, wanted: Settings, secrets: dict[str, str]) -> Path:
    """
    Give an arena other settings; return where the file is kept that they stood in before.

    Shape: as `found_arena`; a secret that is not among them stays as it is.
    """
    shelf = Shelf(root)
    shelf.write(shelf.read("settings.toml"), BEFORE)
    _write(root, wanted, secrets)
    return root / BEFORE


def _write(root: Path, wanted: Settings, secrets: dict[str, str]) -> None:
    """Write settings and secrets into a folder, which is its owner's alone from then on, whoever made it."""
    try:
        if root.stat().st_mode & 0o077:
            root.chmod(0o700)
    except OSError as error:
        raise CharterError(
            f"{root} cannot be made yours alone: {error.strerror}. Choose a folder of your own"
        ) from error
    for name, secret in secrets.items():
        write_secret(root / name, secret)
    Shelf(root).write((_HEADING + records.dump(_without_defaults(wanted))).encode(), "settings.toml")


def _without_defaults(wanted: Settings) -> dict[str, object]:
    """Leave out what says nothing but its default, so that the file is short enough to read."""
    plain = records.plain(wanted)
    for table in plain:
        kind = getattr(wanted, table)
        if not isinstance(kind, msgspec.Struct):
            continue
        for field in msgspec.structs.fields(kind):
            value = getattr(kind, field.name)
            if value == field.default and (field.name not in _ALWAYS or value == ""):
                plain[table].pop(field.name, None)
    return {table: values for table, values in plain.items() if values}


_ALWAYS = {"kind", "host", "port", "tls", "name", "plus", "zone", "poll", "folder", "processed", "dedicated"}
