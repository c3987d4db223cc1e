from dataclasses import replace

from cairn.auth import store
from cairn.auth.desk import Desk
from cairn.auth.errors import EmailInvalid, EmailTooLong, InvalidCredentials, SignInBanned
from cairn.auth.grant import Grant, open_session
from cairn.auth.model import Caller, Person, email_address, weakness
from cairn.kit import now


async def sign_in(desk: Desk, email: str, password: str, caller: Caller) -> Grant:
    """An unknown address and a wrong password get the same answer after the same work."""
    person = await _known(desk, email)
    right = await desk.passwords.match(password, person.encrypted_password if person else None)
    if person is None or not right:
        await _note_refusal(desk, person, caller)
        raise InvalidCredentials
    if person.is_banned(now()):
        await _note_refusal(desk, person, caller)
        raise SignInBanned

    moment = now()
    person = replace(person, last_sign_in_at=moment)
    async with desk.transaction() as conn:
        await store.signed_in(conn, person.id, "email", moment)
        await store.note(conn, "login", person.id, caller, method="password")
        granted = await open_session(desk, conn, person, method="password", caller=caller, now=moment)
    return replace(granted, weak=weakness(password, desk.settings.minimum_password_length))


async def _known(desk: Desk, email: str) -> Person | None:
    """No connection is held while the hash is worked out: that takes longer than everything else together."""
    try:
        address = email_address(email)
    except (EmailInvalid, EmailTooLong):
        # No account can have such an address; saying so here would answer sooner than for others.
        address = ""
    async with desk.transaction(read_only=True) as conn:
        return await store.person_by_email(conn, address)


async def _note_refusal(desk: Desk, person: Person | None, caller: Caller) -> None:
    async with desk.transaction() as conn:
        await store.note(conn, "login_refused", person.id if person else None, caller, method="password")
