"""Opens what the commands need."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cairn.admin.errors import SchemaOutdated
from cairn.auth import UserAdministration
from cairn.db import Database, pending_schema_changes
from cairn.kit import frozen_dataclass
from cairn.open_services import open_documents
from cairn.serve import database_urls, last_served_url
from cairn.settings import Settings
from cairn.storage import ObjectStorage, open_blob_store
from cairn.waivers import DocumentContext


@frozen_dataclass
class AdminContext:
    settings: Settings
    database: Database

    @property
    def site_url(self) -> str:
        """The URL with which links begin.

        It is the URL of the last `cairn serve`, because its --port may differ from the port in the settings.
        """
        return last_served_url(self.settings) or self.settings.auth.site_url

    @property
    def users(self) -> UserAdministration:
        return UserAdministration(self.database, self.settings.auth.model_copy(update={"site_url": self.site_url}))

    @property
    def documents(self) -> DocumentContext:
        blob_store = open_blob_store(self.settings.storage, self.settings.data / "storage")
        return open_documents(self.settings, ObjectStorage(self.database, blob_store, self.settings.storage))


@asynccontextmanager
async def open_context(settings: Settings) -> AsyncIterator[AdminContext]:
    with database_urls(settings) as (admin_url, login_url):
        if await pending_schema_changes(admin_url):
            raise SchemaOutdated
        async with Database(login_url, pool_size=2) as database:
            yield AdminContext(settings, database)
