"""16L8: a stranger who knows the address of a guest cannot crowd out the guest's own waivers from their list.

16L8 is a finding in docs/security.md.
"""

from cairn.db import ANON, Database
from tests.factories import make_session, make_template, open_session, sign, signature_data_url
from tests.people import Person, signed_in

MANY = 520


async def own_names(database: Database, guest: Person) -> list[tuple[str, int]]:
    """Returns which templates the list of the guest names, and how often."""
    async with database.acting_as(await signed_in(database, guest)) as connection:
        rows = await connection.fetch("select template_name, count(*) from my_waivers() group by 1 order by 1")
    return [tuple(row) for row in rows]


async def test_16l8_many_links_of_one_company_do_not_hide_those_of_another(
    database: Database, rosa: Person, mallory: Person, gil: Person
) -> None:
    await make_session(database, rosa, await make_template(database, rosa, name="River trip"), email=gil.email)
    template_id = await make_template(database, mallory, name="Spam")
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute(
            """
            insert into waiver_sessions (template_id, recipient_email)
            select $1, $2 from generate_series(1, $3)
            """,
            template_id, gil.email, MANY,
        )  # fmt: skip

    assert await own_names(database, gil) == [("River trip", 1), ("Spam", 499)]


async def test_16l8_many_signatures_of_a_stranger_do_not_hide_that_of_the_guest(
    database: Database, rosa: Person, gil: Person
) -> None:
    """With the guest's address, the stranger signs a public template of the company for which the guest signed."""
    session_id = await make_session(database, rosa, await make_template(database, rosa, name="River trip"))
    await sign(database, session_id, ip="198.51.100.7", signer_email=gil.email)
    template_id = await make_template(database, rosa, name="Bike tour")
    sessions = [await open_session(database, ANON, template_id) for _ in range(MANY // 20)]
    async with database.acting_as(ANON, {"request.ip": "203.0.113.66"}) as connection:
        await connection.execute(
            """
            insert into signed_waivers (session_id, signer_name, signer_email, signature)
            select session, 'Gil', $2, $3 from unnest($1::uuid[]) as session, generate_series(1, 20)
            """,
            sessions, gil.email, signature_data_url(),
        )  # fmt: skip

    assert await own_names(database, gil) == [("Bike tour", 499), ("River trip", 1)]
