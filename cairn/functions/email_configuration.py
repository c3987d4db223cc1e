"""`email-configuration`: which provider sends the company's mail. The key itself is never returned."""

from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.company import calling_company
from cairn.messaging import configuration_summary


async def email_configuration(call: Call) -> Response:
    await calling_company(call)
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        shown = await configuration_summary(connection)
    has_server = call.tools.messaging.smtp is not None
    return JSONResponse(
        {
            "provider": shown.provider,
            "hasApiKey": shown.has_api_key,
            "customEndpoint": shown.custom_endpoint,
            "senderEmail": shown.sender_email,
            "failingSince": shown.failing_since and shown.failing_since.isoformat(),
            "lastError": shown.last_error,
            # Whether the server itself has a mail server, or keeps emails in its mailbox.
            "serviceConfigured": has_server,
            "serviceProvider": "smtp" if has_server else "mailbox",
            "serviceSender": call.tools.messaging.sender,
        },
        headers={"Cache-Control": "no-store"},
    )
