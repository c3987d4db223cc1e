from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.oauth_flow import HOME, ROSA, finish_oauth, fragment_parameters
from tests.auth.visitor import Visitor, bearer, json_of, refusal

GIL = "gil@example.com"


@pytest_asyncio.fixture
async def visitor(database: Database, google_settings: AuthSettings) -> AsyncIterator[Visitor]:
    """A visitor of a server that allows manual linking of identities."""
    settings = google_settings.model_copy(update={"manual_linking": True})
    async with visiting(database, Keyring(settings), settings) as visitor:
        yield visitor


async def link(visitor: Visitor, session: dict[str, Any], email: str = ROSA) -> dict[str, str]:
    params = {"provider": "google", "redirect_to": HOME, "skip_http_redirect": "true", "login_hint": email}
    response = await visitor.client.get("/user/identities/authorize", params=params, headers=bearer(session))
    assert response.status_code == 200, response.text
    return fragment_parameters(await finish_oauth(visitor, response.json()["url"]))


async def unlink(visitor: Visitor, session: dict[str, Any], identity_id: str) -> httpx.Response:
    return await visitor.client.delete(f"/user/identities/{identity_id}", headers=bearer(session))


def identity(user: dict[str, Any], provider: str) -> str:
    [found] = [each["identity_id"] for each in user["identities"] if each["provider"] == provider]
    return str(found)


@pytest.mark.accept("AUTH-23")
async def test_an_identity_is_linked_and_removed_but_never_the_last(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(GIL))

    linked = await link(visitor, session)

    user = json_of(await visitor.user(linked))
    assert user["id"] == session["user"]["id"]
    assert user["email"] == GIL
    assert user["app_metadata"]["providers"] == ["email", "google"]

    assert (await unlink(visitor, session, identity(user, "email"))).json() == {}
    last = await unlink(visitor, session, identity(user, "google"))
    assert refusal(last) == (422, "single_identity_not_deletable")
    assert last.json()["message"] == "User must have at least 1 identity after unlinking"
    assert refusal(await visitor.sign_in(GIL)) == (400, "invalid_credentials")
    left = json_of(await visitor.user(session))
    assert left["app_metadata"]["providers"] == ["google"]
    assert left["app_metadata"]["provider"] == "google"


async def test_an_identity_belongs_to_one_person(visitor: Visitor) -> None:
    gil = json_of(await visitor.sign_up(GIL))
    await link(visitor, gil)
    mallory = json_of(await visitor.sign_up("mallory@rapid-rivals.example"))

    taken, again = await link(visitor, mallory), await link(visitor, gil)

    assert taken["error_code"] == again["error_code"] == "identity_already_exists"
    assert taken["error_description"] == "Identity is already linked to another user"
    assert "access_token" not in taken


async def test_a_user_cannot_remove_the_identity_of_another_user(visitor: Visitor) -> None:
    gil, mallory = json_of(await visitor.sign_up(GIL)), json_of(await visitor.sign_up("mallory@example.com"))
    await link(visitor, gil)
    await link(visitor, mallory, "mallory@google.example")

    for foreign in (identity(gil["user"], "email"), str(uuid4())):
        assert refusal(await unlink(visitor, mallory, foreign)) == (422, "identity_not_found")
    assert refusal(await unlink(visitor, mallory, "no-uuid")) == (404, "validation_failed")


async def test_manual_linking_is_disabled_by_default(visitor_with_google: Visitor) -> None:
    session = json_of(await visitor_with_google.sign_up(GIL))

    linking = await visitor_with_google.client.get(
        "/user/identities/authorize?provider=google", headers=bearer(session)
    )
    removal = await unlink(visitor_with_google, session, identity(session["user"], "email"))

    assert refusal(linking) == refusal(removal) == (404, "manual_linking_disabled")
    assert linking.json()["message"] == "Manual linking is disabled"
