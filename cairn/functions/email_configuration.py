"""`email-configuration` returns which provider sends the company's email. Its keys are never returned."""

from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.company import require_company_user
from cairn.messaging import REPORT_PATH, configuration_summary


async def email_configuration(call: Call) -> Response:
    user = await require_company_user(call)
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        configuration = await configuration_summary(connection)
    has_server = call.context.messaging.smtp is not None
    return JSONResponse(
        {
            "provider": configuration.provider,
            "hasApiKey": configuration.has_api_key,
            "customEndpoint": configuration.custom_endpoint,
            "senderEmail": configuration.sender_email,
            "failingSince": configuration.failing_since and configuration.failing_since.isoformat(),
            "lastError": configuration.last_error,
            "hasReportKey": configuration.has_report_key,
            # Where Resend and SendGrid send their reports about bounces and complaints.
            "reportPaths": {name: f"{REPORT_PATH}/{name}/{user.company_id}" for name in ("resend", "sendgrid")},
            # Without a mail server, emails stay in the local mailbox.
            "serviceConfigured": has_server,
            "serviceProvider": "smtp" if has_server else "mailbox",
            "serviceSender": call.context.messaging.sender,
        },
        headers={"Cache-Control": "no-store"},
    )
