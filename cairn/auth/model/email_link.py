from dataclasses import field
from datetime import datetime
from uuid import UUID

from cairn.auth.model.oauth_flow import Challenge
from cairn.auth.model.user import Caller
from cairn.kit import frozen_dataclass


@frozen_dataclass
class EmailLinkRequest:
    """Says who requested a link or code, and where the link redirects to."""

    redirect_to: str
    challenge: Challenge | None
    caller: Caller


@frozen_dataclass
class OneTimeToken:
    user_id: UUID
    purpose: str
    token_sha256: bytes = field(repr=False)
    sent_to: str
    flow_id: UUID | None
    created_at: datetime
