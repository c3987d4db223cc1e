"""Runs the storage service as the app mounts it. Tokens are just names of people; tests/auth covers real tokens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.db import ANON, SERVICE, Database, Principal
from cairn.kit import Problem
from cairn.storage import BlobStore, StorageSettings, new_sealing_key, open_blob_store, service
from tests.people import Person
from tests.storage.client import StorageClient


@pytest.fixture
def settings() -> StorageSettings:
    return StorageSettings.model_validate({"sealing_key": new_sealing_key()})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "storage"


@pytest.fixture
def blob_store(settings: StorageSettings, folder: Path) -> BlobStore:
    return open_blob_store(settings, folder)


@pytest.fixture
def principals(rosa: Person, gil: Person, mallory: Person) -> dict[str, Principal]:
    users = {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal}
    return {**users, "anon": ANON, "service": SERVICE}


@asynccontextmanager
async def storage_client(
    database: Database,
    blob_store: BlobStore,
    settings: StorageSettings,
    principals: dict[str, Principal],
    *,
    ip: str = "127.0.0.1",
) -> AsyncIterator[StorageClient]:
    def principal_of(token: str) -> Principal:
        if token not in principals:
            raise Problem
        return principals[token]

    app = service(
        database, blob_store, principal_of=principal_of, settings=settings, jwt_secret="a secret for the tests"
    )
    transport = httpx.ASGITransport(Starlette(routes=[Mount("/storage/v1", app)]), client=(ip, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.test/storage/v1") as http:
        yield StorageClient(http)


@pytest_asyncio.fixture
async def storage(
    database: Database, blob_store: BlobStore, settings: StorageSettings, principals: dict[str, Principal]
) -> AsyncIterator[StorageClient]:
    async with storage_client(database, blob_store, settings, principals) as client:
        yield client


@pytest_asyncio.fixture
async def photos(storage: StorageClient, admin: "asyncpg.Connection[asyncpg.Record]") -> str:
    """Creates a private bucket in which each user owns the folder named after their id."""
    await storage.fetch("POST", "/bucket", json={"name": "photos"})
    is_own = "bucket_id = 'photos' and (storage.foldername(name))[1] = auth.uid()::text"
    await admin.execute(
        f'create policy "own photos" on storage.objects for all to authenticated using ({is_own}) with check ({is_own})'
    )
    return "photos"
