from typing import Literal, TypeAlias

from cairn.kit import frozen_dataclass

Reason: TypeAlias = Literal["bounce", "complaint"]


@frozen_dataclass
class MailReport:
    """A provider reports that an email came back, or that its recipient reported it as spam."""

    address: str
    reason: Reason
    # What the receiving mail server said.
    detail: str
    # The ids by which the provider may know the email.
    message_ids: tuple[str, ...]
    subject: str | None = None
