"""A company that has reached its limits can still have its waivers signed."""

import pytest

from cairn.db import ANON, Connection, Database
from tests.factories import make_session, sign
from tests.people import Person

SENT_THIS_MONTH = 1_001


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
    await admin.execute(
        """
        insert into sent_waivers (company_id, session_id, template_id, template_name, template_content,
                                  recipient_name, recipient_email, email_status)
        select company_id, id, template_id, template_name, template_content, 'Guest', 'guest@example.com', 'delivered'
          from waivers.sessions, generate_series(1, $2) where id = $1
        """,
        session_id,
        SENT_THIS_MONTH,
    )

    await sign(database, session_id, by=ANON if signer == "a stranger" else gil.principal)

    assert await admin.fetchval("select status from waivers.sessions where id = $1", session_id) == "signed"
