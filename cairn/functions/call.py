"""What a function gets: who calls, with what, and the house's tools."""

from dataclasses import dataclass

from cairn.billing import BillingContext
from cairn.db import Database, Principal
from cairn.inquiries import InquirySettings
from cairn.integrations import WebhookSender
from cairn.jobs import OutboxNotifier
from cairn.kit import SecretBox
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext


@dataclass(frozen=True, slots=True)
class Tools:
    """The same for every call."""

    database: Database
    notifier: OutboxNotifier
    documents: DocumentContext
    messaging: MessagingSettings
    # For the keys companies have from their mail providers.
    mail_key_box: SecretBox
    # What a browser names when it asks to be told.
    push_key: str
    billing: BillingContext
    inquiries: InquirySettings
    webhook_sender: WebhookSender


@dataclass(frozen=True, slots=True)
class Call:
    principal: Principal
    body: bytes
    tools: Tools
    # Where the caller comes from, for what is limited.
    network: str

    @property
    def database(self) -> Database:
        return self.tools.database

    @property
    def notifier(self) -> OutboxNotifier:
        return self.tools.notifier

    @property
    def documents(self) -> DocumentContext:
        return self.tools.documents
