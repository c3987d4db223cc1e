"""Gives an account to the person who has just proven its address, if no one had proven it before.

Accounts work before their address is confirmed, so anyone could have signed up with this address and waited for its
owner. Everything that could let an earlier user in again is deleted.
"""

from datetime import datetime
from uuid import UUID

from cairn.auth import store
from cairn.auth.model import Caller, User
from cairn.db import Connection


async def hand_over_to_mailed_person(
    conn: Connection,
    user: User,
    kind: store.AddressKind,
    address: str,
    *,
    purpose: str,
    kept_flow_id: UUID | None,
    caller: Caller,
    now: datetime,
) -> None:
    """Gives the account to a person who has used a link or code that was sent to `address`.

    `kept_flow_id` is the PKCE flow of that link, with which the person will sign in.
    """
    await store.clear_account(conn, user.id, kept_flow_id=kept_flow_id)
    await store.change_to_proven_address(conn, user.id, kind, address, now)
    if user.encrypted_password is not None:
        await store.mark_password_removed(conn, user.id)
    await store.add_audit_entry(conn, "account_handed_over", user.id, caller, method=purpose)


async def hand_over_to_federated_person(
    conn: Connection, user: User, *, provider: str, caller: Caller, now: datetime
) -> None:
    """Gives the account to a person whose address a provider has verified. The caller then adds their identity."""
    await store.clear_account(conn, user.id)
    await store.confirm_address(conn, user.id, "email", now)
    await store.add_audit_entry(conn, "account_handed_over", user.id, caller, provider=provider)
