"""One-time links and codes sent by email or SMS: confirm an address, sign in, reset a password, invite.

`one_time` issues a token, `send` writes the message, `verify` redeems it. `service()` mounts `routes`.
"""

from cairn.auth.email_links.change_address import ask_for_email, ask_for_phone, may_ask_for
from cairn.auth.email_links.confirmation import is_confirmed_at_once, works_at_once
from cairn.auth.email_links.generate_link import LINK_TYPES, LinkWish, generate_link
from cairn.auth.email_links.invite import invite
from cairn.auth.email_links.reauthenticate import use_nonce
from cairn.auth.email_links.send import mail, text

__all__ = [
    "LINK_TYPES",
    "LinkWish",
    "ask_for_email",
    "ask_for_phone",
    "generate_link",
    "invite",
    "is_confirmed_at_once",
    "mail",
    "may_ask_for",
    "text",
    "use_nonce",
    "works_at_once",
]
