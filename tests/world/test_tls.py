"""What to try where a line to a mail server does not come about."""

import socket
import ssl

import pytest

from pbem.world import tls
from pbem.world.settings import ServerSettings, Tls


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [
        ("starttls", TimeoutError("timed out"), 'set tls = "tls"'),
        ("none", OSError("Connection unexpectedly closed: timed out"), 'set tls = "tls"'),
        ("tls", ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number"), 'set tls = "starttls"'),
        ("tls", ConnectionRefusedError(111, "Connection refused"), "Correct host or port"),
        ("tls", socket.gaierror(-2, "Name or service not known"), "Correct host."),
        ("tls", ssl.SSLCertVerificationError("self-signed"), ""),
        ("starttls", OSError("something else"), ""),
    ],
)
def test_an_error_comes_with_what_to_try(how: Tls, error: Exception, said: str) -> None:
    """The usual mistakes of ports and their encryption are named; of others nothing is guessed."""
    found = tls.advice(ServerSettings(host="mail.example.org", port=993, tls=how), error)
    assert (said in found) if said else found == ""
