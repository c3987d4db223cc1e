from datetime import timedelta

from cairn.db import Connection

# After a day without a try, the count starts again.
COUNT_RETENTION = timedelta(days=1)


_COUNT_HAS_EXPIRED = "existing.last_try_at < clock_timestamp() - $4::interval"


def _wait_after(tries: str) -> str:
    """Returns the SQL for the wait after this many tries. $2 is the number of free tries, $3 the longest wait."""
    doubled = f"interval '1 second' * power(2, least({tries} - $2::int, 30))"
    return f"case when {tries} < $2::int then interval '0' else least({doubled}, $3::interval) end"


async def begin_password_try(conn: Connection, key: str, *, free_tries: int, max_wait: timedelta) -> float | None:
    """Counts a try before the password is checked. Returns None, or the seconds to wait if it comes too early.

    After the free tries, each try doubles the wait for the next one, beginning with one second.
    """
    wait_seconds: float | None = await conn.fetchval(
        f"""
        with counted as (
            insert into auth.password_tries as existing (account_and_network, tries, last_try_at, retry_at)
            values ($1, 1, clock_timestamp(), clock_timestamp() + {_wait_after("1")})
            on conflict (account_and_network) do update
                  set tries       = case when {_COUNT_HAS_EXPIRED} then 1 else existing.tries + 1 end,
                      last_try_at = clock_timestamp(),
                      retry_at    = clock_timestamp() + case when {_COUNT_HAS_EXPIRED} then {_wait_after("1")}
                                                             else {_wait_after("existing.tries + 1")} end
                where existing.retry_at <= clock_timestamp()
            returning 1
        )
        -- The row may be invisible here, because a concurrent transaction has just inserted it. The left join then
        -- still returns a row, and this try comes too early.
        select case when exists (select from counted) then null
                    else greatest(extract(epoch from retry_at - clock_timestamp()), 0.001)::float8 end
          from (select $1 as account_and_network) as wanted
          left join auth.password_tries using (account_and_network)
        """,
        key, free_tries, max_wait, COUNT_RETENTION,
    )  # fmt: skip
    return wait_seconds


async def forget_password_tries(conn: Connection, key: str) -> None:
    await conn.execute("delete from auth.password_tries where account_and_network = $1", key)
