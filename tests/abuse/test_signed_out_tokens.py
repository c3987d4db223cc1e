"""Low finding in docs/security.md: the access token of an ended session no longer opens anything."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from tests.factories import png
from tests.whole_app import WholeApp, whole_app


@pytest_asyncio.fixture
async def app(login_url: str, tmp_path: Path) -> AsyncIterator[WholeApp]:
    async with whole_app(login_url, tmp_path / "data") as app:
        yield app


async def use_every_service(http: httpx.AsyncClient, user_id: str, headers: dict[str, str]) -> dict[str, bool]:
    """Returns, for each kind of request, whether it still succeeds."""
    profile = await http.get("/rest/v1/profiles?select=id", headers=headers)
    changed = await http.patch(
        f"/rest/v1/profiles?id=eq.{user_id}",
        headers={**headers, "Prefer": "return=representation"},
        json={"bio": "Changed."},
    )
    picture = await http.post(
        f"/storage/v1/object/profile-pictures/{user_id}/picture.png",
        headers={**headers, "Content-Type": "image/png", "x-upsert": "true"},
        content=png(),
    )
    allowance = await http.post("/functions/v1/mail-allowance", headers=headers, json={})
    user = await http.get("/auth/v1/user", headers=headers)
    return {
        "reads rows": profile.is_success and profile.json() != [],
        "changes rows": changed.is_success and changed.json() != [],
        "stores files": picture.is_success,
        "calls functions": allowance.is_success,
        "reads the user": user.is_success,
    }


@pytest.mark.accept("SAFE-29")
async def test_low_after_signing_out_the_access_token_opens_nothing(app: WholeApp) -> None:
    async with app.client() as http:
        http.headers["apikey"] = app.keyring.anon_key
        account = {
            "email": "rita@example.com",
            "password": "seven rivers and a lake",
            "data": {"user_type": "company", "company_name": "Rita Rafting"},
        }
        session = (await http.post("/auth/v1/signup", json=account)).json()
        headers = {"Authorization": f"Bearer {session['access_token']}"}
        before = await use_every_service(http, session["user"]["id"], headers)
        assert (await http.post("/auth/v1/logout", headers=headers)).status_code == 204

        after = await use_every_service(http, session["user"]["id"], headers)

    assert before == dict.fromkeys(before, True)
    assert after == dict.fromkeys(after, False)
