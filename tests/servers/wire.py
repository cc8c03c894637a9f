"""The way to a server, as bad as it gets: cut or held up after so many bytes, its words changed, its callers counted."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class Deaf:
    """A door where nobody ever answers; `met` counts who came, and whoever is unwelcome is shown out at once."""

    def __init__(self, *, welcome: bool = True) -> None:
        self.met = 0
        self.welcome = welcome
        self._lines: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._receive, daemon=True).start()

    def close(self) -> None:
        """Close the door and all connections."""
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.hang_up()

    def hang_up(self) -> None:
        """End all connections that there are; whoever comes back meanwhile is not meant."""
        lines, self._lines = self._lines, []
        for line in lines:
            hang_up(line)

    def _receive(self) -> None:
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:
                return
            self.met += 1
            self._lines.append(line)
            if self.welcome:
                self.talk(line)
            else:
                hang_up(line)

    def talk(self, line: socket.socket) -> None:
        """Say nothing."""


class Wire(Deaf):
    """
    A door behind which there is a server.

    Shape: `down` and `up` are the bytes that a connection lets through from the server and to it, None for all;
    what happens to it after them is to end, or with `holds` nothing any more. `change` is done to what the server
    says, line ends and all, as it comes; with its farewell a connection ends. `said` is what all callers said, and `heard` what was said to them.
    """

    def __init__(self, port: int) -> None:
        self.down: int | None = None
        self.up: int | None = None
        self.holds = False
        self.change: Callable[[bytes], bytes] = bytes
        self.said = b""
        self.heard = b""
        self._to = port
        super().__init__()

    def leads_to(self, port: int) -> None:
        """Lead to another server from now on, and end all connections to the one before."""
        self._to = port
        self.hang_up()

    def talk(self, line: socket.socket) -> None:
        """Connect to the server and carry everything to and fro."""
        try:
            server = socket.create_connection(("127.0.0.1", self._to))
        except OSError:
            hang_up(line)
            return
        self._lines.append(server)
        threading.Thread(target=self._carry_up, args=(line, server), daemon=True).start()
        threading.Thread(target=self._carry_down, args=(server, line), daemon=True).start()

    def _carry_up(self, line: socket.socket, server: socket.socket) -> None:
        left = self.up
        with suppress(OSError):
            while data := line.recv(1 << 16):
                data = data[:left]
                self.said += data
                server.sendall(data)
                if left is not None and (left := left - len(data)) == 0:
                    break
        self._end(line, server)

    def _carry_down(self, server: socket.socket, line: socket.socket) -> None:
        left = self.down
        with suppress(OSError):
            while data := server.recv(1 << 16):
                data = self.change(data)[:left]
                self.heard += data
                line.sendall(data)
                if data.startswith(b"* BYE") or (left is not None and (left := left - len(data)) == 0):
                    break
        self._end(server, line)

    def _end(self, one: socket.socket, other: socket.socket) -> None:
        if not self.holds:
            hang_up(one)
            hang_up(other)


def hang_up(line: socket.socket) -> None:
    """End a connection, in both directions."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
