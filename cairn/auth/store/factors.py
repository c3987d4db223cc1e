import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from cairn.auth.model import (
    CHALLENGE_LIFETIME,
    ENROLMENT_LIFETIME,
    FactorChallenge,
    RecentChallenges,
    StoredFactor,
    WrongCodes,
)
from cairn.db import Connection


async def add_factor(
    conn: Connection, user_id: UUID, *, name: str, kind: str, secret: str | None = None, phone: str | None = None
) -> UUID | None:
    """Adds an unverified factor. Returns None if the user already has a factor with that name."""
    factor_id: UUID | None = await conn.fetchval(
        """
        insert into auth.mfa_factors (user_id, friendly_name, factor_type, secret, phone)
        values ($1, $2, $3, $4, $5)
        on conflict (user_id, friendly_name) do nothing
        returning id
        """,
        user_id, name, kind, secret, phone,
    )  # fmt: skip
    return factor_id


async def remove_unverified_factors(conn: Connection, user_id: UUID, *, older_than: timedelta) -> None:
    await conn.execute(
        """
        delete from auth.mfa_factors
         where user_id = $1 and status = 'unverified' and created_at < now() - $2::interval
        """,
        user_id, older_than,
    )  # fmt: skip


async def lock_factor(conn: Connection, user_id: UUID, factor_id: UUID) -> StoredFactor | None:
    """Locks the factor, so that concurrent attempts run one after another and each sees the earlier failures.

    A factor that was enrolled long ago and never verified is not found.
    """
    row = await conn.fetchrow(
        """
        select id, user_id, factor_type, status, secret, phone, credential, last_step
          from auth.mfa_factors
         where user_id = $1 and id = $2 and (status = 'verified' or created_at > now() - $3::interval)
           for update
        """,
        user_id, factor_id, ENROLMENT_LIFETIME,
    )  # fmt: skip
    return None if row is None else _stored_factor(row)


async def credentials_of(conn: Connection, user_id: UUID) -> list[dict[str, Any]]:
    rows = await conn.fetch(
        "select credential from auth.mfa_factors where user_id = $1 and credential is not null", user_id
    )
    return [json.loads(row["credential"]) for row in rows]


async def mark_factor_verified(
    conn: Connection, factor: StoredFactor, *, last_step: int | None, credential: dict[str, Any] | None
) -> None:
    """Marks the factor as verified, and removes the user's unverified factors, which may be those of a thief."""
    await conn.execute(
        """
        with other_unverified_factors as (
            delete from auth.mfa_factors where user_id = $2 and status = 'unverified' and id <> $1
        )
        update auth.mfa_factors
           set status     = 'verified',
               last_step  = coalesce($3, last_step),
               credential = coalesce($4::jsonb, credential),
               updated_at = case when status = 'verified' then updated_at else now() end
         where id = $1
        """,
        factor.id, factor.user_id, last_step, credential and json.dumps(credential),
    )  # fmt: skip


async def remove_factor(conn: Connection, user_id: UUID, factor_id: UUID) -> None:
    """Removes a factor, and lowers the sessions that it had raised back to aal1.

    The recovery codes are also removed if the user has no other verified factor.
    """
    await conn.execute(
        """
        update auth.sessions
           set aal = 'aal1',
               amr = jsonb_path_query_array(
                   amr, '$[*] ? (@.method != "totp" && !(@.method starts with "mfa/"))')
         where factor_id = $1
        """,
        factor_id,
    )
    await conn.execute("delete from auth.mfa_factors where user_id = $1 and id = $2", user_id, factor_id)
    await conn.execute(
        """
        delete from auth.mfa_recovery_codes
         where user_id = $1
           and not exists (select from auth.mfa_factors where user_id = $1 and status = 'verified')
        """,
        user_id,
    )


async def add_challenge(
    conn: Connection,
    challenge_id: UUID,
    factor_id: UUID,
    ip: str | None,
    *,
    code_hmac: bytes | None,
    nonce: bytes | None,
) -> None:
    await conn.execute(
        """
        with updated_factor as (
            update auth.mfa_factors set last_challenged_at = now() where id = $2
        )
        insert into auth.mfa_challenges (id, factor_id, ip, code_hmac, nonce) values ($1, $2, $3, $4, $5)
        """,
        challenge_id, factor_id, ip, code_hmac, nonce,
    )  # fmt: skip


