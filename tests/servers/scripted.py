"""An SMTP server for tests that answers as it is told, stage by stage, and keeps what it took."""

import socket
import threading
from collections import Counter

from tests.servers.wire import Deaf, hang_up

STAGES = ("connect", "EHLO", "MAIL", "RCPT", "DATA", "dot")
GOOD = {
    "connect": "220",
    "EHLO": "250",
    "MAIL": "250",
    "RCPT": "250",
    "DATA": "354",
    "dot": "250",
    "RSET": "250",
}


class ScriptedServer(Deaf):
    """
    An SMTP server that answers by `script`: by stage, a code with words, "drop", "lose" or "stall".

    Shape: `once` has answers for one time alone, by stage and which time it is; `taken` has the bytes of each letter with the dot, as they came; `said` all commands; `met` counts
    connections. To lose is to take a letter and drop the connection before saying so.
    """

    def __init__(self) -> None:
        """Listen on a free port of loopback."""
        self.script: dict[str, str] = {}
        self.once: dict[tuple[str, int], str] = {}
        self.times: Counter[str] = Counter()
        self.features: list[str] = ["8BITMIME", "SMTPUTF8", "AUTH PLAIN LOGIN"]
        self.taken: list[bytes] = []
        self.said: list[str] = []
        self._closing = threading.Event()
        super().__init__()

    def close(self) -> None:
        """Close the door and all lines."""
        self._closing.set()
        super().close()

    def talk(self, line: socket.socket) -> None:
        """Answer, beside what is said on other lines."""
        threading.Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line: socket.socket) -> None:
        try:
            with line.makefile("rb") as heard:
                if not self._answer(line, "connect"):
                    return
                for command in heard:
                    if not self._take(line, heard, command.decode().rstrip("\r\n")):
                        return
        except (OSError, ValueError):
            pass

    def _take(self, line: socket.socket, heard: object, command: str) -> bool:
        self.said.append(command)
        verb = command.split(" ", 1)[0].upper()
        if verb in ("EHLO", "HELO"):
            return self._answer(line, "EHLO", self.features if verb == "EHLO" else [])
        if verb != "DATA":
            return self._answer(line, verb, command=command)
        refused = self._scripted("DATA")[:3] != "354"  # before the script changes
        if not self._answer(line, "DATA"):
            return False
        if refused:
            return True
        raw = b""
        for row in heard:  # type: ignore[attr-defined]
            raw += row
            if row == b".\r\n":
                break
        if self._scripted("dot")[:3] in ("250", "los"):
            self.taken.append(raw)
        return self._answer(line, "dot")

    def _scripted(self, stage: str) -> str:
        return self.once.get((stage, self.times[stage] + 1)) or self.script.get(stage, GOOD.get(stage, "500"))

    def _answer(self, line: socket.socket, stage: str, more: list[str] | None = None, command: str = "") -> bool:
        answer = self._scripted(stage)
        self.times[stage] += 1
        if answer == "stall":
            self._closing.wait()
            return False
        if answer in ("drop", "lose"):
            self._lines.remove(line)
            hang_up(line)
            return False
        code, _, words = answer.partition(" ")
        rows = [words.replace("ECHO", command) or "as scripted", *(more or [])]
        for row in rows[:-1]:
            line.sendall(f"{code}-{row}\r\n".encode())
        line.sendall(f"{code} {rows[-1]}\r\n".encode())
        return True
