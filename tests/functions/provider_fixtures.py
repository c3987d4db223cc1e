"""Fixtures for tests in which companies send through their own mail providers. A test module imports both fixtures."""

import pytest

from cairn.messaging import MessagingSettings
from tests.fixture_of import fixture_of
from tests.mail_server import MailServer
from tests.messaging.mail_providers import FakeProviders, running_providers

providers = fixture_of(running_providers)


@pytest.fixture
def messaging(mail_server: MailServer, providers: FakeProviders) -> MessagingSettings:
    return MessagingSettings(smtp=mail_server.settings, resend_url=providers.url, sendgrid_url=providers.url)
