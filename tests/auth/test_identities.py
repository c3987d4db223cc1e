"""Users link their Google account to their account here, and remove identities.

10L2 is a finding in docs/security.md.
"""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.auth.conftest import open_visitor
from tests.auth.oauth_flow import HOME, ROSA, finish_oauth, fragment_parameters
from tests.auth.visitor import Visitor, bearer, error_of, json_of

GIL = "gil@example.com"


@pytest_asyncio.fixture
async def visitor(database: Database, google_settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that allows users to link identities."""
    settings = google_settings.model_copy(update={"manual_linking": True})
    async with open_visitor(database, Keyring(settings), settings) as visitor:
        yield visitor


async def link(visitor: Visitor, session: dict[str, Any], email: str = ROSA) -> dict[str, str]:
    """Links the Google account with this address. Returns the new session, or the error."""
    params = {"provider": "google", "redirect_to": HOME, "skip_http_redirect": "true", "login_hint": email}
    response = await visitor.client.get("/user/identities/authorize", params=params, headers=bearer(session))
    assert response.status_code == 200, response.text
    return fragment_parameters(await finish_oauth(visitor, response.json()["url"]))


async def unlink(visitor: Visitor, session: dict[str, Any], identity_id: str) -> httpx.Response:
    return await visitor.client.delete(f"/user/identities/{identity_id}", headers=bearer(session))


def identity_id(user: dict[str, Any], provider: str) -> str:
    [identity] = [identity for identity in user["identities"] if identity["provider"] == provider]
    return str(identity["identity_id"])


async def test_10l2_an_identity_with_the_address_of_another_account_cannot_be_linked(
    visitor: Visitor, database: Database
) -> None:
    """Mallory starts to link an identity and sends the URL to Rosa, who has an account and is signed in at Google."""
    rosa = json_of(await visitor.sign_up(ROSA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set email_confirmed_at = now() where email = $1", ROSA)
    mallory = json_of(await visitor.sign_up("mallory@rapid-rivals.example"))

    error = await link(visitor, mallory, ROSA)

    assert error["error_code"] == "identity_already_exists"
    assert "access_token" not in error
    assert [identity["provider"] for identity in json_of(await visitor.user(mallory))["identities"]] == ["email"]
    assert "google" in json_of(await visitor.user(await link(visitor, rosa, ROSA)))["app_metadata"]["providers"]


@pytest.mark.accept("AUTH-23")
async def test_a_user_can_link_an_identity_and_remove_every_identity_except_the_last(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(GIL))

    new_session = await link(visitor, session)

    user = json_of(await visitor.user(new_session))
    assert user["id"] == session["user"]["id"]
    assert user["email"] == GIL
    assert user["app_metadata"]["providers"] == ["email", "google"]

    assert (await unlink(visitor, session, identity_id(user, "email"))).json() == {}
    response = await unlink(visitor, session, identity_id(user, "google"))
    assert error_of(response) == (422, "single_identity_not_deletable")
    assert response.json()["message"] == "User must have at least 1 identity after unlinking"
    assert error_of(await visitor.sign_in(GIL)) == (400, "invalid_credentials")
    changed_user = json_of(await visitor.user(session))
    assert changed_user["app_metadata"]["providers"] == ["google"]
    assert changed_user["app_metadata"]["provider"] == "google"


async def test_an_identity_cannot_be_linked_to_two_users_or_twice_to_one_user(visitor: Visitor) -> None:
    gil = json_of(await visitor.sign_up(GIL))
    await link(visitor, gil)
    mallory = json_of(await visitor.sign_up("mallory@rapid-rivals.example"))

    other_user_error, same_user_error = await link(visitor, mallory), await link(visitor, gil)

    assert other_user_error["error_code"] == same_user_error["error_code"] == "identity_already_exists"
    assert other_user_error["error_description"] == "Identity is already linked to another user"
    assert "access_token" not in other_user_error


async def test_a_user_cannot_remove_the_identity_of_another_user(visitor: Visitor) -> None:
    gil, mallory = json_of(await visitor.sign_up(GIL)), json_of(await visitor.sign_up("mallory@example.com"))
    await link(visitor, gil)
    await link(visitor, mallory, "mallory@google.example")

    for foreign_id in (identity_id(gil["user"], "email"), str(uuid4())):
        assert error_of(await unlink(visitor, mallory, foreign_id)) == (422, "identity_not_found")
    assert error_of(await unlink(visitor, mallory, "no-uuid")) == (404, "validation_failed")


async def test_manual_linking_is_disabled_by_default(visitor_with_google: Visitor) -> None:
    session = json_of(await visitor_with_google.sign_up(GIL))

    linking_response = await visitor_with_google.client.get(
        "/user/identities/authorize?provider=google", headers=bearer(session)
    )
    removal_response = await unlink(visitor_with_google, session, identity_id(session["user"], "email"))

    assert error_of(linking_response) == error_of(removal_response) == (404, "manual_linking_disabled")
    assert linking_response.json()["message"] == "Manual linking is disabled"
