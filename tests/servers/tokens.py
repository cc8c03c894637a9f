"""A server on loopback that makes access tokens and knows which hold: what an account's provider runs for OAuth 2."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl


class TokenServer:
    """
    Answers at `token_url` by the next of `answers`, each a status and a body, and at `introspection_url` by `holds`.

    Shape: `holds` maps an access token to the user that it stands for; `asked` are the forms that came to the first.
    """

    def __init__(self) -> None:
        self.holds: dict[str, str] = {}
        self.answers: list[tuple[int, Any]] = []
        self.asked: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handling(self))
        root = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.token_url, self.introspection_url = f"{root}/token", f"{root}/introspect"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Answer nobody any more."""
        self._server.shutdown()
        self._server.server_close()

    def issue(self, token: str, **more: Any) -> None:
        """Answer the next who asks with an access token."""
        self.answers.append((200, {"access_token": token, "token_type": "Bearer", **more}))


def _handling(server: TokenServer) -> type[BaseHTTPRequestHandler]:
    class Handling(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
            if self.path == "/token":
                server.asked.append(form)
                self._answer(*server.answers.pop(0))
            else:
                user = server.holds.get(form["token"])
                self._answer(200, {"active": True, "username": user} if user else {"active": False})

        def _answer(self, status: int, body: Any) -> None:
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the library's name for it
            """Say nothing."""

    return Handling
