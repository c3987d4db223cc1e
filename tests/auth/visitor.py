"""A person with a browser, in the words of the real client."""

from dataclasses import dataclass
from typing import Any

import httpx

PASSWORD = "nine rapids before noon"
NEWER = {"X-Supabase-Api-Version": "2024-01-01"}


@dataclass(frozen=True, slots=True)
class Visitor:
    client: httpx.AsyncClient

    async def sign_up(self, email: str, password: str = PASSWORD, **data: Any) -> httpx.Response:
        # The nulls and the empty object are what the real client sends.
        body = {
            "email": email,
            "password": password,
            "data": data,
            "gotrue_meta_security": {},
            "code_challenge": None,
            "code_challenge_method": None,
        }
        return await self.client.post("/signup", json=body, headers=NEWER)

    async def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        body = {"email": email, "password": password, "gotrue_meta_security": {}}
        return await self.client.post("/token?grant_type=password", json=body, headers=NEWER)

    async def refresh(self, token: str) -> httpx.Response:
        return await self.client.post("/token?grant_type=refresh_token", json={"refresh_token": token}, headers=NEWER)

    async def user(self, session: dict[str, Any]) -> httpx.Response:
        return await self.client.get("/user", headers=bearer(session))

    async def change(self, session: dict[str, Any], **change: Any) -> httpx.Response:
        return await self.client.put("/user", json=change, headers=bearer(session))

    async def log_out(self, session: dict[str, Any], scope: str) -> httpx.Response:
        return await self.client.post(f"/logout?scope={scope}", headers=bearer(session))


def bearer(session: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {session['access_token']}", **NEWER}


def session_of(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    session: dict[str, Any] = response.json()
    return session


def refusal(response: httpx.Response) -> tuple[int, str]:
    """Status and code, as a client of today reads them."""
    assert response.headers["x-supabase-api-version"] == "2024-01-01", response.text
    assert response.headers["x-sb-error-code"] == response.json()["code"]
    return response.status_code, response.json()["code"]
