"""`export-heads` returns all signed heads of the caller's company.

A company that keeps them elsewhere can show later that something has disappeared.
"""

from starlette.responses import Response

from cairn.functions.call import Call
from cairn.functions.company import require_company_user
from cairn.functions.errors import OnlyCompaniesExport
from cairn.functions.parameters import download
from cairn.messaging import Attachment
from cairn.waivers import export_heads as exported_heads

# An export reads all heads of a company, so it counts as this many documents.
_DOCUMENTS_PER_EXPORT = 10


async def export_heads(call: Call) -> Response:
    call.limit_documents(_DOCUMENTS_PER_EXPORT)
    person = await require_company_user(call, OnlyCompaniesExport)
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        content = await exported_heads(connection, person.company_id)
    return download(Attachment("heads.json", "application/json", content))
