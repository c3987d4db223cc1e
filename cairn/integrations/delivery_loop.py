"""Takes deliveries that are due and carries them out, a few at a time, apart from all other jobs.

Not jobs of the queue: a slow server elsewhere would hold the places that mails need, and a delivery that waits ten
hours, is paused, resumed or sent again by hand is a row anyway.
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

_AT_ONCE = 8
# So that one that keeps us waiting leaves room for the others.
_AT_ONCE_PER_ENDPOINT = 2
# The notifier wakes us for what is new; this is for tries whose time has come.
_LOOK_EVERY_SECONDS = 2.0
# It rings for everything that happens in the house: a busy hour costs ten looks a second.
_GATHER_SECONDS = 0.1


async def deliver_forever(sender: WebhookSender, notifier: OutboxNotifier) -> NoReturn:
    round_ = _Round(sender, notifier)
    async with notifier.listening() as woken, asyncio.TaskGroup() as group:
        while True:
            woken.clear()
            await round_.start_all(group, woken)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_SECONDS):
                    await woken.wait()
            await asyncio.sleep(_GATHER_SECONDS)


class _Round:
    """Which endpoints are being told something at the moment."""

    def __init__(self, sender: WebhookSender, notifier: OutboxNotifier) -> None:
        self._sender = sender
        self._notifier = notifier
        self._under_way: Counter[UUID] = Counter()

    async def start_all(self, group: asyncio.TaskGroup, woken: asyncio.Event) -> None:
        while self._under_way.total() < _AT_ONCE and (claimed := await self._claim()) is not None:
            self._under_way[claimed.endpoint_id] += 1
            group.create_task(self._carry(claimed, woken))

    async def _claim(self) -> Delivery | None:
        busy = [endpoint for endpoint, count in self._under_way.items() if count >= _AT_ONCE_PER_ENDPOINT]
        try:
            async with self._sender.database.acting_as(SERVICE) as connection:
                return await delivery_store.claim_delivery(connection, now(), busy)
        except (DatabaseUnreachable, DatabaseBusy) as lost:
            log.info("nothing can be delivered at the moment: %s", lost)
        except Exception:
            log.exception("looking for deliveries stumbled")
        return None

    async def _carry(self, delivery: Delivery, woken: asyncio.Event) -> None:
        try:
            await deliver(self._sender, delivery)
        except (DatabaseUnreachable, DatabaseBusy) as lost:
            # It is claimed for a minute and then tried again, under the same id.
            log.info("what became of delivery %s could not be noted: %s", delivery.id, lost)
        except Exception:
            log.exception("noting what became of delivery %s stumbled", delivery.id)
        finally:
            self._under_way -= Counter([delivery.endpoint_id])
            woken.set()
            # Whoever pressed the button is listening.
            self._notifier.notify()
