"""`mail-allowance` returns how many emails the caller's company can still send today. The send dialogs show it."""

from starlette.responses import JSONResponse, Response

from cairn.billing import message_quota
from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.company import require_company_user
from cairn.kit import now
from cairn.messaging import next_day, sending_status


async def mail_allowance(call: Call) -> Response:
    """`perDay` is null if nothing is limited: there is no mail server, and the company has no provider."""
    person = await require_company_user(call)
    settings = call.context.messaging
    async with call.database.acting_as(SERVICE, read_only=True) as connection:
        status = await sending_status(connection, settings, person.company_id)
        quota = await message_quota(connection, person.company_id, settings.emails)
    per_day = quota.per_company
    if status.is_restricted:
        per_day = min(per_day, settings.emails.unconfirmed_per_day)
    return JSONResponse(
        {
            "perDay": per_day if status.is_counted else None,
            "sentToday": min(status.sent_today, per_day),
            "resetsAt": next_day(now()).isoformat(),
            "needsConfirmedAddress": status.is_restricted,
        }
    )
