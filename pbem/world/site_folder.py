"""The door to the folder of the site: pages are written whole, only where they differ, and readable by a web server."""

import os
from pathlib import Path

from pbem.ground.terms import SiteError

MODE, FOLDER_MODE = 0o644, 0o755


class SiteFolder:
    """
    A folder of pages.

    Shape: what is there and was not written by us is left alone. Errors: SiteError where the disk refuses.
    """

    def __init__(self, root: Path) -> None:
        """Take the folder; it is made at the first page."""
        self.root = root

    def has(self, path: str) -> bool:
        """Say whether a page is there."""
        return (self.root / path).is_file()

    def write(self, path: str, data: bytes) -> bool:
        """Write a page, swapped in at once; say whether it differed from what was there."""
        place = self.root / path
        try:
            if place.is_file() and place.read_bytes() == data:
                return False
            missing = [folder for folder in (place.parent, *place.parent.parents) if not folder.exists()]
            for folder in reversed(missing):
                folder.mkdir(mode=FOLDER_MODE)
            beside = place.with_name(f".{place.name}.new")
            beside.write_bytes(data)
            os.chmod(beside, MODE)
            beside.replace(place)
        except OSError as error:
            raise SiteError(f"{place} cannot be written: {error.strerror}.") from error
        return True

    def remove(self, path: str) -> None:
        """Remove a page that is no more."""
        try:
            (self.root / path).unlink(missing_ok=True)
        except OSError as error:
            raise SiteError(f"{self.root / path} cannot be removed: {error.strerror}.") from error

    def names(self, folder: str) -> list[str]:
        """List the pages in a folder of the site, without those in folders below."""
        place = self.root / folder
        return sorted(one.name for one in place.iterdir() if one.is_file()) if place.is_dir() else []
