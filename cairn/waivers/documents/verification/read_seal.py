"""Reads and validates the seal of a document with pyHanko."""

import io
from collections.abc import Collection

from asn1crypto import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from cairn.waivers.documents.record_reference import find_head_reference, find_record_reference
from cairn.waivers.documents.verification.seal_parts import has_only_the_parts_of_a_seal, is_plausible_timestamp
from cairn.waivers.documents.verification.verdict import Timestamp, Verdict


async def validate_seal(pdf: bytes, certificates: Collection[Certificate]) -> Verdict:
    reader = PdfFileReader(io.BytesIO(pdf))
    seals = reader.embedded_regular_signatures
    if not seals:
        return Verdict("unsealed")
    # Only the last signature counts: a document that someone signed on top of our seal is no longer our document.
    seal = seals[-1]
    if seal.signer_cert.dump() not in {certificate.public_bytes(Encoding.DER) for certificate in certificates}:
        return Verdict("foreign")
    context = ValidationContext(trust_roots=[x509.Certificate.load(seal.signer_cert.dump())], allow_fetching=False)
    status = await async_validate_pdf_signature(seal, context, skip_diff=True)
    covers_entire_file = seal.coverage == SignatureCoverageLevel.ENTIRE_FILE
    if not (status.intact and status.valid and covers_entire_file and has_only_the_parts_of_a_seal(pdf, seal)):
        return Verdict("changed")
    timestamp = status.timestamp_validity
    if timestamp is not None and not is_plausible_timestamp(timestamp, seal.self_reported_timestamp):
        return Verdict("changed")
    keywords = str(reader.trailer_view["/Info"].get("/Keywords", ""))
    return Verdict(
        "unchanged",
        record=find_record_reference(keywords),
        sealed_at=seal.self_reported_timestamp,
        timestamp=_timestamp_in(status),
        head_sha256=find_head_reference(keywords),
    )


def _timestamp_in(status: PdfSignatureStatus) -> Timestamp | None:
    timestamp = status.timestamp_validity
    if timestamp is None:
        return None
    return Timestamp(timestamp.timestamp, timestamp.signing_cert.subject.human_friendly)
