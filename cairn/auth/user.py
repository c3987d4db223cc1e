from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cairn.auth import store
from cairn.auth.bearer import SignedIn, signed_in
from cairn.auth.desk import Desk
from cairn.auth.errors import EmailChangeDisabled, InvalidCredentials, SamePassword
from cairn.auth.errors_of_factors import ChangeNeedsAal2
from cairn.auth.model import Caller, Person, accept_metadata, accept_password, email_address
from cairn.db import Principal


@dataclass(frozen=True, slots=True)
class Change:
    """What a person asks to change about themselves; None leaves it as it is."""

    email: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    password: str | None = field(default=None, repr=False)
    current_password: str | None = field(default=None, repr=False)


async def read_user(desk: Desk, principal: Principal) -> Person:
    async with desk.transaction(read_only=True) as conn:
        return (await signed_in(conn, principal)).person


async def change_user(desk: Desk, principal: Principal, change: Change, caller: Caller) -> Person:
    """A new password ends every other session: whoever knew the old one is out."""
    async with desk.transaction(read_only=True) as conn:
        known = await signed_in(conn, principal)
    _check_level(known, change)
    if change.email is not None and email_address(change.email) != known.person.email:
        raise EmailChangeDisabled
    encrypted = await _new_password(desk, known.person, change)

    async with desk.transaction() as conn:
        # Asked again, since hashing takes long enough for a session to end meanwhile.
        known = await signed_in(conn, principal)
        await store.change_person(conn, known.person.id, change.data, encrypted)
        await store.note(conn, "user_modified", known.person.id, caller)
        if encrypted is not None:
            await store.end_other_sessions(conn, known.person.id, kept=known.session_id)
            await store.note(conn, "user_password_changed", known.person.id, caller)
        person = (await signed_in(conn, principal)).person
        accept_metadata(person.user_metadata)
    return person


def _check_level(known: SignedIn, change: Change) -> None:
    """Whoever has a second factor proves it before address or password change hands."""
    raised = known.session is not None and known.session.aal == "aal2"
    if (change.email or change.password) and known.person.has_second_factor and not raised:
        raise ChangeNeedsAal2


async def _new_password(desk: Desk, person: Person, change: Change) -> str | None:
    if change.password is None:
        return None
    accept_password(change.password, desk.settings.minimum_password_length)
    if change.current_password is not None and not await desk.passwords.match(
        change.current_password, person.encrypted_password
    ):
        raise InvalidCredentials
    if await desk.passwords.match(change.password, person.encrypted_password):
        raise SamePassword
    return await desk.passwords.hash(change.password)
