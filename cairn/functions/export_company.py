"""`export-company` returns the templates, waivers, documents and heads of a company to its owner, as a ZIP."""

import math
from datetime import timedelta

from starlette.responses import Response, StreamingResponse

from cairn.accounts import owned_company
from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.company import require_company_user
from cairn.functions.errors import OnlyOwnersExport, TooManyCompanyExports
from cairn.kit import now
from cairn.limits import Limit, larger_network_of, take_now
from cairn.waivers import CompanyExporter
from cairn.waivers import export_company as exported_parts

# An export reads everything of a company. The second and third are for downloads that were interrupted.
_MAX_EXPORTS = 3
_WINDOW = timedelta(days=1)
# An export reads many documents, so it counts as this many.
_DOCUMENTS_PER_EXPORT = 10
_HEADERS = {"Content-Disposition": 'attachment; filename="company.zip"', "Cache-Control": "private, no-store"}


async def export_company(call: Call) -> Response:
    person = await require_company_user(call, OnlyOwnersExport)
    assert call.principal.user_id is not None, "only signed-in users have a company"
    async with call.database.acting_as(SERVICE, read_only=True) as connection:
        company_id = await owned_company(connection, call.principal.user_id)
    if company_id is None:
        raise OnlyOwnersExport
    call.limit_documents(_DOCUMENTS_PER_EXPORT)
    seconds = await take_now(call.database, Limit(f"exports of company {company_id}", _MAX_EXPORTS, _WINDOW))
    if seconds is not None:
        raise TooManyCompanyExports(hours=math.ceil(seconds / 3600), retry_after_seconds=math.ceil(seconds))
    exporter = CompanyExporter(call.principal, company_id, person.company_name, call.ip)
    network = larger_network_of(call.ip)
    parts = await exported_parts(
        call.database, call.documents, exporter, now(), lambda: call.context.export_turns.turn(network)
    )
    return StreamingResponse(parts, media_type="application/zip", headers=_HEADERS)
