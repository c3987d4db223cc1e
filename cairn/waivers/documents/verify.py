"""Is this the sealed, unchanged document of this service? A pure question about bytes and certificates."""

from collections.abc import Collection
from uuid import UUID

from cryptography.x509 import Certificate

from cairn.waivers.documents.verdict import Verdict


def keywords(waiver_id: UUID, record_sha256: str) -> str:
    """How a document names its record, in its metadata and so under the seal."""
    return f"waiver:{waiver_id} record:{record_sha256}"


async def verify(pdf: bytes, certificates: Collection[Certificate]) -> Verdict:
    # Only when somebody asks: pyHanko would be an eighth of an idle server's memory.
    from cairn.waivers.documents.judged import judged  # noqa: PLC0415 - see above

    try:
        return await judged(pdf, certificates)
    except Exception:
        # A hostile file can make a reader stumble in any way there is. What we cannot read we do not vouch for.
        return Verdict("unreadable")
