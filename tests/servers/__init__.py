"""Private mail servers on loopback for tests, and what can go wrong on the way to them; they know nothing of ours."""

from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.postfix import Postfix
from tests.servers.process import MissingError, StartError, installed, running
from tests.servers.tokens import TokenServer
from tests.servers.wire import Deaf, Wire

__all__ = [
    "PASSWORD", "Deaf", "Dovecot", "MissingError", "Postfix", "StartError", "TokenServer", "Wire", "installed",
    "running",
]  # fmt: skip
