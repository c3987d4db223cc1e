"""Adds deliveries after a waiver was signed, and deletes old ones."""

from typing import Any
from uuid import UUID, uuid5

from cairn.db import SERVICE, Database, delete_old_rows, run_in_batches
from cairn.integrations import delivery_store
from cairn.integrations.endpoint_store import companies_with_endpoints
from cairn.integrations.model import RETRY_DELAYS
from cairn.integrations.settings import IntegrationSettings
from cairn.jobs import Job


def jobs(database: Database) -> list[Job]:
    async def add_deliveries(payload: dict[str, Any], _last_try: bool) -> None:
        waiver_id = UUID(payload["waiver_id"])
        async with database.acting_as(SERVICE) as connection:
            await delivery_store.add_deliveries(connection, waiver_id, _event_id(waiver_id), retries=len(RETRY_DELAYS))

    return [
        Job(
            "integrations.add_deliveries",
            on="waiver.signed",
            run=add_deliveries,
            companies_with_work=companies_with_endpoints,
            former_names=("integrations.announce",),
        )
    ]


def _event_id(waiver_id: UUID) -> UUID:
    """Derives the id from the waiver, which is signed only once. Receivers can therefore detect duplicates."""
    return uuid5(waiver_id, "waiver.signed")


async def sweep(database: Database, settings: IntegrationSettings) -> None:
    await run_in_batches(database, delete_old_rows("integrations.deliveries"), settings.delivery_retention)
