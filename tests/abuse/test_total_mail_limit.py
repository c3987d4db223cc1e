"""A6 and AL2: limits for the emails of the whole server, and for those to one address.

A6: requests that send no email do not use up the emails of the server. AL2: one address cannot be flooded.

A6 and AL2 are findings in docs/security.md.
"""

from datetime import timedelta

import pytest

from cairn.db import SERVICE, Database
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"
EMAILS_PER_HOUR = 3


async def request_without_email(visitor: Visitor, kind: str, address: str) -> int:
    """Sends a request for an address that has no account, so that no email is sent."""
    if kind == "recover":
        return (await visitor.post("/recover", email=address)).status_code
    if kind == "resend":
        return (await visitor.post("/resend", type="signup", email=address)).status_code
    return (await visitor.post("/otp", email=address, create_user=False)).status_code


@pytest.mark.parametrize(("kind", "status"), [("recover", 200), ("resend", 200), ("otp", 422)])
async def test_a6_requests_for_unknown_addresses_do_not_stop_the_emails_of_others(
    visitor_with: VisitorWith, mailbox: Mailbox, kind: str, status: int
) -> None:
    async with visitor_with(rate_limit_email_sent=EMAILS_PER_HOUR) as visitor:
        for number in range(2 * EMAILS_PER_HOUR):
            address = f"unknown{number}@victim.example"
            assert await request_without_email(visitor, kind, address) == status

        json_of(await visitor.sign_up(ROSA))
        json_of(await visitor.post("/recover", email=ROSA))

    assert len(await mailbox.emails(ROSA)) == 2


async def test_a6_a_sign_up_beyond_the_limit_works_and_its_email_can_be_sent_later(
    database: Database, visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    async with visitor_with(rate_limit_email_sent=EMAILS_PER_HOUR) as visitor:
        for number in range(EMAILS_PER_HOUR):
            json_of(await visitor.sign_up(f"guest{number}@example.com"))

        session = json_of(await visitor.sign_up(ROSA))

        assert json_of(await visitor.user(session))["email"] == ROSA
        assert await mailbox.emails(ROSA) == []
        refused = await visitor.post("/recover", email=ROSA)
        unknown = await visitor.post("/recover", email="unknown@victim.example")
        assert error_of(refused) == error_of(unknown) == (429, "over_email_send_rate_limit")
        async with database.acting_as(SERVICE) as conn:
            await conn.execute("update limits.buckets set full_at = full_at - interval '1 hour'")
        json_of(await visitor.post("/resend", type="signup", email=ROSA))
    assert len(await mailbox.emails(ROSA)) == 1


async def test_a6_emails_beyond_the_limit_are_refused(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(rate_limit_email_sent=EMAILS_PER_HOUR) as visitor:
        responses = [await visitor.post("/otp", email=f"guest{number}@example.com") for number in range(5)]

    assert [response.status_code for response in responses] == [200] * EMAILS_PER_HOUR + [429, 429]
    assert len(await mailbox.emails()) == EMAILS_PER_HOUR


async def test_al2_an_address_gets_a_limited_number_of_emails_a_day_from_all_requests_together(
    database: Database, visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    """The responses stay the same, so that they do not reveal whether the address has an account."""
    async with visitor_with(rate_limit_email_per_address=3, smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        json_of(await visitor.sign_up(ROSA))
        for _ in range(3):
            assert json_of(await visitor.post("/recover", email=ROSA)) == {}
            assert json_of(await visitor.post("/otp", email=ROSA)) == {}
        newest = await mailbox.newest(ROSA)
        assert len(await mailbox.emails(ROSA)) == 3
        json_of(await visitor.verify("magiclink", token_hash=newest.token_hash))

        json_of(await visitor.post("/otp", email="gil@example.com"))
        async with database.acting_as(SERVICE) as conn:
            await conn.execute("update limits.buckets set full_at = full_at - interval '1 day'")
        json_of(await visitor.post("/recover", email=ROSA))

    assert len(await mailbox.emails("gil@example.com")) == 1
    assert len(await mailbox.emails(ROSA)) == 4
