"""What the signing page shows, read as the stranger who opens it."""

import json
from typing import Any
from uuid import UUID

from cairn.db import ANON, Connection, Database
from cairn.waivers import store


async def show_session(database: Database, session_id: str) -> str | None:
    """The page's data as JSON text, or None where nobody sees anything."""
    async with database.acting_as(ANON, _asking_for(session_id), read_only=True) as connection:
        session = await store.session_to_sign(connection, session_id)
        consent = await store.consent_text(connection)
    return None if session is None else f'{{"kind":"session","session":{session},"consent":{consent}}}'


async def show_template(database: Database, template_id: str, company: UUID | None) -> str | None:
    """`company` is whom the link names; only a sample, which belongs to nobody, needs it."""
    async with database.acting_as(ANON, _asking_for(template_id), read_only=True) as connection:
        found = await store.template_to_sign(connection, template_id, company)
        return None if found is None else await _as_data(connection, found)


async def show_framed_template(
    database: Database, template_id: str, company: UUID | None
) -> tuple[str, list[str]] | None:
    """The same, with the websites on which its company lets it stand in a frame."""
    async with database.acting_as(ANON, _asking_for(template_id), read_only=True) as connection:
        found = await store.template_to_sign(connection, template_id, company)
        if found is None:
            return None
        websites = await store.framed_by(connection, found["company"])
        return await _as_data(connection, found), websites or []


async def _as_data(connection: Connection, found: dict[str, Any]) -> str:
    name = await store.company_name(connection, found["company"])
    consent = await store.consent_text(connection)
    owner = json.dumps(None if found["company"] is None else str(found["company"]))
    company_facts = f'"company_name":{json.dumps(name)},"company":{owner}'
    return f'{{"kind":"template","template":{found["template"]},{company_facts},"consent":{consent}}}'


def _asking_for(row_id: str) -> dict[str, str]:
    return {"request.eq": json.dumps({"id": row_id})}
