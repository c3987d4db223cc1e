"""Tests of abuse use the servers and visitors of the other tests."""

from tests.auth.conftest import (
    advance_clock,
    google,
    google_settings,
    keyring,
    mailbox,
    settings,
    visitor,
    visitor_with_google,
    visitor_without_email_delay,
)

__all__ = [
    "advance_clock",
    "google",
    "google_settings",
    "keyring",
    "mailbox",
    "settings",
    "visitor",
    "visitor_with_google",
    "visitor_without_email_delay",
]
