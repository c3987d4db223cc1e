"""What an endpoint is told. Made anew at each try, always the same: a signed record never changes."""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cairn.integrations.model import Event, Kind


@dataclass(frozen=True, slots=True)
class WaiverFields:
    """Of the record. What proves it, the picture of the signature and the text, stays with us."""

    waiver_id: UUID
    session_id: UUID
    company_id: UUID
    template_id: str
    template_name: str
    template_version: int | None
    signer_name: str
    signer_email: str
    signed_at: datetime
    record_sha256: str


def body(kind: Kind, event: Event, event_id: UUID, facts: WaiverFields, site_url: str) -> bytes:
    """Nested as Standard Webhooks has it; flat for Zapier, which offers each field by its name."""
    address = f"{site_url}/dashboard/waiver-management?waiver={facts.session_id}"
    data = {**{name: _plain(value) for name, value in asdict(facts).items()}, "waiver_url": address}
    # The event happened when the waiver was signed, however late its delivery.
    head: dict[str, Any] = {"id": str(event_id), "type": event, "timestamp": _plain(facts.signed_at)}
    told = {**head, **data} if kind == "zapier" else {**head, "data": data}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def sample_waiver(company_id: UUID, at: datetime) -> WaiverFields:
    """The same fields as a real one, so that what reads them can be set up; no such waiver exists."""
    nobody = UUID(int=0)
    return WaiverFields(
        waiver_id=nobody,
        session_id=nobody,
        company_id=company_id,
        template_id="test",
        template_name="Test waiver",
        template_version=1,
        signer_name="Test Signer",
        signer_email="test@example.com",
        signed_at=at,
        record_sha256="0" * 64,
    )


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return str(value) if isinstance(value, UUID) else value
