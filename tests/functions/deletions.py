"""What the tests of a deleted account and of a deleted company have in common."""

import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

import httpx

from cairn.db import Connection, Principal
from cairn.kit import now
from tests.people import Person


def signed_in(person: Person, seconds_ago: float) -> Principal:
    """Returns the principal of a person who signed in with a password this many seconds ago."""
    principal = person.principal
    amr = [{"method": "password", "timestamp": int(time.time() - seconds_ago)}]
    return replace(principal, claims={**principal.claims, "amr": amr})


async def call(client: httpx.AsyncClient, caller: str, name: str) -> httpx.Response:
    return await client.post(f"/{name}", json={}, headers={"Authorization": f"Bearer {caller}"})


async def request_twice(client: httpx.AsyncClient, caller: str, name: str, *, waiting_days: int) -> datetime:
    """Requests a deletion twice and returns its date, which the second request does not change."""
    first = await call(client, caller, name)
    second = await call(client, caller, name)
    assert first.status_code == 200, first.text
    delete_at = datetime.fromisoformat(first.json()["deleteAt"])
    assert timedelta(days=waiting_days, hours=-1) < delete_at - now() <= timedelta(days=waiting_days)
    assert datetime.fromisoformat(second.json()["deleteAt"]) == delete_at, "the first date stays"
    return delete_at


async def pass_days(admin: Connection, table: Literal["profiles", "companies"], days: int) -> None:
    """Moves the scheduled deletions as if these days had passed."""
    await admin.execute(f"update {table} set delete_at = delete_at - $1 * interval '1 day'", days)


async def acts(admin: Connection, person: Person) -> list[str]:
    return [row["act"] for row in await admin.fetch("select act from auth.audit_log where user_id = $1", person.id)]
