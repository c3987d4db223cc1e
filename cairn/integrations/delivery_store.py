"""SQL that adds deliveries and records their outcome."""

import json
from datetime import datetime
from uuid import UUID

from cairn.db import Connection
from cairn.integrations.model import MAX_WAITING_DELIVERIES, Event, Kind
from cairn.integrations.payload import FormFields, WaiverFields
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Delivery:
    """A claimed delivery together with its endpoint."""

    id: UUID
    endpoint_id: UUID
    company_id: UUID
    event_id: UUID
    event: Event
    waiver_id: UUID | None
    attempts: int
    retries_left: int
    created_at: datetime
    kind: Kind
    name: str
    url: str
    sealed_secret: str | None
    sealed_previous: str | None
    previous_until: datetime | None
    failing_since: datetime | None
    send_sensitive: bool


@frozen_dataclass
class DeliveryState:
    status: str
    response_status: int | None
    error: str | None


async def add_deliveries(connection: Connection, waiver_id: UUID, event_id: UUID, *, retries: int) -> None:
    """Adds a delivery for each endpoint of the company that is not paused and does not have too many waiting already.

    Idempotent by endpoint and event id. Adds none if the waiver was erased in the meantime.
    """
    await connection.execute(
        """
        insert into integrations.deliveries
               (endpoint_id, company_id, kind, event_id, event, waiver_id, session_id, retries_left)
        select e.id, e.company_id, e.kind, $2, 'waiver.signed', w.waiver_id, w.session_id, $3
          from waivers.signed_summary w
          join integrations.endpoints e on e.company_id = w.company_id and not e.paused
         where w.waiver_id = $1 and not w.is_erased
           and not exists (select from integrations.deliveries d
                            where d.endpoint_id = e.id and d.status = 'waiting' and d.next_try_at is not null
                           offset $4 - 1 limit 1)
        on conflict (endpoint_id, event_id) do nothing
        """,
        waiver_id, event_id, retries, MAX_WAITING_DELIVERIES,
    )  # fmt: skip


async def waiver_fields(connection: Connection, waiver_id: UUID) -> WaiverFields | None:
    """Returns None if the waiver was erased."""
    row = await connection.fetchrow(
        """
        select waiver_id, session_id, company_id, template_id, template_name, template_version,
               signer_name, signer_email, signed_at, record_sha256
          from waivers.signed_summary
         where waiver_id = $1 and not is_erased
        """,
        waiver_id,
    )
    return None if row is None else WaiverFields(**row)


async def form_fields(connection: Connection, waiver_id: UUID, *, with_sensitive: bool) -> FormFields | None:
    """Returns None for a waiver without a form."""
    fields = await connection.fetchval("select waivers.form_payload($1, $2)", waiver_id, with_sensitive)
    return None if fields is None else FormFields(**json.loads(fields))


async def has_forms(connection: Connection, company_id: UUID) -> bool:
    has_form: bool = await connection.fetchval("select waivers.has_forms($1)", company_id)
    return has_form


async def lock_endpoint(connection: Connection, endpoint_id: UUID) -> None:
    """Locks the endpoint before one of its deliveries changes. Deleting also uses this order, to prevent deadlocks."""
    await connection.execute("select from integrations.endpoints where id = $1 for no key update", endpoint_id)


async def record_delivered(
    connection: Connection, delivery: Delivery, response_status: int, *, was_quick: bool
) -> None:
    await lock_endpoint(connection, delivery.endpoint_id)
    await connection.execute(
        """
        update integrations.deliveries
           set status = 'delivered', answer = $2, error = null, next_try_at = null
         where id = $1
        """,
        delivery.id, response_status,
    )  # fmt: skip
    await connection.execute(
        """
        update integrations.endpoints
           set failing_since = null, last_error = null, next_probe_at = null, responds_quickly = $2
         where id = $1 and (failing_since is not null or responds_quickly <> $2)
        """,
        delivery.endpoint_id, was_quick,
    )  # fmt: skip


async def record_failed_attempt(
    connection: Connection, delivery: Delivery, response_status: int | None, reason: str, next_try_at: datetime | None
) -> None:
    """Records a failed attempt. If `next_try_at` is None, there is no further attempt and the delivery is `failed`."""
    await lock_endpoint(connection, delivery.endpoint_id)
    await connection.execute(
        """
        update integrations.deliveries
           set status = case when $4::timestamptz is null then 'failed' else 'waiting' end,
               retries_left = greatest(retries_left - 1, 0), answer = $2, error = $3, next_try_at = $4
         where id = $1
        """,
        delivery.id, response_status, reason, next_try_at,
    )  # fmt: skip
    await connection.execute(
        "update integrations.endpoints set responds_quickly = false where id = $1 and responds_quickly",
        delivery.endpoint_id,
    )


async def record_endpoint_failure(
    connection: Connection, endpoint_id: UUID, reason: str, failed_at: datetime, next_probe_at: datetime
) -> None:
    """Records that the endpoint fails. Until `next_probe_at`, no delivery to it is tried, unless a user requests it."""
    await connection.execute(
        """
        update integrations.endpoints
           set failing_since = coalesce(failing_since, $3), last_error = $2, next_probe_at = $4
         where id = $1
        """,
        endpoint_id, reason, failed_at, next_probe_at,
    )  # fmt: skip


async def pause(connection: Connection, endpoint_id: UUID, cause: str) -> bool:
    """Pauses the endpoint. Returns False if it was paused already."""
    paused: bool | None = await connection.fetchval(
        """
        update integrations.endpoints set paused = true, paused_because = $2
         where id = $1 and not paused
        returning true
        """,
        endpoint_id, cause,
    )  # fmt: skip
    return paused is True


async def add_test(connection: Connection, endpoint_id: UUID, delivery_id: UUID) -> None:
    """Adds a test delivery without retries, because the user is waiting for the outcome."""
    await connection.execute(
        """
        insert into integrations.deliveries
               (id, endpoint_id, company_id, kind, event_id, event, retries_left, requested_by_user)
        select $1, id, company_id, kind, $1, 'webhook.test', 0, true from integrations.endpoints where id = $2
        """,
        delivery_id, endpoint_id,
    )  # fmt: skip


async def count_recent_tests(connection: Connection, company_id: UUID) -> int:
    """Counts the test deliveries of the company in the last hour."""
    count: int = await connection.fetchval(
        """
        select count(*)
          from integrations.deliveries
         where company_id = $1 and created_at > now() - interval '1 hour' and event = 'webhook.test'
        """,
        company_id,
    )
    return count


async def make_due(connection: Connection, delivery_id: UUID) -> None:
    """Schedules the delivery for now. A finished delivery gets one attempt, and a waiting one keeps its retries."""
    await connection.execute(
        """
        update integrations.deliveries
           set retries_left = case when status = 'waiting' then retries_left else 0 end,
               status = 'waiting', next_try_at = now(), answer = null, error = null, requested_by_user = true
         where id = $1
        """,
        delivery_id,
    )


async def delivery_state(connection: Connection, delivery_id: UUID) -> DeliveryState:
    row = await connection.fetchrow(
        "select status, answer as response_status, error from integrations.deliveries where id = $1", delivery_id
    )
    # Deleting an endpoint deletes its deliveries, and a user may do that at any moment.
    return DeliveryState("failed", None, "It was removed.") if row is None else DeliveryState(**row)
