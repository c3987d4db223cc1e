"""A company that has reached its limits can still have its waivers signed."""

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from tests.billing.test_allowance import REFUSAL_START, add_waiver_email, set_count
from tests.factories import make_session, sign
from tests.people import Person

PLAN_LIMIT = 1000


@pytest.mark.accept("SIGN-22")
@pytest.mark.parametrize("signer", ["a stranger", "the guest with an account"])
async def test_a_guest_signs_even_after_trial_and_plan_limit_have_run_out(
    database: Database, admin: Connection, rosa: Person, gil: Person, signer: str
) -> None:
    session_id = await make_session(database, rosa)
    for person in (rosa, gil):
        await admin.execute(
            """
            insert into billing.trials (user_id, start_date) values ($1, now() - interval '40 days')
                on conflict (user_id) do update set start_date = excluded.start_date
            """,
            person.id,
        )
    await set_count(admin, rosa, PLAN_LIMIT - 1)
    await add_waiver_email(database, rosa.company, session_id)
    with pytest.raises(asyncpg.PostgresError, match=REFUSAL_START):
        await add_waiver_email(database, rosa.company, await make_session(database, rosa))
    assert await admin.fetchval("select bool_or(is_active) from trials") is False

    await sign(database, session_id, by=ANON if signer == "a stranger" else gil.principal)

    assert await admin.fetchval("select status from waivers.sessions where id = $1", session_id) == "signed"
