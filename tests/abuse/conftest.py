"""Tests of abuse use the servers and visitors of the other tests."""

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
