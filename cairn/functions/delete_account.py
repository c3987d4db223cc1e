"""`delete-account` plans the deletion of the caller's account, and `keep-account` cancels that."""

from starlette.responses import JSONResponse, Response

from cairn.deletion import Requester, request_deletion
from cairn.deletion import keep_account as keep
from cairn.functions.call import Call


async def delete_account(call: Call) -> Response:
    delete_at = await request_deletion(
        call.database, Requester(call.principal, call.ip), call.context.deletion, call.documents.site_url
    )
    call.notifier.notify()
    return JSONResponse({"deleteAt": delete_at.isoformat()})


async def keep_account(call: Call) -> Response:
    await keep(call.database, Requester(call.principal, call.ip))
    return JSONResponse({})
