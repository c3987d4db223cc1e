"""Plans the deletion of a guest's account at the request of the guest. The package `deletion` carries it out."""

from datetime import datetime
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Guest:
    id: UUID
    name: str
    # None if the guest has not confirmed it, because it may then be the address of a stranger.
    confirmed_email: str | None
    # The address with which the guest signs in, confirmed or not.
    email: str
    delete_at: datetime | None


async def is_guest(connection: Connection) -> bool | None:
    """Returns whether the caller of this transaction is a guest, or None if no one is signed in."""
    is_customer: bool | None = await connection.fetchval("select role = 'customer' from profiles where id = auth.uid()")
    return is_customer


async def lock_guest(connection: Connection, user_id: UUID) -> Guest | None:
    """Locks the account, so that its deletion cannot run or be cancelled before this transaction ends.

    Returns None if the user is not a guest.
    """
    row = await connection.fetchrow(
        """
        select id, name, email, delete_at, auth.confirmed_email(id) as confirmed_email
          from profiles where id = $1 and role = 'customer' for no key update
        """,
        user_id,
    )
    return None if row is None else Guest(**row)


async def schedule_guest_deletion(connection: Connection, user_id: UUID, delete_at: datetime | None) -> None:
    """Sets when the account is deleted. None means that the guest keeps it."""
    await connection.execute("update profiles set delete_at = $2 where id = $1", user_id, delete_at)


async def guests_to_delete(connection: Connection, now: datetime) -> list[UUID]:
    """Returns all guests whose deletion is due.

    There is no limit. Otherwise the guests who cannot be deleted yet could delay the others.
    """
    rows = await connection.fetch(
        "select id from profiles where delete_at <= $1 and role = 'customer' order by delete_at", now
    )
    return [row["id"] for row in rows]
