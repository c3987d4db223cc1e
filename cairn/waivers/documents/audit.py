"""Checks all evidence of a company: its records, events, heads and stored documents."""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from cryptography.x509 import Certificate

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentDamaged
from cairn.waivers.documents.heads import check_heads

# These files define the functions with which evidence is checked.
EVIDENCE_FILES = tuple(
    f"cairn/waivers/sql/{name}.sql" for name in ("answers", "audit", "broken_evidence", "form", "heads", "record_hash")
)
_DOCUMENTS_PER_BATCH = 500


@frozen_dataclass
class CompanyEvidence:
    """How much evidence a company has. `company_id` is None for sessions without a company."""

    company_id: UUID | None
    name: str | None
    sessions: int
    waivers: int
    events: int
    heads: int
    pending_timestamps: int


async def evidence_by_company(connection: Connection, company_id: UUID | None = None) -> list[CompanyEvidence]:
    """Lists all companies, or only one. A company whose sessions were all removed is listed because of its heads."""
    rows = await connection.fetch(
        """
        with counts as (
            select company_id, count(*) as sessions, 0 as waivers, 0 as events, 0 as heads, 0 as pending
              from waivers.sessions group by 1
            union all
            select company_id, 0, count(*), 0, 0, 0 from waivers.signed group by 1
            union all
            select company_id, 0, 0, count(*), 0, 0 from waivers.audit_events group by 1
            union all
            select h.company_id, 0, 0, 0, count(*), count(*) filter (where h.wants_timestamp and t.head_id is null)
              from waivers.chain_heads h left join waivers.head_timestamps t on t.head_id = h.id group by 1
        )
        select company_id, accounts.company_name(company_id) as name, sum(sessions)::bigint as sessions,
               sum(waivers)::bigint as waivers, sum(events)::bigint as events, sum(heads)::bigint as heads,
               sum(pending)::bigint as pending_timestamps
          from counts
         where $1::uuid is null or company_id = $1
         group by company_id
         order by company_id nulls last
        """,
        company_id,
    )
    return [CompanyEvidence(**row) for row in rows]


async def check_heads_and_documents(
    connection: Connection, documents: DocumentContext, certificates: Sequence[Certificate], company_id: UUID | None
) -> AsyncIterator[str]:
    """Yields a sentence for each contradiction in the heads and documents of a company.

    If `company_id` is None, the heads and documents without a company are checked.

    `check_records_and_events` finds contradictions in records and events.
    """
    async for finding in check_heads(connection, company_id, certificates):
        yield finding
    async for waiver_id, path, sha256 in _documents(connection, company_id):
        try:
            await documents.load(path, sha256)
        except DocumentDamaged as damage:
            yield f"Waiver {waiver_id}: {damage}"


async def _documents(connection: Connection, company_id: UUID | None) -> AsyncIterator[tuple[UUID, str, str]]:
    last_id = UUID(int=0)
    condition = "company_id = $1" if company_id else "company_id is null and $1::uuid is null"
    while True:
        rows = await connection.fetch(
            f"""
            select id, document_path, document_sha256
              from waivers.signed
             where {condition} and id > $2 and document_path is not null and erased_at is null
             order by id
             limit {_DOCUMENTS_PER_BATCH}
            """,
            company_id, last_id,
        )  # fmt: skip
        if not rows:
            return
        last_id = rows[-1]["id"]
        for row in rows:
            yield row["id"], row["document_path"], row["document_sha256"]


async def check_records_and_events(connection: Connection, company_id: UUID | None) -> AsyncIterator[str]:
    """Yields a sentence for each record, event and history that was changed. If `company_id` is None, checks all."""
    for entry in await store.broken_evidence(connection, company_id=company_id):
        yield str(entry)
