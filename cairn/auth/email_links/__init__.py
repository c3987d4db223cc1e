"""One-time links and codes sent by email or SMS: confirm an address, sign in, reset a password, invite.

`one_time_token` issues a token, `send` writes the message, `verify` redeems it. `service()` mounts `ROUTES`.
"""

from cairn.auth.email_links.change_address import check_address_change, request_email_change, request_phone_change
from cairn.auth.email_links.confirmation import is_confirmed_immediately, is_usable_immediately
from cairn.auth.email_links.generate_link import LINK_TYPES, LinkParameters, generate_link
from cairn.auth.email_links.invite import invite
from cairn.auth.email_links.reauthenticate import use_nonce
from cairn.auth.email_links.routes import ROUTES
from cairn.auth.email_links.send import send_email, send_text

__all__ = [
    "LINK_TYPES",
    "ROUTES",
    "LinkParameters",
    "check_address_change",
    "generate_link",
    "invite",
    "is_confirmed_immediately",
    "is_usable_immediately",
    "request_email_change",
    "request_phone_change",
    "send_email",
    "send_text",
    "use_nonce",
]
