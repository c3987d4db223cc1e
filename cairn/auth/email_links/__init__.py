"""This part of the API sends one-time links and codes, by email or by text message.

With them, users confirm an address, sign in, reset their password or accept an invitation. `one_time_token` issues a
token, `send` queues the message that contains it, and `verify` redeems it.
"""

from cairn.auth.email_links.change_address import (
    changes_email_without_old_address,
    check_address_change,
    request_email_change,
    request_phone_change,
)
from cairn.auth.email_links.confirmation import is_confirmed_immediately, is_usable_immediately
from cairn.auth.email_links.generate_link import LINK_TYPES, LinkParameters, generate_link
from cairn.auth.email_links.invite import invite
from cairn.auth.email_links.reauthenticate import check_nonce, use_nonce
from cairn.auth.email_links.routes import ROUTES
from cairn.auth.email_links.send import send_email, send_password_notice, send_text

__all__ = [
    "LINK_TYPES",
    "ROUTES",
    "LinkParameters",
    "changes_email_without_old_address",
    "check_address_change",
    "check_nonce",
    "generate_link",
    "invite",
    "is_confirmed_immediately",
    "is_usable_immediately",
    "request_email_change",
    "request_phone_change",
    "send_email",
    "send_password_notice",
    "send_text",
    "use_nonce",
]
