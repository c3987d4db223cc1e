"""The functions, called as a client calls them."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from cairn.billing import BillingSettings, open_till
from cairn.db import ANON, Database, Principal
from cairn.functions import Tools, service
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings, open_courier
from cairn.jobs import Bell
from cairn.kit import Problem
from cairn.messaging import MessagingSettings
from cairn.waivers import Desk
from tests.cast import Person
from tests.house_at_work import KEY_SEAL
from tests.post_office import PostOffice, open_post_office

PUSH_KEY = "the public half of a key"


@pytest_asyncio.fixture
async def bell(login_url: str) -> AsyncIterator[Bell]:
    async with Bell(login_url) as ringing:
        yield ringing


@pytest_asyncio.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with open_post_office() as opened:
        yield opened


@pytest.fixture
def messaging(office: PostOffice) -> MessagingSettings:
    """What the server knows about mail; the worker of a story is given its own."""
    return MessagingSettings(smtp=office.settings)


@pytest_asyncio.fixture
async def client(
    database: Database, bell: Bell, desk: Desk, messaging: MessagingSettings, people: dict[str, Principal]
) -> AsyncIterator[httpx.AsyncClient]:
    """Tokens are the names of people here; what a real token must be is told in tests/auth."""

    def principal_of(token: str) -> Principal:
        if token not in people:
            raise Problem
        return people[token]

    till = open_till(database, BillingSettings(), secret="a secret", site_url="http://cairn")
    courier = open_courier(database, IntegrationSettings(), secret="a secret", site_url="http://cairn")
    tools = Tools(database, bell, desk, messaging, KEY_SEAL, PUSH_KEY, till, InquirySettings(), courier)
    app = service(tools, principal_of=principal_of)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as opened:
        yield opened


@pytest.fixture
def people(rosa: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    return {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}
