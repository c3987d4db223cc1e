"""A guest invites an adult whom they have added to their waiver."""

from datetime import date
from uuid import UUID, uuid4

from cairn.db import ANON, Database, Principal
from tests.waivers.acts import call
from tests.waivers.forms.sample_forms import years_ago


async def invite(
    database: Database,
    session_id: UUID,
    *,
    by: Principal = ANON,
    invited_id: UUID | None = None,
    name: str | None = "Nia Okafor",
    age: int = 19,
) -> UUID:
    """Returns the id of the adult's own session."""
    adult_session_id: UUID = await call(
        database, by, "select invite_adult($1, $2, $3, $4)",
        session_id, invited_id or uuid4(), name, date.fromisoformat(years_ago(age)),
    )  # fmt: skip
    return adult_session_id
