"""Sends the same requests as supabase-js in a visitor's browser."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from cairn.kit import frozen_dataclass

PASSWORD = "nine rapids before noon"
# Without this header, errors are sent in the older format.
API_VERSION_HEADER = {"X-Supabase-Api-Version": "2024-01-01"}


@frozen_dataclass
class Visitor:
    client: httpx.AsyncClient
    service_key: str = ""

    async def sign_up(self, email: str, password: str = PASSWORD, **data: Any) -> httpx.Response:
        # supabase-js also sends these nulls and the empty object.
        body = {
            "email": email,
            "password": password,
            "data": data,
            "gotrue_meta_security": {},
            "code_challenge": None,
            "code_challenge_method": None,
        }
        return await self.client.post("/signup", json=body, headers=API_VERSION_HEADER)

    async def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        body = {"email": email, "password": password, "gotrue_meta_security": {}}
        return await self.client.post("/token?grant_type=password", json=body, headers=API_VERSION_HEADER)

    async def refresh(self, token: str) -> httpx.Response:
        return await self.client.post(
            "/token?grant_type=refresh_token", json={"refresh_token": token}, headers=API_VERSION_HEADER
        )

    async def user(self, session: dict[str, Any]) -> httpx.Response:
        return await self.client.get("/user", headers=bearer(session))

    async def change(self, session: dict[str, Any], **change: Any) -> httpx.Response:
        return await self.client.put("/user", json=change, headers=bearer(session))

    async def log_out(self, session: dict[str, Any], scope: str) -> httpx.Response:
        return await self.client.post(f"/logout?scope={scope}", headers=bearer(session))

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.client.post(path, json={"gotrue_meta_security": {}, **body}, headers=API_VERSION_HEADER)

    async def verify(self, kind: str, **proof: Any) -> httpx.Response:
        return await self.post("/verify", type=kind, **proof)

    async def follow_email_link(
        self, link: str, *, password: str | None = None, button: str | None = None
    ) -> httpx.Response:
        """Opens a link from an email and submits the form on its page, as a browser would."""
        page = await self.client.get(link)
        assert page.status_code == 200, page.headers
        action = re.search(r'action="([^"]+)"', page.text)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        assert action is not None
        form = {name: unescape(value) for name, value in fields.items()}
        if 'type="password"' in page.text:
            form["password"] = PASSWORD if password is None else password
        if button is not None:
            assert f'name="{button}"' in page.text
            form[button] = "yes"
        return await self.client.post(unescape(action[1]).partition("/auth/v1")[2], data=form, headers={"apikey": ""})

    async def admin(self, method: str, path: str, json: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.service_key}", **API_VERSION_HEADER}
        return await self.client.request(method, path, json=json, headers=headers)


def redirect_fragment(response: httpx.Response) -> dict[str, str]:
    """Returns the parameters in the fragment of the URL to which the response redirects."""
    assert response.status_code == 303, response.text
    parts = urlsplit(response.headers["location"])
    return dict(parse_qsl(parts.fragment, keep_blank_values=True))


def bearer(session: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {session['access_token']}", **API_VERSION_HEADER}


def json_of(response: httpx.Response) -> dict[str, Any]:
    """Returns the body of a successful response."""
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def error_of(response: httpx.Response) -> tuple[int, str]:
    """Returns the status and the error code of a response, and checks that the headers match."""
    assert response.headers["x-supabase-api-version"] == "2024-01-01", response.text
    assert response.headers["x-sb-error-code"] == response.json()["code"]
    return response.status_code, response.json()["code"]
