"""A person with a browser, in the words of the real client."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

PASSWORD = "nine rapids before noon"
NEWER = {"X-Supabase-Api-Version": "2024-01-01"}


@dataclass(frozen=True, slots=True)
class Visitor:
    client: httpx.AsyncClient
    service_key: str = ""

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

    async def ask(self, path: str, **body: Any) -> httpx.Response:
        """Any of the calls that answer with a mail."""
        return await self.client.post(path, json={"gotrue_meta_security": {}, **body}, headers=NEWER)

    async def verify(self, kind: str, **proof: Any) -> httpx.Response:
        return await self.ask("/verify", type=kind, **proof)

    async def press(self, link: str) -> httpx.Response:
        """Opens a mailed link and presses the button on its page, as a browser would."""
        page = await self.client.get(link)
        assert page.status_code == 200, page.headers
        action = re.search(r'action="([^"]+)"', page.text)
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page.text))
        assert action is not None
        form = {name: unescape(value) for name, value in fields.items()}
        return await self.client.post(unescape(action[1]).partition("/auth/v1")[2], data=form, headers={"apikey": ""})

    async def admin(self, method: str, path: str, json: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.service_key}", **NEWER}
        return await self.client.request(method, path, json=json, headers=headers)


def fragment(response: httpx.Response) -> dict[str, str]:
    """What a browser finds behind the # of the address it is sent to."""
    assert response.status_code == 303, response.text
    parts = urlsplit(response.headers["location"])
    return dict(parse_qsl(parts.fragment, keep_blank_values=True))


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
