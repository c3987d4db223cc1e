from collections.abc import Mapping
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.send import send_email
from cairn.auth.errors import EmailExists
from cairn.auth.model import EmailLinkRequest, Person, new_account_metadata
from cairn.db import Connection


async def invite(context: AuthContext, email: str, data: Mapping[str, Any], link_request: EmailLinkRequest) -> Person:
    """Creates the account and sends the invitation; a second invitation replaces the first."""
    async with context.sending_transaction() as conn:
        person = await find_or_add_invited(conn, email, data)
        await send_email(context, conn, person, "invite", to=email, link_request=link_request)
        await store.add_audit_entry(conn, "user_invited", person.id, link_request.caller)
        return await store.person_by_id(conn, person.id) or person


async def find_or_add_invited(conn: Connection, email: str, data: Mapping[str, Any]) -> Person:
    person = await store.person_by_email(conn, email)
    if person is None:
        app_metadata, user_metadata = new_account_metadata(data, email, None)
        person = await store.add_person(conn, email=email, app_metadata=app_metadata, user_metadata=user_metadata)
    if person is None or person.email_confirmed_at is not None:
        raise EmailExists
    return person
