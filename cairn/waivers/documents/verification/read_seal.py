"""Reads and validates the seal of a document with pyHanko."""

import io
from collections.abc import Collection

from asn1crypto import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from cairn.waivers.documents.record_reference import find_head_reference, find_record_reference
from cairn.waivers.documents.verification.verdict import Verdict


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
    if not (status.intact and status.valid and covers_entire_file and _gap_holds_only_the_seal(pdf, seal)):
        return Verdict("changed")
    keywords = str(reader.trailer_view["/Info"].get("/Keywords", ""))
    reference = find_record_reference(keywords)
    timestamp = status.timestamp_validity
    return Verdict(
        "unchanged",
        waiver_id=reference.waiver_id if reference else None,
        record_sha256=reference.record_sha256 if reference else None,
        head_sha256=find_head_reference(keywords),
        sealed_at=seal.self_reported_timestamp,
        timestamped_at=timestamp.timestamp if timestamp is not None and timestamp.intact and timestamp.valid else None,
    )


def _gap_holds_only_the_seal(pdf: bytes, seal: EmbeddedPdfSignature) -> bool:
    """The signature does not cover the bytes it is stored in, so these must be the signature and zero padding only.

    Otherwise someone could hide content in the padding without invalidating the seal.
    """
    _, gap_start, gap_end, _ = (int(number) for number in seal.byte_range)
    signature = _signature_bytes(seal)
    padded_length = (gap_end - gap_start - 2) // 2
    return pdf[gap_start:gap_end] == b"<" + signature.ljust(padded_length, b"\x00").hex().upper().encode() + b">"


def _signature_bytes(seal: EmbeddedPdfSignature) -> bytes:
    """Returns the CMS structure without the zero padding after it."""
    signed_data = seal.signed_data.dump(force=False)
    contents = bytes(seal.pkcs7_content)
    return contents[: contents.rindex(signed_data) + len(signed_data)]
