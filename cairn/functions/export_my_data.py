"""`export-my-data` returns everything that is stored about the caller's proven email address, as a ZIP file."""

import math
from datetime import timedelta
from uuid import UUID

from starlette.responses import Response, StreamingResponse

from cairn.functions.call import Call
from cairn.functions.errors import AddressNotProven, TooManyExports
from cairn.kit import now
from cairn.limits import Limit, larger_network_of, take_now
from cairn.waivers import PersonExporter, export_person

# An export reads everything about a person. The second one is for a person whose download was interrupted.
_MAX_EXPORTS = 2
_WINDOW = timedelta(minutes=10)
# An export reads many documents, so it counts as this many.
_DOCUMENTS_PER_EXPORT = 10
_HEADERS = {"Content-Disposition": 'attachment; filename="my data.zip"', "Cache-Control": "private, no-store"}


async def export_my_data(call: Call) -> Response:
    user_id = call.principal.user_id
    if user_id is None:
        raise AddressNotProven
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        email = await connection.fetchval("select waivers.my_email()")
    if email is None:
        raise AddressNotProven
    await _limit_exports(call, user_id)
    exporter = PersonExporter(call.principal, user_id, email, call.ip)
    network = larger_network_of(call.ip)
    parts = await export_person(
        call.database, call.documents, exporter, now(), lambda: call.context.export_turns.turn(network)
    )
    return StreamingResponse(parts, media_type="application/zip", headers=_HEADERS)


async def _limit_exports(call: Call, user_id: UUID) -> None:
    call.limit_documents(_DOCUMENTS_PER_EXPORT)
    seconds = await take_now(call.database, Limit(f"exports of person {user_id}", _MAX_EXPORTS, _WINDOW))
    if seconds is not None:
        raise TooManyExports(minutes=math.ceil(seconds / 60), retry_after_seconds=math.ceil(seconds))
