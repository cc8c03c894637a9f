"""What tests of the world find there: a Dovecot and a Postfix of this worker's own, and an account at the former."""

from collections.abc import Iterator

import pytest

from tests.imap_scene import Scene
from tests.servers import Dovecot, Postfix, installed, running


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """An IMAP server for any user."""
    with installed():
        made = Dovecot()
    with running(made) as server:
        yield server


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A mail server that delivers to it."""
    with installed():
        made = Postfix(dovecot)
    with running(made) as server:
        yield server


@pytest.fixture
def scene(dovecot: Dovecot) -> Iterator[Scene]:
    """An account of this test's own."""
    made = Scene(dovecot)
    yield made
    made.close()
