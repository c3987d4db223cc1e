"""`delete-account` and `delete-company` schedule a deletion, and `keep-account` and `keep-company` cancel it."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from starlette.responses import JSONResponse, Response

from cairn import deletion
from cairn.db import Database
from cairn.deletion import DeletionSettings, Requester
from cairn.functions.call import Call

Schedule = Callable[[Database, Requester, DeletionSettings, str], Awaitable[datetime]]


async def delete_account(call: Call) -> Response:
    return await _scheduled(call, deletion.request_deletion)


async def delete_company(call: Call) -> Response:
    return await _scheduled(call, deletion.request_company_deletion)


async def _scheduled(call: Call, schedule: Schedule) -> Response:
    delete_at = await schedule(call.database, _requester(call), call.context.deletion, call.documents.site_url)
    call.notifier.notify()
    return JSONResponse({"deleteAt": delete_at.isoformat()})


async def keep_account(call: Call) -> Response:
    await deletion.keep_account(call.database, _requester(call))
    return JSONResponse({})


async def keep_company(call: Call) -> Response:
    await deletion.keep_company(call.database, _requester(call), call.documents.site_url)
    call.notifier.notify()
    return JSONResponse({})


def _requester(call: Call) -> Requester:
    return Requester(call.principal, call.ip)
