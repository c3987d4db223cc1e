"""Limits wrong codes for second factors."""

from uuid import UUID

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.errors import TooManyWrongCodes
from cairn.auth.model import CHALLENGE_LIFETIME, Caller
from cairn.db import Connection
from cairn.limits import larger_network_of


async def check_wrong_codes(context: AuthContext, conn: Connection, user_id: UUID, caller: Caller) -> None:
    """Raises TooManyWrongCodes if the caller has to wait.

    A thief with the password, but without the second factor, must not keep the owner out by entering wrong codes. Each
    network from which a correct code has come therefore has its own limit. All other networks share one limit, so that
    a thief with many networks cannot guess more often. They also share a limit for the day, because a thief has time.
    """
    owner_networks = await _owner_networks(conn, user_id)
    key = _limit_key(caller.ip, owner_networks)
    wrong_codes = await store.recent_wrong_codes(conn, user_id, CHALLENGE_LIFETIME)
    counted = [wrong for wrong in wrong_codes if _limit_key(wrong.ip, owner_networks) == key]
    if sum(wrong.count for wrong in counted) >= context.settings.mfa.tries:
        raise TooManyWrongCodes(max(1, min(wrong.seconds_left for wrong in counted)))
    if key is None:
        await limits.check_wrong_factor_codes(context, conn, user_id)


async def record_wrong_code(
    context: AuthContext, conn: Connection, user_id: UUID, challenge_id: UUID, caller: Caller
) -> None:
    await store.record_challenge_failure(conn, challenge_id)
    if _limit_key(caller.ip, await _owner_networks(conn, user_id)) is None:
        await limits.count_wrong_factor_code(context, conn, user_id)


async def _owner_networks(conn: Connection, user_id: UUID) -> set[str]:
    return {larger_network_of(ip) for ip in await store.verified_factor_ips(conn, user_id)}


def _limit_key(ip: str | None, owner_networks: set[str]) -> str | None:
    """Returns the owner's network that contains the IP address. Addresses in other networks share the key None."""
    network = larger_network_of(ip)
    return network if network in owner_networks else None
