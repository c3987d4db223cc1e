"""Checks with nothing but the certificates whether a PDF is an unchanged document that this deployment sealed."""

from collections.abc import Collection

from cryptography.x509 import Certificate

from cairn.waivers.documents.verification.verdict import Verdict


async def verify(pdf: bytes, certificates: Collection[Certificate]) -> Verdict:
    # Imported on first use, because pyHanko would take an eighth of an idle server's memory.
    from cairn.waivers.documents.verification.read_seal import validate_seal  # noqa: PLC0415 - see above

    try:
        return await validate_seal(pdf, certificates)
    except Exception:
        # A hostile file can make the PDF parser fail in any way. A file that cannot be parsed is never accepted.
        return Verdict("unreadable")
