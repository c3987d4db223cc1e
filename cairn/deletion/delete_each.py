import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

from cairn.db import SERVICE, Connection, Database

log = logging.getLogger(__name__)


async def delete_each(
    database: Database,
    find: Callable[[Connection], Awaitable[list[UUID]]],
    delete: Callable[[UUID], Awaitable[bool]],
    failure: str,
) -> int:
    """Deletes the accounts or companies that `find` returns, and returns how many were deleted.

    If one cannot be deleted, the text of `failure` is logged. This call goes on with the others, and the next one tries
    again.
    """
    async with database.acting_as(SERVICE, read_only=True) as connection:
        ids = await find(connection)
    deleted_count = 0
    for owner_id in ids:
        try:
            deleted_count += await delete(owner_id)
        except Exception:
            log.exception(failure, owner_id)
    return deleted_count
