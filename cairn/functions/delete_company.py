"""`delete-company` plans the deletion of the company that the caller owns, and `keep-company` cancels that."""

from starlette.responses import JSONResponse, Response

from cairn.deletion import Requester, request_company_deletion
from cairn.deletion import keep_company as keep
from cairn.functions.call import Call


async def delete_company(call: Call) -> Response:
    delete_at = await request_company_deletion(
        call.database, Requester(call.principal, call.ip), call.context.deletion, call.documents.site_url
    )
    call.notifier.notify()
    return JSONResponse({"deleteAt": delete_at.isoformat()})


async def keep_company(call: Call) -> Response:
    await keep(call.database, Requester(call.principal, call.ip), call.documents.site_url)
    call.notifier.notify()
    return JSONResponse({})
