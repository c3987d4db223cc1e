from collections.abc import Mapping
from typing import Any

from cairn.auth import store
from cairn.auth.desk import Desk
from cairn.auth.errors import SignupDisabled, UserAlreadyExists
from cairn.auth.grant import Grant, open_session
from cairn.auth.model import (
    Caller,
    accept_metadata,
    accept_password,
    chosen_role,
    display_name,
    email_address,
)
from cairn.kit import now


async def sign_up(desk: Desk, email: str, password: str, data: Mapping[str, Any], caller: Caller) -> Grant:
    """The account works at once; its address counts as confirmed only when a link sent there was opened."""
    if desk.settings.disable_signup:
        raise SignupDisabled
    email = email_address(email)
    accept_password(password, desk.settings.minimum_password_length)
    # The role is settled here for good, out of reach of user_metadata, which its owner may rewrite.
    app_metadata = {"provider": "email", "providers": ["email"], "role": chosen_role(data)}
    user_metadata = {**data, "name": display_name(data, email)}
    user_metadata.pop("role", None)
    accept_metadata(user_metadata)

    encrypted = await desk.passwords.hash(password)
    moment = now()
    async with desk.transaction() as conn:
        person = await store.add_person(
            conn,
            email=email,
            encrypted_password=encrypted,
            app_metadata=app_metadata,
            user_metadata=user_metadata,
            now=moment,
        )
        if person is not None:
            await store.note(conn, "user_signedup", person.id, caller)
            return await open_session(desk, conn, person, method="password", caller=caller, now=moment)
        await store.note(conn, "user_repeated_signup", None, caller)
    raise UserAlreadyExists
