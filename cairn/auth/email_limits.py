"""Limits the emails about accounts: those of the whole server, and those to one mailbox.

Anyone can request emails to any address. So the limits must stop a flood, but a stranger must not be able to use up the
emails that the owner of an address needs. Each IP network has its own limits where that is possible.
"""

from cairn import limits
from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import EmailSentRecently, TooManyEmails, TooManyEmailsFromNetwork
from cairn.auth.limits import DAY, HOUR, Limit, enforce, hash_of, limit_error
from cairn.auth.model import Caller, User
from cairn.db import Connection
from cairn.kit import mailbox_of
from cairn.limits import larger_network_of, network_of

PASSWORD_NOTICES_PER_DAY = 5


async def check_email_limit(
    context: AuthContext, purpose: str, address: str, caller: Caller, *, to_new_address: bool
) -> None:
    """Checks the limits before the account is looked up, so that the error does not reveal whether it exists.

    The interval between two emails is counted for each IP network, so that a stranger cannot keep the owner waiting.
    With `to_new_address`, the request sends its email to an address that no one has confirmed. The limits of the whole
    server are checked here but do not count the request, because it may turn out that there is no email to send.
    `count_email_of_server` later counts each email that is sent. The limit of the caller's network counts all requests,
    because it would otherwise reveal which ones sent an email.
    """
    await _check_interval(context, f"mail {purpose} to {hash_of(address)} from {network_of(caller.ip)}")
    await enforce(context, _network_limit(context, caller))
    async with context.transaction(read_only=True) as conn:
        for limit in _server_limits(context, to_new_address=to_new_address):
            wait_seconds = await limits.seconds_to_wait(conn, limit)
            if wait_seconds is not None:
                raise limit_error(limit, wait_seconds)


async def check_interval_of_new_address(context: AuthContext, address: str, caller: Caller) -> None:
    """Raises an error if an email was sent to this new address too recently.

    Any number of accounts may request a change to the same address, and each request sends an email to it. The interval
    is counted for each IP network, so that a stranger cannot keep the owner of the address waiting.
    """
    await _check_interval(context, f"mail to new address {hash_of(address)} from {network_of(caller.ip)}")


async def may_send_email(context: AuthContext, conn: Connection, *, to_new_address: bool) -> bool:
    """Returns whether the server may send another email."""
    for limit in _server_limits(context, to_new_address=to_new_address):
        if await limits.seconds_to_wait(conn, limit) is not None:
            return False
    return True


async def count_confirmation_email(context: AuthContext, conn: Connection, caller: Caller) -> bool:
    """Counts an email that confirms a sign-up, and returns whether the caller's network and the server may send it."""
    if await limits.take(conn, _network_limit(context, caller)) is not None:
        return False
    return await may_send_email(context, conn, to_new_address=True)


async def count_email_of_mailbox(
    context: AuthContext, conn: Connection, user: User, address: str, caller: Caller, *, by_owner: bool
) -> bool:
    """Counts an email to a mailbox in the transaction that queues it. Returns False if the email must not be sent.

    With `by_owner`, the caller is signed in to the account. The response must not show that a limit is reached: only
    addresses with an account get emails and can reach a limit, so the response would reveal that there is an account.
    """
    if _is_new_address(user, address) and not await may_send_email(context, conn, to_new_address=True):
        return False
    settings, mailbox, network = context.settings, hash_of(mailbox_of(address)), network_of(caller.ip)
    if by_owner or await _is_network_of_owner(conn, user, address, network):
        own_limit = Limit(f"mails to owner {mailbox} from {network}", settings.rate_limit_email_per_address, DAY)
        return await limits.take(conn, own_limit) is None
    network_limit = Limit(f"mails to {mailbox} from {network}", settings.rate_limit_email_per_address_and_network, DAY)
    if await limits.take(conn, network_limit) is not None:
        return False
    return await limits.take(conn, Limit(f"mails to {mailbox}", settings.rate_limit_email_per_address, DAY)) is None


async def count_password_notice(conn: Connection, address: str) -> bool:
    """Counts a notice about a new password, and returns whether it may be sent.

    The limits of the server do not apply to it. Otherwise a thief could use them up before changing the password.
    """
    limit = Limit(f"password notices to {hash_of(mailbox_of(address))}", PASSWORD_NOTICES_PER_DAY, DAY)
    return await limits.take(conn, limit) is None


async def count_email_of_server(context: AuthContext, conn: Connection, user: User, address: str) -> None:
    """Counts an email in the limits of the whole server, in the transaction that queues it.

    Emails of all accounts share this count and wait for the lock on it, so it comes late in the transaction.
    """
    for limit in _server_limits(context, to_new_address=_is_new_address(user, address)):
        await limits.take(conn, limit)


def _is_new_address(user: User, address: str) -> bool:
    """Returns whether no one has confirmed that the address is theirs."""
    return user.email != address or user.email_confirmed_at is None


async def _is_network_of_owner(conn: Connection, user: User, address: str, network: str) -> bool:
    """Returns whether the owner of the address has signed in from this IP network."""
    if network == network_of(None) or _is_new_address(user, address):
        return False
    return network in {network_of(ip) for ip in await store.sign_in_ips(conn, user.id)}


async def _check_interval(context: AuthContext, bucket: str) -> None:
    await enforce(context, Limit(bucket, 1, context.settings.smtp_max_frequency, EmailSentRecently))


def _network_limit(context: AuthContext, caller: Caller) -> Limit:
    """Returns the limit of one IPv4 address or IPv6 /48 network, which must not use up the emails of the server."""
    bucket = f"account mail from {larger_network_of(caller.ip)}"
    return Limit(bucket, context.settings.rate_limit_email_per_network, HOUR, TooManyEmailsFromNetwork)


def _server_limits(context: AuthContext, *, to_new_address: bool) -> list[Limit]:
    """Returns the limits in which an email counts. All transactions take them in this order, to avoid deadlocks."""
    total = Limit("mail", context.settings.rate_limit_email_sent, HOUR, TooManyEmails)
    if not to_new_address:
        return [total]
    return [total, Limit("mail to new", context.settings.rate_limit_email_to_new_addresses, HOUR, TooManyEmails)]
