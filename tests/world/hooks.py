"""A program that listens on loopback as chats do, and notes what it is told; it can refuse, be slow, or lead elsewhere."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec


class Heard(msgspec.Struct, frozen=True):
    """A request: method, path, headers with small letters, body."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Hook:
    """What was heard, and what the next requests are answered with: status, headers, body; 204 when there is none."""

    def __init__(self, port: int) -> None:
        """Begin with nothing."""
        self.url = f"http://127.0.0.1:{port}/hooks/secret-part"
        self.heard: list[Heard] = []
        self.answers: list[tuple[int, dict[str, str], bytes]] = []


@contextmanager
def listening() -> Iterator[Hook]:
    """Listen on a free port of loopback for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            hook.heard.append(Heard(self.command, self.path, headers, self.rfile.read(length)))
            status, more, body = hook.answers.pop(0) if hook.answers else (204, {}, b"")
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_PUT = do_GET = do_POST  # noqa: N815  as http.server calls them

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hook = Hook(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
