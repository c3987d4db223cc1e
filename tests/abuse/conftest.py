"""Tests of abuse use the servers and visitors of the other tests, and one server that they share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.abuse.connections import SLOW_CLIENT_SETTINGS, allow_many_files
from tests.abuse.sockets import SOCKET_SETTINGS
from tests.auth.conftest import (
    advance_clock,
    google,
    google_settings,
    keyring,
    mailbox,
    phone_visitor,
    settings,
    visitor,
    visitor_with_google,
    visitor_without_email_delay,
)
from tests.functions.conftest import client, context, mail_server, messaging, people, worker
from tests.serving import RunningServer, serving

__all__ = [
    "advance_clock",
    "client",
    "context",
    "google",
    "google_settings",
    "keyring",
    "mail_server",
    "mailbox",
    "messaging",
    "people",
    "phone_visitor",
    "settings",
    "visitor",
    "visitor_with_google",
    "visitor_without_email_delay",
    "worker",
]


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Runs `cairn serve` without a worker. Modules that use it are in one xdist group, so that it starts only once."""
    allow_many_files()
    settings = {**SLOW_CLIENT_SETTINGS, **SOCKET_SETTINGS}
    with serving(Path(tmp_path_factory.mktemp("abuse")), worker=False, settings=settings) as running:
        yield running
