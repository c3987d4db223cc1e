"""Writes the season in one transaction: the company sends waivers, and guests open and sign them.

Each row is inserted as the product inserts it, with the role and the claims of the company or of a guest. Then it is
moved into the past, before anyone else can see it. The module `store` says how the result stays honest.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from cairn.db import ANON, Connection, Principal
from cairn.demo import store
from cairn.demo.season import TIME_ZONE, SampleGuest
from cairn.demo.strokes import draw_strokes, render_strokes
from cairn.kit import frozen_dataclass
from cairn.messaging import Email, add_email

_BODY = """\
Hi {first_name},

Please read and sign the waiver "{template}" before your activity. You can do it on any device:

{link}

This is sample data. This email was not delivered to anyone.
"""


@frozen_dataclass
class Season:
    """What all waivers of the season have in common."""

    company: Principal
    company_id: UUID
    templates: list[store.Template]
    consent_version: str
    site_url: str


async def write_season(connection: Connection, season: Season, guests: list[SampleGuest]) -> None:
    async with connection.transaction():
        await store.allow_changes(connection)
        for guest in sorted(guests, key=lambda guest: guest.sent_at):
            await _write_waiver(connection, season, guest)
        await store.date_company(connection, season.company_id, min(guest.sent_at for guest in guests))
        await store.forbid_changes(connection)


async def _write_waiver(connection: Connection, season: Season, guest: SampleGuest) -> None:
    session_id = await _send(connection, season, guest)
    if guest.signed_at is not None:
        await _sign(connection, season, session_id, guest, guest.signed_at)
    # This follows the signing, because a session from months ago has expired and cannot be signed.
    await store.date_session(connection, session_id, guest.sent_at)
    await store.close_history(connection, session_id)


async def _send(connection: Connection, season: Season, guest: SampleGuest) -> UUID:
    template = season.templates[guest.template_index]
    await store.act_as(connection, season.company)
    session_id = await store.open_session(connection, template, guest.name, guest.email)
    await store.act_as_owner(connection)
    about = (season.company_id, session_id)
    first_name, link = guest.name.split()[0], f"{season.site_url}/waivers/sign/session/{session_id}"
    email = Email(
        id=store.new_id(),
        recipient=guest.email,
        subject=f"Please sign: {template.name} Waiver",
        body=_BODY.format(first_name=first_name, template=template.name, link=link),
    )
    await _keep_email(connection, about, email, guest.sent_at, "message")
    for reminded_at in guest.reminded_at:
        reminder_id = await store.add_reminder(connection, session_id, season.company_id, reminded_at)
        reminder = replace(email, id=reminder_id, subject=f"Reminder: please sign {template.name}")
        await _keep_email(connection, about, reminder, reminded_at, "reminder")
    return session_id


async def _keep_email(
    connection: Connection, about: tuple[UUID, UUID], email: Email, at: datetime, kind: Literal["message", "reminder"]
) -> None:
    """Stores the email without sending it: the job that would send it finds that it is stored already.

    `about` are the ids of the company and the session.
    """
    company_id, session_id = about
    await add_email(connection, email, company_id=company_id, session_id=session_id, kind=kind, stays_local=True)
    await store.keep_email(connection, email.id, session_id, at)


async def _sign(
    connection: Connection, season: Season, session_id: UUID, guest: SampleGuest, signed_at: datetime
) -> None:
    strokes = draw_strokes(guest.name)
    fields = {
        "signer_name": guest.name,
        "signer_email": guest.email,
        "signature": render_strokes(strokes),
        "consent_version": season.consent_version,
        "consent_language": "en",
        "time_zone": TIME_ZONE,
        "scroll_depth": 100,
    }
    await store.act_as(connection, ANON)
    await store.sign(connection, session_id, fields, strokes)
    await store.act_as_owner(connection)
    opened_at = signed_at - timedelta(minutes=2, seconds=5 * len(guest.name))
    await store.date_signature(connection, session_id, store.SignatureTimes(opened_at, signed_at))
