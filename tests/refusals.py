"""Reads the refusals that each package lists in its refusals.sql, and prepares the scene for refused actions."""

import json
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, Principal, shipped_definitions
from cairn.kit import frozen_dataclass
from tests.people import Person


@frozen_dataclass
class ListedRefusal:
    package: str
    code: str
    sqlstate: str
    message: str


def listed_refusals() -> list[ListedRefusal]:
    """Returns the refusals of all packages; a code that is listed twice is returned twice."""
    definitions = [definition for definition in shipped_definitions() if definition.object.endswith(".refuse")]
    return [
        ListedRefusal(definition.file.split("/")[1], code, sqlstate, message)
        for definition in definitions
        for code, (sqlstate, message, *_) in json.loads(definition.sql.split("$$")[1], object_pairs_hook=list)
    ]


@frozen_dataclass
class Scene:
    """The people and the open session with which each refused action starts."""

    database: Database
    admin: Connection
    rosa: Person
    gil: Person
    session_id: UUID

    async def run(self, principal: Principal, sql: str, *values: object) -> None:
        async with self.database.acting_as(principal) as connection:
            await connection.execute(sql, *values)

    async def use_up_monthly_limit(self) -> None:
        await self.admin.execute(
            "insert into billing.sendings_by_month values ($1, billing.this_month(), 1000)", self.rosa.company
        )
        await self.run(
            SERVICE,
            """
            insert into emails (company_id, session_id, recipient, subject, body)
            values ($1, $2, 'gil@example.com', 'Sign', 'Here')
            """,
            self.rosa.company, self.session_id,
        )  # fmt: skip
