"""What follows from a signature."""

from typing import Any
from uuid import UUID

from cairn.db import Database
from cairn.jobs import Job
from cairn.waivers.tell import tell_company


def jobs(database: Database) -> list[Job]:
    async def tell(facts: dict[str, Any], _last_try: bool) -> None:
        await tell_company(database, UUID(facts["waiver_id"]))

    return [Job("waivers.tell_company", on="waiver.signed", run=tell)]
