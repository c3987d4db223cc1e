"""Fixtures for tests in which companies send through their own mail providers. Import both into the test module."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cairn.messaging import MessagingSettings
from tests.mail_server import MailServer
from tests.messaging.mail_providers import FakeProviders, running_providers


@pytest_asyncio.fixture
async def providers() -> AsyncIterator[FakeProviders]:
    async with running_providers() as providers:
        yield providers


@pytest.fixture
def messaging(mail_server: MailServer, providers: FakeProviders) -> MessagingSettings:
    return MessagingSettings(smtp=mail_server.settings, resend_url=providers.url, sendgrid_url=providers.url)
