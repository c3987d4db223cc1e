"""C1 in docs/security.md: the network of a request is compared only with the newest sign-ins of its account."""

from cairn.auth import store
from cairn.db import SERVICE, Connection, Database
from tests.people import Person


async def test_c1_only_the_newest_sign_ins_are_compared_with_the_network_of_a_request(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """C1: before this limit, comparing the IPv6 addresses of thousands of sign-ins blocked the server for seconds."""
    await admin.execute("update auth.users set email_confirmed_at = now() - interval '30 days' where id = $1", rosa.id)
    await admin.execute(
        """
        insert into auth.audit_log (user_id, act, ip, created_at)
        select $1, 'login', format('2001:db8:1:%s::1', to_hex(n)), now() - make_interval(mins => n)
          from generate_series(1, 5000) n
        """,
        rosa.id,
    )

    async with database.acting_as(SERVICE) as connection:
        ips = await store.sign_in_ips(connection, rosa.id)

    assert "2001:db8:1:1::1" in ips
    assert len(ips) <= 200
