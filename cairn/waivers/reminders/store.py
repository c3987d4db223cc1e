"""The SQL queries for reminders."""

from datetime import datetime
from uuid import UUID

from asyncpg import Record

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.waivers.neutral_names import HAS_SAMPLE_NAME
from cairn.waivers.reminders.rules import ReminderSchedule


@frozen_dataclass
class Company:
    id: UUID
    time_zone: str
    schedule: ReminderSchedule


@frozen_dataclass
class Reminder:
    id: UUID
    requested_at: datetime
    session_id: UUID
    company_id: UUID
    company_name: str
    template_name: str
    recipient_name: str | None
    # Empty after the waiver was erased.
    recipient_email: str
    # The status of the session, and when its link expires.
    status: str
    expires_at: datetime
    # When the recipient first stopped the reminders of the company. Only the first time counts, because the company
    # could send a later refusal itself.
    opted_out_at: datetime | None
    # The waiver was texted to this number, and the reminder is texted to it too. None if it is only sent by email.
    phone: str | None
    # The IP address from which the session was opened. It is known for scheduled reminders too.
    opened_from_ip: str | None = None
    # True if the template has the name of a sample, so that no company chose the name.
    has_sample_name: bool = False
    # The time zone of the company. That of the guest is known only after they have signed.
    time_zone: str = "UTC"

    @property
    def has_opted_out(self) -> bool:
        return self.opted_out_at is not None


async def companies_with_reminders(connection: Connection) -> list[Company]:
    """Returns the companies that have reminders switched on and at least one pending session."""
    rows = await connection.fetch(
        """
        select c.company_id as id, c.time_zone, c.reminder_first_days, c.reminder_every_days, c.reminder_limit
          from accounts.mail_settings c
         where c.reminders
           and exists (select from waivers.sessions s where s.company_id = c.company_id and s.status = 'pending')
         order by c.company_id
        """
    )
    return [Company(row["id"], row["time_zone"], _schedule(row)) for row in rows]


def _schedule(row: Record) -> ReminderSchedule:
    return ReminderSchedule(row["reminder_first_days"], row["reminder_every_days"], row["reminder_limit"])


async def queue_scheduled(connection: Connection, company: Company, now: datetime) -> int:
    """Queues what is due: sessions created long enough ago, and those whose last reminder was long enough ago."""
    schedule = company.schedule
    queued: int = await connection.fetchval(
        "select waivers.queue_reminders($1, null, true, $2, $3, $4)",
        company.id, schedule.first_due_if_opened_before(now), schedule.due_again_if_reminded_before(now),
        schedule.max_reminders,
    )  # fmt: skip
    return queued


async def reminder(connection: Connection, reminder_id: UUID) -> Reminder | None:
    row = await connection.fetchrow(
        f"""
        select r.id, r.requested_at, s.id as session_id, r.company_id,
               accounts.company_name(r.company_id) as company_name,
               s.template_name, s.recipient_name, coalesce(s.recipient_email, '') as recipient_email,
               s.status, s.expires_at,
               (select min(f.since) from waivers.reminder_refusals f
                 where f.company_id = r.company_id
                   and f.email in (s.recipient_email, messaging.address_hash(r.company_id, s.recipient_email))
               ) as opted_out_at,
               case when r.scheduled and c.reminders_by_text then messaging.texted_number(s.id) end as phone,
               (select e.details ->> 'ip' from waivers.audit_events e
                 where e.session_id = s.id and e.name = 'session.opened' order by e.id limit 1) as opened_from_ip,
               c.time_zone,
               {HAS_SAMPLE_NAME} as has_sample_name
          from waivers.reminders r
          join waivers.sessions s on s.id = r.session_id
          join accounts.mail_settings c on c.company_id = r.company_id
         where r.id = $1
        """,
        reminder_id,
    )
    return None if row is None else Reminder(**row)


async def close_reminder(connection: Connection, reminder_id: UUID) -> None:
    await connection.execute("update waivers.reminders set open = false where id = $1", reminder_id)


async def opt_out(connection: Connection, reminder: Reminder) -> None:
    await connection.execute(
        "insert into waivers.reminder_refusals (company_id, email) values ($1, $2) on conflict do nothing",
        reminder.company_id, reminder.recipient_email,
    )  # fmt: skip


async def opt_in_again(connection: Connection, reminder: Reminder) -> None:
    await connection.execute(
        """
        delete from waivers.reminder_refusals
         where company_id = $1 and email in ($2, messaging.address_hash($1, $2))
        """,
        reminder.company_id, reminder.recipient_email,
    )  # fmt: skip
