"""Builds the data that `waiver.typ` prints: the text of a signed record, the certificate and the technical details."""

from typing import Any, Literal, TypeAlias

from cairn.kit import UTC_ZONE
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.record_reference import RecordReference, head_keyword
from cairn.waivers.documents.rendering.answers import people_data
from cairn.waivers.documents.rendering.certificate import certificate_data, document_zone, seconds_utc
from cairn.waivers.documents.rendering.images import Pictures, signature_image
from cairn.waivers.documents.rendering.technical_details import technical_data
from cairn.waivers.documents.rendering.waiver_text import (
    cjk_fonts,
    heading_data,
    signed_text_blocks,
    text_direction,
    without_title,
)

# How much of a form is printed. Without its answers, its pictures are left out too.
PrintedParts: TypeAlias = Literal["everything", "no pictures", "no answers"]


def document_data(
    record: SignedRecord, *, site_url: str, is_timestamped: bool, parts: PrintedParts = "everything"
) -> dict[str, Any]:
    """The signature of the signer is always printed, also without the pictures of the form."""
    verify_link = f"{site_url}/verify?waiver={record.id}"
    return {
        "title": f"{record.template_name}: {record.signer_name}",
        "author": record.company_name,
        "keywords": _keywords(record),
        "footer": f"{record.template_name} · waiver {record.id}",
        "cjk": cjk_fonts(_all_text(record)),
        **heading_data(record.template_name, record.company_name),
        "blocks": without_title(signed_text_blocks(record), record.template_name),
        **_signature_data(record),
        **people_data(record, Pictures(are_printed=parts == "everything"), with_answers=parts != "no answers"),
        **certificate_data(record, verify_link),
        **technical_data(record, verify_link, is_timestamped=is_timestamped),
    }


def _all_text(record: SignedRecord) -> str:
    people = [participant.name + participant.answers for participant in record.participants]
    names = [record.signer_name, record.template_name, record.company_name]
    return "".join([record.content, record.form or "", *names, *people])


def _keywords(record: SignedRecord) -> list[str]:
    keywords = [RecordReference(record.id, record.record_sha256).as_keyword()]
    return keywords if record.newest_head_sha256 is None else [*keywords, head_keyword(record.newest_head_sha256)]


def _signature_data(record: SignedRecord) -> dict[str, Any]:
    zone = document_zone(record)
    return {
        "signature": signature_image(record.signature),
        "signer_name": record.signer_name,
        "name_dir": text_direction(record.signer_name),
        "signer_email": record.signer_email,
        "signed_at": (zone or UTC_ZONE).date_and_time_with_zone(record.signed_at),
        "signed_at_utc": seconds_utc(record.signed_at),
    }
