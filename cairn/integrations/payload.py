"""Builds the body of a delivery.

The body is built again for every attempt. It stays the same, because a signed waiver never changes until it is erased,
and then nothing is sent. There is one exception: between two attempts, the company may choose whether the endpoint gets
the answers to sensitive questions.
"""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cairn.integrations.flat_form import flat_form
from cairn.integrations.model import Event, Kind
from cairn.kit import frozen_dataclass


@frozen_dataclass
class WaiverFields:
    """The fields of a signed waiver that are sent. The text and the image of the signature are not sent."""

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


@frozen_dataclass
class FormFields:
    """What was signed together with a form. Photos and drawn initials are not sent."""

    answers: dict[str, Any]
    """The answers of the signer, by the keys of the questions."""
    guardian: dict[str, Any] | None
    participants: list[dict[str, Any]]
    flags: list[dict[str, str]]
    """The flags of everyone, each with the name of the person."""


# A receiver that knows only version 1 still finds all of its fields in version 2.
_VERSION_WITH_FORM = 2


def encode_payload(
    kind: Kind, event: Event, event_id: UUID, waiver: WaiverFields, *, form: FormFields | None, site_url: str
) -> bytes:
    """Returns nested JSON, as Standard Webhooks requires, or flat JSON for Zapier, which lists every field.

    The payload of a waiver without a form has version 1, which has no field for the version.
    """
    waiver_url = f"{site_url}/dashboard/waiver-management?waiver={waiver.session_id}"
    data = {**{name: _json_value(value) for name, value in asdict(waiver).items()}, "waiver_url": waiver_url}
    # The timestamp is the time of the signature, even if the delivery is late.
    envelope: dict[str, Any] = {"id": str(event_id), "type": event, "timestamp": _json_value(waiver.signed_at)}
    if form is not None:
        envelope["version"] = _VERSION_WITH_FORM
        data |= flat_form(**asdict(form)) if kind == "zapier" else asdict(form)
    payload = {**envelope, **data} if kind == "zapier" else {**envelope, "data": data}
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def sample_waiver(company_id: UUID, signed_at: datetime) -> WaiverFields:
    """Returns the data of a test delivery. It has the fields of a real waiver, so that a receiver can be set up."""
    no_id = UUID(int=0)
    return WaiverFields(
        waiver_id=no_id,
        session_id=no_id,
        company_id=company_id,
        template_id="test",
        template_name="Test waiver",
        template_version=1,
        signer_name="Test Signer",
        signer_email="test@example.com",
        signed_at=signed_at,
        record_sha256="0" * 64,
    )


def sample_form() -> FormFields:
    """Returns the form in a test delivery to a company that has forms."""
    flag = {"question": "swims", "text": "Cannot swim"}
    contact = {"emergency": {"name": "Test Contact", "phone": "+1 555 0100", "relationship": "sister"}}
    adult: dict[str, Any] = {
        "name": "Test Signer",
        "birth_date": None,
        "kind": "adult",
        "answers": contact,
        "flags": [],
    }
    child: dict[str, Any] = {
        "name": "Test Child", "birth_date": "2017-05-01", "kind": "minor", "answers": {"swims": False}, "flags": [flag],
    }  # fmt: skip
    return FormFields(
        answers=contact,
        guardian={"relationship": "mother", "has_authority": True},
        participants=[{"id": str(UUID(int=number)), **person} for number, person in enumerate((adult, child))],
        flags=[{"name": "Test Child", **flag}],
    )


def _json_value(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return str(value) if isinstance(value, UUID) else value
