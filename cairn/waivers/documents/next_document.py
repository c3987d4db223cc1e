"""Chooses the document that a job prepares, so that a stranger who signs very often does not delay other guests."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Database

# Documents that have waited for less than this are prepared in the order of their jobs.
_BACKLOG_AFTER = timedelta(seconds=10)
# Only the newest waiting documents of a company are compared, because comparing thousands takes too long.
_MAX_COMPARED = 2000
# Workers in other processes choose at the same time, so each takes one of the first documents at random.
_CHOICES = 16


async def next_document(
    database: Database, waiver_id: UUID, preparing: Collection[UUID] = (), *, choices: int = _CHOICES
) -> UUID | None:
    """Returns the waiver whose document the job of `waiver_id` prepares. This is usually `waiver_id` itself.

    If documents of the company have to wait, those for networks with the fewest waiting documents come first. The job
    of each waiver prepares one document, so all are prepared in the end. A document that has failed is left to its own
    job, which counts the tries. If another job has prepared the document of `waiver_id`, or has found out that it
    cannot be made, this job prepares another one. Returns None if it cannot be made and no other one is waiting. The
    job of an erased waiver only deletes its file.

    `preparing` are the waivers whose documents other jobs of this worker are preparing.
    """
    async with database.acting_as(SERVICE, read_only=True) as connection:
        chosen_id: UUID | None = await connection.fetchval(
            """
            with backlog as (
                select o.company_id from waivers.signed o
                 where o.id = $1 and o.erased_at is null
                   and (o.signed_at < now() - $2::interval or o.document_path is not null or o.id = any ($4::uuid[]))
                   and not exists (select from waivers.document_failures f where f.waiver_id = o.id and not f.is_final)
            ), waiting as (
                select w.id, w.signed_at, w.ip
                  from waivers.signed w
                  join backlog on w.company_id is not distinct from backlog.company_id
                 where w.document_path is null and w.erased_at is null and w.id <> all ($4::uuid[])
                   and not exists (select from waivers.document_failures f where f.waiver_id = w.id)
                 order by w.signed_at desc
                 limit $5
            ), with_count as (
                select id, signed_at, count(*) over (partition by waivers.larger_network_of(ip)) as of_network
                  from waiting
            ), first as (
                select id from with_count order by of_network, signed_at limit $3
            )
            select coalesce((select id from first order by random() limit 1),
                            (select o.id from waivers.signed o where o.id = $1 and not waivers.document_failed(o.id)))
            """,
            waiver_id, _BACKLOG_AFTER, choices, list(preparing), _MAX_COMPARED,
        )  # fmt: skip
    return chosen_id
