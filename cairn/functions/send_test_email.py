"""`send-test-email` sends a test email to the caller through the saved provider and returns the outcome."""

from dataclasses import replace
from uuid import uuid4

from starlette.responses import Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.company import require_active_company
from cairn.functions.email_outcome import email_outcome
from cairn.functions.errors import TooManyTestEmails
from cairn.messaging import (
    CountedEmail,
    Email,
    add_email,
    count_recent_tests,
    email_body,
    greeting,
    neutral_sender_name,
    sending_status,
    take_email,
)
from cairn.translations import text

_MAX_TESTS_PER_HOUR = 20
SUBJECT = text("Test email from Cairn")
BODY = text(
    "This is the test email you asked for. It was sent in the same way as your waivers, so your settings are right."
)


async def send_test_email(call: Call) -> Response:
    person = await require_active_company(call)
    email = Email(
        id=uuid4(),
        recipient=person.email,
        subject=str(SUBJECT),
        body=email_body(greeting(person.name), str(BODY)),
        sender_name=person.company_name or None,
        reply_to=person.email,
    )
    settings = call.context.messaging
    async with call.database.acting_as(SERVICE) as connection:
        if await count_recent_tests(connection, person.company_id) >= _MAX_TESTS_PER_HOUR:
            raise TooManyTestEmails(limit=_MAX_TESTS_PER_HOUR)
        status = await sending_status(connection, settings, person.company_id)
        # A test has the quota of a company with a plan, even if this company has none.
        quota = settings.emails.message_quota(has_plan=True)
        if status.is_restricted:
            # The address of the caller may be that of a stranger.
            email = replace(email, sender_name=neutral_sender_name(email.sender_name))
        counted_email = CountedEmail(person.email, quota, call.network, is_test=True)
        refusal = await take_email(connection, settings, status, counted_email)
        if refusal is not None:
            raise refusal
        await add_email(
            connection, email, company_id=person.company_id, kind="test", stays_local=not status.leaves_the_server
        )
    return await email_outcome(call, email.id)
