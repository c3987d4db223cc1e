"""Reads a sealed document and its seal with pyHanko."""

import io
import re
from collections.abc import Collection
from uuid import UUID

from asn1crypto import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from cairn.waivers.documents.verdict import Verdict

_NAMED = re.compile(r"waiver:([0-9a-f-]{36}) record:([0-9a-f]{64})")


async def judged(pdf: bytes, certificates: Collection[Certificate]) -> Verdict:
    reader = PdfFileReader(io.BytesIO(pdf))
    seals = reader.embedded_regular_signatures
    if not seals:
        return Verdict("unsealed")
    # The last one: whatever was signed on top of ours is not our document.
    seal = seals[-1]
    if seal.signer_cert.dump() not in {certificate.public_bytes(Encoding.DER) for certificate in certificates}:
        return Verdict("foreign")
    trust = ValidationContext(trust_roots=[x509.Certificate.load(seal.signer_cert.dump())], allow_fetching=False)
    status = await async_validate_pdf_signature(seal, trust, skip_diff=True)
    whole = seal.coverage == SignatureCoverageLevel.ENTIRE_FILE
    if not (status.intact and status.valid and whole and _nothing_hides_in_the_gap(pdf, seal)):
        return Verdict("changed")
    named = _NAMED.search(str(reader.trailer_view["/Info"].get("/Keywords", "")))
    stamp = status.timestamp_validity
    return Verdict(
        "unchanged",
        waiver_id=UUID(named[1]) if named else None,
        record_sha256=named[2] if named else None,
        sealed_at=seal.self_reported_timestamp,
        timestamped_at=stamp.timestamp if stamp is not None and stamp.intact and stamp.valid else None,
    )


def _nothing_hides_in_the_gap(pdf: bytes, seal: EmbeddedPdfSignature) -> bool:
    """The seal cannot cover the place it is written in, so that place must hold the seal, zeros and nothing else."""
    _, ends, begins, _ = (int(number) for number in seal.byte_range)
    written = seal.signed_data.dump(force=False)
    room = (begins - ends - 2) // 2
    return pdf[ends:begins] == b"<" + _content_info(seal, written).ljust(room, b"\x00").hex().upper().encode() + b">"


def _content_info(seal: EmbeddedPdfSignature, written: bytes) -> bytes:
    contents = bytes(seal.pkcs7_content)
    length = contents.rindex(written) + len(written)
    return contents[:length]
