from uuid import UUID

from cairn.db import Connection

_MAX_SIGN_INS = 100
"""Only this many sign-ins are read. An account can have thousands, and comparing them all would take seconds."""


async def sign_in_ips(conn: Connection, user_id: UUID) -> list[str]:
    """Returns the IP addresses from which the owner of the email has signed in.

    They are those of the newest open sessions for which the email is proven, and of the newest sign-ins in the last 90
    days. Sign-ins before the email was confirmed do not count, because they may have been those of a stranger. If a
    client has moved the account to the email without the password, only the sessions count.
    """
    rows = await conn.fetch(
        """
        (select s.ip
           from auth.sessions s
           join auth.users u on u.id = s.user_id
          where u.id = $1 and s.proven_email = u.email and s.ip is not null
          order by s.created_at desc
          limit $2)
         union
        (select l.ip
           from auth.audit_log l
           join auth.users u on u.id = l.user_id
          where u.id = $1
            and l.act = 'login'
            and l.created_at >= greatest(u.email_confirmed_at, now() - interval '90 days')
            and l.ip is not null
            and not u.email = any (u.token_only_emails)
          order by l.created_at desc
          limit $2)
        """,
        user_id, _MAX_SIGN_INS,
    )  # fmt: skip
    return [row["ip"] for row in rows]


async def phone_sign_in_ips(conn: Connection, phone: str) -> list[str]:
    """Returns the IP addresses of the newest sign-ins with a texted code in the last 90 days, for this number."""
    rows = await conn.fetch(
        """
        select l.ip
          from auth.audit_log l
          join auth.users u on u.id = l.user_id
         where u.phone = $1
           and l.act = 'login'
           and l.payload ->> 'method' in ('phone_signup', 'sms', 'phone_change')
           and l.created_at >= now() - interval '90 days'
           and l.ip is not null
         order by l.created_at desc
         limit $2
        """,
        phone, _MAX_SIGN_INS,
    )  # fmt: skip
    return [row["ip"] for row in rows]
