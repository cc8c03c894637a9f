"""What a sweep did, and what became of each mail: for the log, the daemon and whoever runs the arena."""

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """
    What became of a mail, for the log: nothing that it says, and no address.

    Shape: `became` is its disposition in its game, or why it landed on the desk; `seat` whose it is, "" for nobody's.
    Units: `seconds` is how long it took to read, where that was long.
    """

    message_id: str
    became: str
    game: str = ""
    seat: str = ""
    entry: int = 0
    seconds: float = 0


class Swept(msgspec.Struct, kw_only=True):
    """
    What a sweep did: mails handled and what became of each, entries made, letters sent, troubles in words.

    Shape: `still` are the games that stand still, `letters` which letter tells the moderator of each, "" where none
    could be filed; `waiting` are games that wait for their threads on the forum; `away` the troubles that are those of
    the mail servers and so of the whole arena; they stand among the `troubles` too. `drained` says that the mailbox was
    read to its end.
    Units: `spent` are the seconds that it took to read each mail, by its digest.
    """

    mails: int = 0
    entries: int = 0
    sent: int = 0
    troubles: list[str] = []
    still: set[str] = set()
    letters: dict[str, str] = {}
    waiting: set[str] = set()
    away: list[str] = []
    drained: bool = False
    outcomes: list[Outcome] = []
    spent: dict[str, float] = {}
