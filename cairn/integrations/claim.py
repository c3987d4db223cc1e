"""Claims the next delivery. Companies take turns, and a failing endpoint gets one attempt at a time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import Connection
from cairn.integrations.delivery_store import Delivery
from cairn.kit import frozen_dataclass

# A claimed delivery cannot be claimed again for this long. After this time the worker has finished it or has crashed.
_CLAIM_DURATION = timedelta(minutes=1)


@frozen_dataclass
class ClaimState:
    """What the worker considers when it claims the next delivery, either for quick endpoints or for all others."""

    busy_companies: Sequence[UUID] = ()
    """Companies that may not have more deliveries at the same time."""
    busy_endpoints: Sequence[UUID] = ()
    """Endpoints to which a delivery is running."""
    recent_companies: Sequence[UUID] = ()
    """Companies in the order of their last turn. The one at the end had its turn most recently."""


_IDLE = ClaimState()


async def claim_delivery(
    connection: Connection, now: datetime, *, quick: bool, state: ClaimState = _IDLE
) -> Delivery | None:
    """Claims and returns the next delivery that is due at `now`, or None.

    A delivery that failed before its endpoint was resumed is due as well. `quick` selects the endpoints that responded
    quickly the last time, or all others. The query reads a few rows for each endpoint that has waiting deliveries,
    however many of them wait. A probe is a delivery to a failing endpoint, which shows whether the endpoint works
    again; the other deliveries of the same company come first.
    """
    row = await connection.fetchrow(
        """
        with recursive waiting (endpoint_id) as (
            (select d.endpoint_id
               from integrations.deliveries d
              where d.status = 'waiting' and d.next_try_at is not null
              order by d.endpoint_id
              limit 1)
            union all
            select later.endpoint_id
              from waiting w
             cross join lateral (select d.endpoint_id
                                   from integrations.deliveries d
                                  where d.status = 'waiting' and d.next_try_at is not null
                                    and d.endpoint_id > w.endpoint_id
                                  order by d.endpoint_id
                                  limit 1) later
        ), due as materialized (
            select d.id, e.resumed_at, array_position($6::uuid[], e.company_id) as turn,
                   e.failing_since is not null and not d.requested_by_user as is_probe
              from waiting w
              join integrations.endpoints e on e.id = w.endpoint_id
             cross join lateral (select d.id, d.requested_by_user
                                   from ((select d.id, d.requested_by_user, d.next_try_at
                                            from integrations.deliveries d
                                           where d.endpoint_id = w.endpoint_id and d.status = 'waiting'
                                             and d.next_try_at <= $1
                                           order by d.requested_by_user desc, d.next_try_at
                                           limit 1)
                                         union all
                                         (select d.id, d.requested_by_user, d.next_try_at
                                            from integrations.deliveries d
                                           where d.endpoint_id = w.endpoint_id and d.status = 'waiting'
                                             and d.error is not null and d.tried_at < e.resumed_at
                                           order by d.tried_at
                                           limit 1)) d
                                  order by d.requested_by_user desc, d.next_try_at
                                  limit 1) d
             where not e.paused
               and e.responds_quickly = $3
               and e.company_id <> all ($4::uuid[])
               and (d.requested_by_user
                    or e.failing_since is null
                    or (coalesce(e.next_probe_at, $1) <= $1 and e.id <> all ($5::uuid[])))
        ), claimed as (
            update integrations.deliveries d
               set next_try_at = $1 + $2, attempts = attempts + 1, tried_at = $1, answer = null, error = null,
                   requested_by_user = false
             where d.id = (select d.id
                             from due
                             join integrations.deliveries d on d.id = due.id
                            where d.status = 'waiting'
                              and (d.next_try_at <= $1 or d.error is not null and d.tried_at < due.resumed_at)
                            order by due.turn nulls first, due.is_probe, d.next_try_at
                            limit 1
                              for update of d skip locked)
            returning d.*)
        select d.id, d.endpoint_id, d.company_id, d.event_id, d.event, d.waiver_id, d.attempts, d.retries_left,
               d.created_at, e.kind, e.name, e.url, e.sealed_secret, e.sealed_previous, e.previous_until,
               e.failing_since, e.send_sensitive
          from claimed d
          join integrations.endpoints e on e.id = d.endpoint_id
        """,
        now, _CLAIM_DURATION, quick, state.busy_companies, state.busy_endpoints, state.recent_companies,
    )  # fmt: skip
    return None if row is None else Delivery(**row)
