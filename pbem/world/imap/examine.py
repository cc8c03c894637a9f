"""A look at what an IMAP server can do for us, for whoever sets up an account; changes nothing there."""

import msgspec
from imapclient import IMAPClient

from pbem.world.imap.account import Account


class Examined(msgspec.Struct, frozen=True):
    """
    What was seen of an account: what the server can do, the mails in its folder, and all folders.

    Shape: `keywords` says whether mails can be marked with words of our own.
    """

    move: bool
    idle: bool
    keywords: bool
    mails: int
    folders: tuple[str, ...]


def examine(account: Account, folder: str) -> Examined:
    """Log in and look at a folder. Errors: MailboxError."""
    box: dict[bytes, object] = {}

    def select(client: IMAPClient) -> None:
        box.update(client.select_folder(folder))

    with account.client(select) as client:
        lasting = box.get(b"PERMANENTFLAGS", ())
        return Examined(
            move=bool(client.has_capability("MOVE")),
            idle=bool(client.has_capability("IDLE")),
            keywords=isinstance(lasting, tuple) and b"\\*" in lasting,
            mails=int(str(box.get(b"EXISTS", 0))),
            folders=tuple(str(name) for _, _, name in client.list_folders()),
        )
