from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.oauth_flow import HOME, ROSA, come_back, facts
from tests.auth.visitor import Visitor, bearer, refusal, session_of

GIL = "gil@example.com"


@pytest_asyncio.fixture
async def visitor(database: Database, with_google: AuthSettings) -> AsyncIterator[Visitor]:
    """Of a house where identities may be linked by hand."""
    settings = with_google.model_copy(update={"manual_linking": True})
    async with visiting(database, Keyring(settings), settings) as arrived:
        yield arrived


async def link(visitor: Visitor, session: dict[str, Any], email: str = ROSA) -> dict[str, str]:
    params = {"provider": "google", "redirect_to": HOME, "skip_http_redirect": "true", "login_hint": email}
    answer = await visitor.client.get("/user/identities/authorize", params=params, headers=bearer(session))
    assert answer.status_code == 200, answer.text
    return facts(await come_back(visitor, answer.json()["url"]))


async def unlink(visitor: Visitor, session: dict[str, Any], identity_id: str) -> httpx.Response:
    return await visitor.client.delete(f"/user/identities/{identity_id}", headers=bearer(session))


def identity(user: dict[str, Any], provider: str) -> str:
    [found] = [each["identity_id"] for each in user["identities"] if each["provider"] == provider]
    return str(found)


@pytest.mark.accept("AUTH-23")
async def test_an_identity_is_linked_and_removed_but_never_the_last(visitor: Visitor) -> None:
    session = session_of(await visitor.sign_up(GIL))

    linked = await link(visitor, session)

    user = session_of(await visitor.user(linked))
    assert user["id"] == session["user"]["id"]
    assert user["email"] == GIL
    assert user["app_metadata"]["providers"] == ["email", "google"]

    assert (await unlink(visitor, session, identity(user, "email"))).json() == {}
    last = await unlink(visitor, session, identity(user, "google"))
    assert refusal(last) == (422, "single_identity_not_deletable")
    assert last.json()["message"] == "User must have at least 1 identity after unlinking"
    assert refusal(await visitor.sign_in(GIL)) == (400, "invalid_credentials")
    left = session_of(await visitor.user(session))
    assert left["app_metadata"]["providers"] == ["google"]
    assert left["app_metadata"]["provider"] == "google"


async def test_an_identity_belongs_to_one_person(visitor: Visitor) -> None:
    gil = session_of(await visitor.sign_up(GIL))
    await link(visitor, gil)
    mallory = session_of(await visitor.sign_up("mallory@rapid-rivals.example"))

    taken, again = await link(visitor, mallory), await link(visitor, gil)

    assert taken["error_code"] == again["error_code"] == "identity_already_exists"
    assert taken["error_description"] == "Identity is already linked to another user"
    assert "access_token" not in taken


async def test_nobody_removes_the_identity_of_another(visitor: Visitor) -> None:
    gil, mallory = session_of(await visitor.sign_up(GIL)), session_of(await visitor.sign_up("mallory@example.com"))
    await link(visitor, gil)
    await link(visitor, mallory, "mallory@google.example")

    for foreign in (identity(gil["user"], "email"), str(uuid4())):
        assert refusal(await unlink(visitor, mallory, foreign)) == (422, "identity_not_found")
    assert refusal(await unlink(visitor, mallory, "no-uuid")) == (404, "validation_failed")


async def test_by_default_nobody_links_by_hand(guest_of_google: Visitor) -> None:
    session = session_of(await guest_of_google.sign_up(GIL))

    asked = await guest_of_google.client.get("/user/identities/authorize?provider=google", headers=bearer(session))
    removal = await unlink(guest_of_google, session, identity(session["user"], "email"))

    assert refusal(asked) == refusal(removal) == (404, "manual_linking_disabled")
    assert asked.json()["message"] == "Manual linking is disabled"
