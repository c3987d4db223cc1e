"""What a function gets: who calls, with what, and the house's tools."""

from dataclasses import dataclass

from cairn.billing import Till
from cairn.db import Database, Principal
from cairn.inquiries import InquirySettings
from cairn.integrations import Courier
from cairn.jobs import Bell
from cairn.kit import Seal
from cairn.messaging import MessagingSettings
from cairn.waivers import Desk


@dataclass(frozen=True, slots=True)
class Tools:
    """The same for every call."""

    database: Database
    bell: Bell
    desk: Desk
    messaging: MessagingSettings
    # For the keys companies have from their mail providers.
    key_seal: Seal
    # What a browser names when it asks to be told.
    push_key: str
    till: Till
    inquiries: InquirySettings
    courier: Courier


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
    def bell(self) -> Bell:
        return self.tools.bell

    @property
    def desk(self) -> Desk:
        return self.tools.desk
