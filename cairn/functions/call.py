"""Defines the argument of every function: the caller, the body of the request, and the context."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field
from datetime import timedelta

from cairn.billing import BillingContext
from cairn.db import Database, Principal
from cairn.deletion import DeletionSettings
from cairn.functions.errors import TooManyDocuments, TooManyWaiting
from cairn.functions.look_up_limits import LookUpLimits
from cairn.inquiries import InquirySettings
from cairn.integrations import WebhookSender
from cairn.jobs import OutboxNotifier
from cairn.kit import FairTurns, SecretBox, frozen_dataclass
from cairn.limits import MemoryLimiter, larger_network_of
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext

# How long a caller waits for the turn of its network.
_WAIT_SECONDS = 5.0
# A caller who is refused because too many calls wait can try again after this time.
_RETRY_WAITING_SECONDS = 5


@frozen_dataclass
class FunctionsContext:
    """Everything the functions need. It is the same for every call."""

    database: Database
    notifier: OutboxNotifier
    documents: DocumentContext
    messaging: MessagingSettings
    # Encrypts the API keys of the companies' mail providers.
    provider_key_box: SecretBox
    # The public key with which browsers subscribe to push messages.
    push_key: str
    billing: BillingContext
    inquiries: InquirySettings
    webhook_sender: WebhookSender
    deletion: DeletionSettings = DeletionSettings()
    # How often one network may have a document read or rendered.
    document_limiter: MemoryLimiter = field(default_factory=lambda: MemoryLimiter(60, timedelta(minutes=1)))
    look_up_limits: LookUpLimits = field(default_factory=LookUpLimits)
    # Only a few evidence packs are built at once, because each one reads a whole history.
    pack_turns: FairTurns = field(
        default_factory=lambda: FairTurns(
            running=4, running_per_key=2, waiting=200, waiting_per_key=20, wait_seconds=_WAIT_SECONDS
        )
    )
    # A call that waits for the worker reads the database again and again until there is an outcome. So only a limited
    # number of calls may wait at the same time.
    waiting_calls: FairTurns = field(
        default_factory=lambda: FairTurns(running=200, running_per_key=25, waiting=0, waiting_per_key=0)
    )
    # An export takes a turn for each of its parts. Once it has begun, it waits for each turn as long as necessary.
    export_turns: FairTurns = field(
        default_factory=lambda: FairTurns(running=2, running_per_key=1, waiting=500, waiting_per_key=50)
    )


@frozen_dataclass
class Call:
    principal: Principal
    body: bytes
    context: FunctionsContext
    # The IP network of the caller, which rate limits use. For turns, `larger_network_of(ip)` is used instead.
    network: str
    # The IP address of the caller, which the history of a waiver records.
    ip: str | None = None

    @property
    def database(self) -> Database:
        return self.context.database

    @property
    def notifier(self) -> OutboxNotifier:
        return self.context.notifier

    def limit_documents(self, count: int = 1) -> None:
        """Counts documents that are read or rendered for this network, or raises TooManyDocuments."""
        seconds = self.context.document_limiter.take(self.network, count)
        if seconds is not None:
            raise TooManyDocuments(retry_after_seconds=math.ceil(seconds))

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """Counts a call that waits for the worker, or raises TooManyWaiting."""
        network = larger_network_of(self.ip)
        if not self.context.waiting_calls.is_free(network):
            raise TooManyWaiting(retry_after_seconds=_RETRY_WAITING_SECONDS)
        async with self.context.waiting_calls.turn(network):
            yield

    @property
    def documents(self) -> DocumentContext:
        return self.context.documents
