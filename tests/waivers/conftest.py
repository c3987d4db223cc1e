"""Fixtures for the tests of waivers: a session of Rosa's company, and a waiver that a guest has signed for it."""

from uuid import UUID

import asyncpg
import pytest_asyncio

from cairn.db import Database
from tests.factories import make_session, sign
from tests.people import Person


@pytest_asyncio.fixture
async def session_id(database: Database, rosa: Person) -> UUID:
    return await make_session(database, rosa)


@pytest_asyncio.fixture
async def waiver(database: Database, rosa: Person) -> asyncpg.Record:
    return await sign(database, await make_session(database, rosa))
