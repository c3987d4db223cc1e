"""Checks the parts of a seal that its signature does not cover, in which anyone could otherwise add something.

The signature of a PDF covers neither the bytes that it is stored in nor the certificates and the unsigned attributes
beside it. A reader would not notice a hidden text there, or the timestamp of an authority that someone made up.
"""

from datetime import datetime, timedelta

from asn1crypto import cms
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import TimestampSignatureStatus

# The timestamp is requested when the document is sealed. The clocks of this server and the authority may differ.
_MAX_CLOCK_DIFFERENCE = timedelta(minutes=15)


def has_only_the_parts_of_a_seal(pdf: bytes, seal: EmbeddedPdfSignature) -> bool:
    return (
        _gap_holds_only_the_seal(pdf, seal)
        and _has_only_known_values(seal.signed_data, seal.signer_cert.dump())
        and _has_at_most_a_timestamp(seal)
    )


def is_plausible_timestamp(timestamp: TimestampSignatureStatus, sealed_at: datetime | None) -> bool:
    """Anyone can replace the timestamp by one of an authority of their own, but it must be close to `sealed_at`."""
    return (
        timestamp.intact
        and timestamp.valid
        and sealed_at is not None
        and abs(timestamp.timestamp - sealed_at) <= _MAX_CLOCK_DIFFERENCE
    )


def _gap_holds_only_the_seal(pdf: bytes, seal: EmbeddedPdfSignature) -> bool:
    """Checks that the gap between the two byte ranges that are signed contains only the signature and zero padding."""
    _, gap_start, gap_end, _ = (int(number) for number in seal.byte_range)
    padded = _signature_bytes(seal).ljust((gap_end - gap_start - 2) // 2, b"\x00")
    return pdf[gap_start:gap_end] == b"<" + padded.hex().upper().encode() + b">"


def _signature_bytes(seal: EmbeddedPdfSignature) -> bytes:
    """Returns the CMS structure without the zero padding after it."""
    signed_data = seal.signed_data.dump(force=False)
    contents = bytes(seal.pkcs7_content)
    return contents[: contents.rindex(signed_data) + len(signed_data)]


def _has_only_known_values(signed_data: cms.SignedData, certificate: bytes) -> bool:
    [signer] = signed_data["signer_infos"]
    algorithms = [*signed_data["digest_algorithms"], signer["digest_algorithm"], signer["signature_algorithm"]]
    return (
        [choice.chosen.dump() for choice in signed_data["certificates"]] == [certificate]
        and len(signed_data["digest_algorithms"]) == 1
        and all(algorithm["parameters"].native is None for algorithm in algorithms)
        and signed_data["crls"].native is None
        and signed_data["encap_content_info"]["content"].native is None
    )


def _has_at_most_a_timestamp(seal: EmbeddedPdfSignature) -> bool:
    [signer] = seal.signed_data["signer_infos"]
    attributes = [(attribute["type"].native, len(attribute["values"])) for attribute in signer["unsigned_attrs"]]
    if attributes:
        return attributes == [("signature_time_stamp_token", 1)]
    # Without a timestamp, everything must be encoded in the only way that DER allows.
    signature = _signature_bytes(seal)
    canonical: bytes = cms.ContentInfo.load(signature).dump(force=True)
    return canonical == signature
