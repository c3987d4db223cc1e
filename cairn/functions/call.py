"""Defines the argument of every function: the caller, the body, and the services it may use."""

from cairn.billing import BillingContext
from cairn.db import Database, Principal
from cairn.inquiries import InquirySettings
from cairn.integrations import WebhookSender
from cairn.jobs import OutboxNotifier
from cairn.kit import SecretBox, frozen_dataclass
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext


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


@frozen_dataclass
class Call:
    principal: Principal
    body: bytes
    context: FunctionsContext
    # The IP network of the caller, which rate limits use.
    network: str

    @property
    def database(self) -> Database:
        return self.context.database

    @property
    def notifier(self) -> OutboxNotifier:
        return self.context.notifier

    @property
    def documents(self) -> DocumentContext:
        return self.context.documents
