"""Records in the history of a waiver who downloaded its document or exported its evidence pack."""

from typing import Literal
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.waivers.documents import store

# The history of a waiver records at most this many events of each kind, because a link can be opened again and again.
# The same event is recorded again only after five seconds.
_MAX_DOWNLOADS = 200
_MAX_EXPORTS = 1000

# Why the caller may read the document.
Right = Literal["company", "service key", "signer", "browser that signed", "link in an email"]


async def note_download(
    database: Database, waiver_id: UUID, right: Right, principal: Principal, ip: str | None
) -> None:
    access = _access(right, principal, ip)
    async with database.acting_as(SERVICE) as connection:
        await store.note_access(connection, waiver_id, "document.downloaded", access, max_events=_MAX_DOWNLOADS)


async def note_export(database: Database, waiver_id: UUID, principal: Principal, ip: str | None) -> None:
    access = _access(right_of_company(principal), principal, ip)
    async with database.acting_as(SERVICE) as connection:
        await store.note_access(connection, waiver_id, "evidence.exported", access, max_events=_MAX_EXPORTS)


def right_of_company(principal: Principal) -> Right:
    """The right of a caller to whom row-level security shows the waiver: the company, or the operator's key."""
    return "service key" if principal.role == SERVICE.role else "company"


def _access(right: Right, principal: Principal, ip: str | None) -> dict[str, str | None]:
    return {"access": right, "by": str(principal.user_id) if principal.user_id else None, "ip": ip}
