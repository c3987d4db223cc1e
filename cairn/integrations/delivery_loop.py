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
from cairn.integrations.claim import ClaimState, claim_delivery
from cairn.integrations.deliver import deliver
from cairn.integrations.delivery_store import Delivery
from cairn.integrations.sender import WebhookSender
from cairn.jobs import OutboxNotifier
from cairn.kit import now

log = logging.getLogger(__name__)

# Endpoints that responded quickly the last time have this many slots, and all other endpoints have as many again.
_CONCURRENCY = 8
# This limit keeps the slow endpoints of one company from blocking those of the others.
_CONCURRENCY_PER_COMPANY = 2
# The turns of this many companies are remembered.
_MAX_TURNS = 1000
# The notifier announces new deliveries; polling finds retries that have become due.
_POLL_EVERY_SECONDS = 2.0
# The notifier announces every event of the server. With this delay we query at most ten times a second.
_DEBOUNCE_SECONDS = 0.1


async def deliver_forever(sender: WebhookSender, notifier: OutboxNotifier) -> NoReturn:
    slots = [_Slots(sender, notifier, quick=quick) for quick in (True, False)]
    async with notifier.listening() as woken, asyncio.TaskGroup() as group:
        while True:
            woken.clear()
            for slots_of_kind in slots:
                await slots_of_kind.start_due(group, woken)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLL_EVERY_SECONDS):
                    await woken.wait()
            await asyncio.sleep(_DEBOUNCE_SECONDS)


class _Slots:
    """The running deliveries to the endpoints that respond quickly, or to all others."""

    def __init__(self, sender: WebhookSender, notifier: OutboxNotifier, *, quick: bool) -> None:
        self._sender = sender
        self._notifier = notifier
        self._quick = quick
        self._running_by_company: Counter[UUID] = Counter()
        self._running_by_endpoint: Counter[UUID] = Counter()
        # The keys are companies in the order of their last turn.
        self._turns: dict[UUID, None] = {}

    async def start_due(self, group: asyncio.TaskGroup, woken: asyncio.Event) -> None:
        while self._running_by_company.total() < _CONCURRENCY:
            delivery = await self._claim()
            if delivery is None:
                return
            self._running_by_company[delivery.company_id] += 1
            self._running_by_endpoint[delivery.endpoint_id] += 1
            self._record_turn(delivery.company_id)
            group.create_task(self._deliver(delivery, woken))

    def _record_turn(self, company_id: UUID) -> None:
        self._turns.pop(company_id, None)
        self._turns[company_id] = None
        if len(self._turns) > _MAX_TURNS:
            del self._turns[next(iter(self._turns))]

    async def _claim(self) -> Delivery | None:
        counts = self._running_by_company.items()
        state = ClaimState(
            busy_companies=[company_id for company_id, count in counts if count >= _CONCURRENCY_PER_COMPANY],
            busy_endpoints=[*self._running_by_endpoint],
            recent_companies=[*self._turns],
        )
        try:
            async with self._sender.database.acting_as(SERVICE) as connection:
                return await claim_delivery(connection, now(), quick=self._quick, state=state)
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
            # Subtracting a counter also removes a company or an endpoint whose count becomes zero.
            self._running_by_company -= Counter([delivery.company_id])
            self._running_by_endpoint -= Counter([delivery.endpoint_id])
            woken.set()
            # A user who pressed Test or Resend may be waiting for the outcome.
            self._notifier.notify()
