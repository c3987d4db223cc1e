"""SQL that only the database owner may run, to give the sample season its past.

Anyone with full access to the database can do this to a company that has no head yet (docs/evidence-format.md), so
times before the first head prove nothing. Here they are not passed off as true: the season is written in one
transaction, before anyone sees it, and each history gets the event `session.sampled`, which says that all times before
it are made up. The documents say so too. The seals, the heads and the events after it have their real times.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from cairn.db import Connection, Principal
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Template:
    id: str
    name: str
    content: str


@frozen_dataclass
class SignatureTimes:
    opened_at: datetime
    signed_at: datetime


def new_id() -> UUID:
    return uuid4()


async def act_as(connection: Connection, principal: Principal) -> None:
    """Lets the transaction go on with the role and the claims of the principal, as a request of the product would."""
    await connection.execute(
        """
        select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
               set_config('request.user_agent', 'cairn demo', true)
        """,
        principal.role, principal.claims_json,
    )  # fmt: skip


async def act_as_owner(connection: Connection) -> None:
    await connection.execute("select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)")


async def open_session(connection: Connection, template: Template, name: str, email: str) -> UUID:
    session_id: UUID = await connection.fetchval(
        """
        insert into waiver_sessions (template_id, template_content, recipient_name, recipient_email)
        values ($1, $2, $3, $4) returning id
        """,
        template.id, template.content, name, email,
    )  # fmt: skip
    await connection.execute(
        """
        insert into sent_waivers (session_id, template_id, template_name, template_content, recipient_name,
                                  recipient_email)
        values ($1, $2, $3, $4, $5, $6)
        """,
        session_id, template.id, template.name, template.content, name, email,
    )  # fmt: skip
    return session_id


async def sign(connection: Connection, session_id: UUID, fields: Mapping[str, Any], strokes: object) -> None:
    """Reports that the waiver was opened, and signs it, as the signing page does."""
    await connection.execute("select note_waiver_view($1, 100, 'en')", session_id)
    columns = {"session_id": session_id, **fields, "strokes": json.dumps(strokes)}
    places = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    await connection.execute(f"insert into signed_waivers ({', '.join(columns)}) values ({places})", *columns.values())


async def add_reminder(connection: Connection, session_id: UUID, company_id: UUID, at: datetime) -> UUID:
    reminder_id: UUID = await connection.fetchval(
        """
        insert into waivers.reminders (session_id, company_id, scheduled, requested_at) values ($1, $2, true, $3)
        returning id
        """,
        session_id, company_id, at,
    )  # fmt: skip
    return reminder_id


async def keep_email(connection: Connection, email_id: UUID, session_id: UUID, at: datetime) -> None:
    """Stores the email as the worker does when there is no mail server, with the times of the season."""
    await connection.execute(
        """
        update emails
           set status = 'kept', attempts = 1, created_at = $2, sent_at = $2::timestamptz + interval '2 seconds'
         where id = $1
        """,
        email_id, at,
    )  # fmt: skip
    await connection.execute(
        """
        update waivers.audit_events
           set at = $2::timestamptz + case name when 'email.requested' then interval '0' else interval '2 seconds' end
         where session_id = $3 and details ->> 'email_id' = $1::text
        """,
        str(email_id), at, session_id,
    )  # fmt: skip


async def allow_changes(connection: Connection) -> None:
    await connection.execute("alter table waivers.signed disable trigger keep_signed")


async def forbid_changes(connection: Connection) -> None:
    await connection.execute("set constraints all immediate")
    await connection.execute("alter table waivers.signed enable trigger keep_signed")


async def date_session(connection: Connection, session_id: UUID, sent_at: datetime) -> None:
    await connection.execute(
        """
        with session as (
            update waivers.sessions set created_at = $2, expires_at = $2::timestamptz + (expires_at - created_at)
             where id = $1
        ), sending as (
            update sent_waivers set sent_at = $2 where session_id = $1
        )
        update waivers.audit_events set at = $2 where session_id = $1 and name = 'session.opened'
        """,
        session_id, sent_at,
    )  # fmt: skip


async def date_signature(connection: Connection, session_id: UUID, times: SignatureTimes) -> None:
    await connection.execute(
        """
        update waivers.signed
           set signed_at = $2, consented_at = $2::timestamptz - interval '20 seconds', first_viewed_at = $3,
               last_viewed_at = $2::timestamptz - interval '4 seconds'
         where session_id = $1
        """,
        session_id, times.signed_at, times.opened_at,
    )  # fmt: skip
    await connection.execute(
        "update waivers.signed w set record_sha256 = waivers.record_hash(w) where session_id = $1", session_id
    )
    await connection.execute(
        """
        update waivers.audit_events e
           set at = $2,
               details = e.details || jsonb_build_object('record_sha256', encode(w.record_sha256, 'hex'))
          from waivers.signed w
         where e.session_id = $1 and e.name = 'waiver.signed' and w.id = (e.details ->> 'waiver_id')::uuid
        """,
        session_id, times.signed_at,
    )  # fmt: skip
    await connection.execute(
        "update waivers.audit_events set at = $2 where session_id = $1 and name = 'session.viewed'",
        session_id, times.opened_at,
    )  # fmt: skip


async def close_history(connection: Connection, session_id: UUID) -> None:
    """Computes the chain of the changed events, and appends the event that says that their times are made up."""
    previous: bytes | None = None
    for row in await connection.fetch(
        "select id from waivers.audit_events where session_id = $1 order by id", session_id
    ):
        previous = await connection.fetchval(
            """
            update waivers.audit_events e
               set previous = $2,
                   hash = waivers.audit_hash($2, e.session_id, e.name, waivers.details_line(e), e.at)
             where id = $1
            returning hash
            """,
            row["id"], previous,
        )  # fmt: skip
    await connection.execute(
        "select waivers.append_audit(s, 'session.sampled', '{}') from waivers.sessions s where s.id = $1", session_id
    )


async def date_company(connection: Connection, company_id: UUID, started_at: datetime) -> None:
    """Dates the company and its templates, and counts each waiver in the month in which it was sent."""
    await connection.execute("update companies set created_at = $2 where id = $1", company_id, started_at)
    await connection.execute(
        "update waiver_templates set created_at = $2 where company_id = $1", company_id, started_at
    )
    await connection.execute(
        """
        update billing.counted_sendings c
           set month = date_trunc('month', s.created_at at time zone 'UTC')::date
          from waivers.sessions s
         where s.id = c.session_id and c.company_id = $1
        """,
        company_id,
    )
    await connection.execute("delete from billing.sendings_by_month where company_id = $1", company_id)
    await connection.execute(
        """
        insert into billing.sendings_by_month (company_id, month, sent)
        select company_id, month, count(*) from billing.counted_sendings where company_id = $1
         group by company_id, month
        """,
        company_id,
    )


async def date_what_the_worker_wrote(connection: Connection, company_id: UUID) -> None:
    """Dates the notifications, and the copies for the signers. Their events in the histories keep their real times."""
    await connection.execute(
        """
        update emails e
           set created_at = w.signed_at + interval '9 seconds', sent_at = w.signed_at + interval '11 seconds'
          from waivers.signed w
         where e.kind = 'copy' and e.attachment_id = w.id and w.company_id = $1
        """,
        company_id,
    )
    await connection.execute(
        """
        update notifications n set created_at = w.signed_at
          from waivers.signed w
         where w.id = n.about and w.company_id = $1
        """,
        company_id,
    )


async def count_missing_documents(connection: Connection, company_id: UUID) -> int:
    """Counts the signed waivers whose document or notification the worker has not written yet."""
    count: int = await connection.fetchval(
        """
        select count(*) from waivers.signed w
         where w.company_id = $1
           and (w.document_path is null or not exists (select from notifications n where n.about = w.id))
        """,
        company_id,
    )
    return count


async def add_plan(connection: Connection, company_id: UUID, customer: str, amounts_cents: list[int]) -> None:
    """Adds a card of the payment sandbox, a plan, and one paid invoice per month. The newest one is a month old."""
    await connection.execute(
        "insert into billing.customers (provider, reference, company_id) values ('sandbox', $1, $2)",
        customer, company_id,
    )  # fmt: skip
    await connection.execute(
        """
        insert into billing.sandbox_cards (customer, brand, last4, exp_month, exp_year)
        values ($1, 'visa', '4242', 12, 2028)
        """,
        customer,
    )
    await connection.execute(
        """
        insert into billing.subscriptions (customer_id, reference, plan, status, renews_at, as_of, created_at)
        select id, $1 || '_plan', 'basic', 'active', now() + interval '12 days', now(), now() - $2::interval
          from billing.customers where reference = $1
        """,
        customer, timedelta(days=30 * len(amounts_cents)),
    )  # fmt: skip
    for index, amount in enumerate(amounts_cents):
        await connection.execute(
            """
            insert into billing.invoices (customer_id, reference, number, description, amount_cents, status, issued_at)
            select id, $1 || '_' || $2::int, 1000, 'Sample invoice, not charged', $3, 'paid',
                   now() - make_interval(months => $4::int)
              from billing.customers where reference = $1
            """,
            customer, index, amount, len(amounts_cents) - index,
        )  # fmt: skip