async def challenge_by_id(conn: Connection, factor_id: UUID, challenge_id: UUID) -> FactorChallenge | None:
    row = await conn.fetchrow(
        """
        select id, ip, code_hmac, nonce, verified_at, created_at
          from auth.mfa_challenges
         where id = $1 and factor_id = $2
        """,
        challenge_id, factor_id,
    )  # fmt: skip
    return None if row is None else FactorChallenge(**dict(row))


async def mark_challenge_verified(conn: Connection, challenge_id: UUID, now: datetime) -> None:
    await conn.execute("update auth.mfa_challenges set verified_at = $2 where id = $1", challenge_id, now)


async def record_challenge_failure(conn: Connection, challenge_id: UUID) -> None:
    await conn.execute(
        "update auth.mfa_challenges set failures = failures + 1, last_failure_at = now() where id = $1", challenge_id
    )


async def recent_challenges(conn: Connection, user_id: UUID, period: timedelta) -> RecentChallenges:
    """Counts the user's recent challenges, for all factors together."""
    row = await conn.fetchrow(
        """
        select count(*)::int as count,
               coalesce(ceil(extract(epoch from min(c.created_at) + $2::interval - now())), 0)::int as seconds_left
          from auth.mfa_challenges c
          join auth.mfa_factors f on f.id = c.factor_id
         where f.user_id = $1 and c.created_at > now() - $2::interval
        """,
        user_id, period,
    )  # fmt: skip
    assert row is not None
    return RecentChallenges(**dict(row))


async def recent_wrong_codes(conn: Connection, user_id: UUID, period: timedelta) -> list[WrongCodes]:
    """Returns the challenges with a wrong response in this period, for all factors.

    The period begins with the last wrong response and not with the challenge. Otherwise the wrong codes that someone
    enters just before a challenge expires would count for a moment only. The number of challenges is limited, so there
    are few rows.
    """
    rows = await conn.fetch(
        """
        select c.ip, c.failures as count,
               ceil(extract(epoch from c.last_failure_at + $2::interval - now()))::int as seconds_left
          from auth.mfa_challenges c
          join auth.mfa_factors f on f.id = c.factor_id
         where f.user_id = $1
           and c.last_failure_at > now() - $2::interval
           and c.created_at > now() - $2::interval - $3::interval
        """,
        user_id, period, CHALLENGE_LIFETIME,
    )  # fmt: skip
    return [WrongCodes(**row) for row in rows]


async def verified_factor_ips(conn: Connection, user_id: UUID) -> list[str]:
    """Returns the IP addresses from which the user's newest correct codes of the last 90 days came.

    Codes of factors that were removed do not count, because they may have been those of a thief.
    """
    rows = await conn.fetch(
        """
        select distinct ip
          from (select l.ip
                  from auth.audit_log l
                  join auth.mfa_factors f on f.user_id = l.user_id and f.id::text = l.payload ->> 'factor_id'
                 where l.user_id = $1
                   and l.act = 'factor_verified'
                   and l.created_at > now() - interval '90 days'
                   and f.status = 'verified'
                 order by l.created_at desc
                 limit 100) newest
         where ip is not null
        """,
        user_id,
    )
    return [row["ip"] for row in rows]


async def replace_recovery_codes(conn: Connection, user_id: UUID, hashes: list[bytes]) -> None:
    await conn.execute("delete from auth.mfa_recovery_codes where user_id = $1", user_id)
    await conn.executemany(
        "insert into auth.mfa_recovery_codes (user_id, code_sha256) values ($1, $2)",
        [(user_id, code_sha256) for code_sha256 in hashes],
    )


async def use_recovery_code(conn: Connection, user_id: UUID, code_sha256: bytes, now: datetime) -> bool:
    """Returns whether the code was valid, and marks it as used."""
    was_valid = await conn.fetchval(
        """
        update auth.mfa_recovery_codes
           set used_at = $3
         where user_id = $1 and code_sha256 = $2 and used_at is null
        returning true
        """,
        user_id, code_sha256, now,
    )  # fmt: skip
    return bool(was_valid)


def _stored_factor(row: asyncpg.Record) -> StoredFactor:
    return StoredFactor(**{**dict(row), "credential": row["credential"] and json.loads(row["credential"])})
