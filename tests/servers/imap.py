"""An IMAP server for tests that fails at some mails as it is told; it knows one folder, and one for what is done with."""

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from tests.servers.wire import Deaf

VALIDITY = 77


class FailingImap(Deaf):
    """
    An IMAP server that holds `mails` by UID, and fails at those that are `bad`.

    Shape: it fails where a command holds the word `at`, by `how`: "no", "bad", "drop", or where it tells something of
    each mail also "nil", "empty" and "skip"; `done` are the mails that were moved away or marked, `said` all commands.
    """

    def __init__(self, mails: dict[int, bytes], *, moves: bool = True) -> None:
        self.mails, self.done = dict(mails), dict[int, bytes]()
        self.bad: set[int] = set()
        self.at, self.how = "", ""
        self.moves = moves
        self.said: list[str] = []
        super().__init__()

    def talk(self, line: socket.socket) -> None:
        """Answer, beside what is said on other lines."""
        threading.Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line: socket.socket) -> None:
        self._folder = self.mails
        with suppress(OSError), line, line.makefile("rb") as heard:
            line.sendall(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
            for command in heard:
                tag, _, rest = command.decode().rstrip().partition(" ")
                self.said.append(rest)
                lines: list[bytes] = []
                end = self._answer(rest, lines.append)
                if end == "drop":
                    line.shutdown(socket.SHUT_RDWR)
                    return
                line.sendall(b"".join([*lines, f"{tag} {end}\r\n".encode()]))

    def _answer(self, command: str, say: Callable[[bytes], None]) -> str:
        verb = command.upper().removeprefix("UID ").split(" ")[0]
        uids = self._uids(command) if command.startswith("UID") else []
        fails = [uid for uid in uids if uid in self.bad and self.at in command]
        if fails and self.how in ("no", "bad", "drop"):
            return {"no": "NO cannot be retrieved", "bad": "BAD Command Error. 12", "drop": "drop"}[self.how]
        match verb:
            case "CAPABILITY":
                say(b"* CAPABILITY IMAP4rev1" + b" MOVE" * self.moves + b"\r\n")
            case "SELECT" | "EXAMINE":
                self._folder = self.done if "Processed" in command else self.mails
                say(f"* {len(self._folder)} EXISTS\r\n* OK [PERMANENTFLAGS (\\*)] x\r\n".encode())
                say(f"* OK [UIDVALIDITY {VALIDITY}] x\r\n".encode())
            case "LIST":
                say(b'* LIST () "/" Processed\r\n')
            case "SEARCH":
                found = [uid for uid in self._folder if (uid in self.done) == (" KEYWORD" in command)]
                found = [*self._folder] if "KEYWORD" not in command else found
                say(b"* SEARCH" + b"".join(b" %d" % uid for uid in found) + b"\r\n")
            case "FETCH":
                for uid in uids:
                    how = self.how if uid in fails else ""
                    if how != "skip":
                        say(
                            f"* {[*self._folder].index(uid) + 1} FETCH (UID {uid} ".encode()
                            + self._told(command, uid, how)
                        )
            case "MOVE" | "STORE":
                self.done |= {uid: self.mails[uid] for uid in uids if uid in self.mails}
                self.mails = self.mails if verb == "STORE" else {u: r for u, r in self.mails.items() if u not in uids}
        return "OK done"

    def _uids(self, command: str) -> list[int]:
        found: list[int] = []
        for part in re.split(",", command.split(" ")[2]) if re.match(r"UID (FETCH|MOVE|STORE)", command) else []:
            first, _, last = part.partition(":")
            found += range(int(first), int(last or first) + 1)
        return [uid for uid in found if uid in {**self.mails, **self.done}]

    def _told(self, command: str, uid: int, how: str) -> bytes:
        raw = {**self.mails, **self.done}[uid]
        if "INTERNALDATE" in command:
            date = b"NIL" if how else b'"27-Nov-2025 15:00:00 +0000"'
            return b"INTERNALDATE " + date + b" RFC822.SIZE %d)\r\n" % len(raw)
        if how:
            return {"nil": b"BODY[] NIL)\r\n", "empty": b'BODY[] "")\r\n'}[how]
        return b"BODY[] {%d}\r\n" % len(raw) + raw + b")\r\n"
