"""`send-test-email`: a mail to oneself, through whatever is saved, and the truth about what became of it."""

from uuid import uuid4

from starlette.responses import Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.company import calling_company
from cairn.functions.errors import TooManyTests
from cairn.functions.outcome import outcome
from cairn.messaging import Email, add_email, recent_tests

_AN_HOUR = 20
SUBJECT = "Test email from Cairn"
BODY = """\
Hello,

this is the test you asked for. It was sent the way your waivers are sent, so if you can read this, they arrive.
"""


async def send_test_email(call: Call) -> Response:
    person = await calling_company(call)
    email = Email(uuid4(), person.email, SUBJECT, BODY, sender_name=person.company_name or None, reply_to=person.email)
    async with call.database.acting_as(SERVICE) as connection:
        if await recent_tests(connection, person.company_id) >= _AN_HOUR:
            raise TooManyTests(limit=_AN_HOUR)
        await add_email(connection, email, company_id=person.company_id, kind="test")
    return await outcome(call, email.id)
