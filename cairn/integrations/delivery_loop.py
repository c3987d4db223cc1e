"""Claims deliveries that are due, and makes several of them concurrently.

Deliveries are not jobs of the queue, for two reasons. A slow endpoint would occupy the workers that emails need. And a
delivery has to be a row anyway, because it can wait for hours, be paused and resumed, and be resent by a user.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from typing import NoReturn
from uuid import UUID

from cairn.db import SERVICE, DatabaseBusy, DatabaseUnreachable
from cairn.integrations import delivery_store
from cairn.integrations.deliver import deliver
from cairn.integrations.delivery_store import Delivery
from cairn.integrations.sender import WebhookSender
from cairn.jobs import OutboxNotifier
from cairn.kit import now

log = logging.getLogger(__name__)

_CONCURRENCY = 8
# This limit keeps a slow endpoint from blocking the others.
_CONCURRENCY_PER_ENDPOINT = 2
# The notifier announces new deliveries; polling finds retries that have become due.
_POLL_EVERY_SECONDS = 2.0
# The notifier announces every event of the server. With this delay we query at most ten times a second.
_DEBOUNCE_SECONDS = 0.1


async def deliver_forever(sender: WebhookSender, notifier: OutboxNotifier) -> NoReturn:
    running = _RunningDeliveries(sender, notifier)
    async with notifier.listening() as woken, asyncio.TaskGroup() as group:
        while True:
            woken.clear()
            await running.start_due(group, woken)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLL_EVERY_SECONDS):
                    await woken.wait()
            await asyncio.sleep(_DEBOUNCE_SECONDS)


class _RunningDeliveries:
    def __init__(self, sender: WebhookSender, notifier: OutboxNotifier) -> None:
        self._sender = sender
        self._notifier = notifier
        self._running_by_endpoint: Counter[UUID] = Counter()

    async def start_due(self, group: asyncio.TaskGroup, woken: asyncio.Event) -> None:
        while self._running_by_endpoint.total() < _CONCURRENCY:
            delivery = await self._claim()
            if delivery is None:
                return
            self._running_by_endpoint[delivery.endpoint_id] += 1
            group.create_task(self._deliver(delivery, woken))

    async def _claim(self) -> Delivery | None:
        counts = self._running_by_endpoint.items()
        busy_endpoints = [endpoint_id for endpoint_id, count in counts if count >= _CONCURRENCY_PER_ENDPOINT]
        try:
            async with self._sender.database.acting_as(SERVICE) as connection:
                return await delivery_store.claim_delivery(connection, now(), busy_endpoints)
        except (DatabaseUnreachable, DatabaseBusy) as error:
            log.info("cannot read due deliveries right now: %s", error)
        except Exception:
            log.exception("reading due deliveries failed")
        return None

    async def _deliver(self, delivery: Delivery, woken: asyncio.Event) -> None:
        try:
            await deliver(self._sender, delivery)
        except (DatabaseUnreachable, DatabaseBusy) as error:
            # The claim expires after a minute, and the delivery is retried with the same event id.
            log.info("the outcome of delivery %s cannot be recorded right now: %s", delivery.id, error)
        except Exception:
            log.exception("recording the outcome of delivery %s failed", delivery.id)
        finally:
            # Subtracting a counter also removes an endpoint whose count becomes zero.
            self._running_by_endpoint -= Counter([delivery.endpoint_id])
            woken.set()
            # A user who pressed Test or Resend is waiting for the outcome.
            self._notifier.notify()
