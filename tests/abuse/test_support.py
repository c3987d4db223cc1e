"""C8: a few accounts cannot close the contact form and the support for everyone.

C8 is a finding in docs/security.md.
"""

import asyncio

import httpx
import pytest

from cairn.db import Database, Principal
from cairn.functions import FunctionsContext
from cairn.inquiries import Author, Inquiry, InquirySettings, TooManyInquiries, receive_inquiry
from tests.functions.test_ask_support import REQUEST, headers
from tests.functions_service import functions_client
from tests.people import Person, sign_up


async def test_c8_accounts_without_a_confirmed_address_share_the_limit_of_the_contact_form(
    database: Database, context: FunctionsContext
) -> None:
    """Before this limit, one network with 40 such accounts could close the contact form and support for everyone."""
    responses = await ask_in_turns(context, await sign_up_companies(database, 3, is_confirmed=False), 2)

    assert [response.status_code for response in responses] == [201] * 5 + [429]
    assert responses[-1].json()["error"].startswith("Too many messages came from your network within an hour.")
    contact = Inquiry("contact", "Gil Okafor", "gil@example.com", message="Do you ship paddles?")
    with pytest.raises(TooManyInquiries):
        await receive_inquiry(database, contact, Author("127.0.0.1"), InquirySettings())
    await receive_inquiry(database, contact, Author("198.51.100.9"), InquirySettings())


async def test_c8_companies_of_one_network_have_a_limit_even_with_confirmed_addresses(
    database: Database, context: FunctionsContext
) -> None:
    responses = await ask_in_turns(context, await sign_up_companies(database, 5, is_confirmed=True), 5)

    assert [response.status_code for response in responses] == [201] * 20 + [429] * 5


async def test_c8_strangers_and_companies_with_a_confirmed_address_cannot_close_support_for_each_other(
    database: Database, rosa: Person, mallory: Person, sam: Person
) -> None:
    settings = InquirySettings(rate_limit_total=1)

    async def receive(network: str, person: Person | None = None) -> None:
        inquiry = Inquiry("support", "Someone", "someone@example.com", subject="Help", message="Please help.")
        author = Author(network) if person is None else Author(network, person.id, person.company_id)
        await receive_inquiry(database, inquiry, author, settings)

    await receive("203.0.113.1", sam)
    await receive("203.0.113.2", rosa)
    with pytest.raises(TooManyInquiries, match="from all senders together"):
        await receive("203.0.113.3")
    with pytest.raises(TooManyInquiries, match="from all senders together"):
        await receive("203.0.113.4", mallory)


async def test_c8_concurrent_requests_do_not_pass_the_limit(database: Database) -> None:
    contact = Inquiry("contact", "Gil Okafor", "gil@example.com", message="Do you ship paddles?")
    requests = [receive_inquiry(database, contact, Author("203.0.113.1"), InquirySettings()) for _ in range(9)]

    results = await asyncio.gather(*requests, return_exceptions=True)

    assert sum(isinstance(result, TooManyInquiries) for result in results) == 4


async def ask_in_turns(context: FunctionsContext, accounts: dict[str, Principal], times: int) -> list[httpx.Response]:
    """Sends `times` requests to support for each account, and lets the accounts take turns."""
    async with functions_client(context, accounts) as client:
        return [await ask(client, caller) for _ in range(times) for caller in accounts]


async def sign_up_companies(database: Database, count: int, *, is_confirmed: bool) -> dict[str, Principal]:
    """Returns the owners of new companies by their access tokens."""
    people = [
        await sign_up(database, f"sam{number}@stranger.example", "Sam", company="Trips", is_confirmed=is_confirmed)
        for number in range(count)
    ]
    return {person.email: person.principal for person in people}


async def ask(client: httpx.AsyncClient, caller: str) -> httpx.Response:
    return await client.post("/ask-support", json=REQUEST, headers=headers(caller))
