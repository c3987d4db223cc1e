"""These functions are the steps of a browser that signs in with Google."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from cairn.auth.model import s256
from cairn.kit import default_ssl_context
from tests.auth.visitor import API_VERSION_HEADER, Visitor

ROSA = "rosa@rio-rafting.example"
SITE = "https://cairn.example"
HOME = f"{SITE}/dashboard"
VERIFIER = "a" * 112


async def start_oauth(visitor: Visitor, email: str = ROSA, **parameters: str) -> str:
    """Starts a sign-in and returns the URL of Google's page."""
    params = {"provider": "google", "redirect_to": HOME, "login_hint": email, **parameters}
    response = await visitor.client.get("/authorize", params=params)
    assert response.status_code == 302, response.text
    return response.headers["location"]


async def callback_path(page: str, choice: str = "yes") -> str:
    """Returns the path and query of the callback that the chosen link on Google's page leads to."""
    async with httpx.AsyncClient(verify=default_ssl_context()) as browser:
        response = await browser.get(page)
    match = re.search(rf'id="{choice}" href="([^"]+)"', response.text)
    assert match is not None, response.text
    return unescape(match[1]).removeprefix(f"{SITE}/auth/v1")


async def finish_oauth(visitor: Visitor, page: str, choice: str = "yes") -> str:
    """Clicks a link on Google's page and returns the URL to which the callback redirects."""
    response = await visitor.client.get(await callback_path(page, choice))
    assert response.status_code == 302, response.text
    return response.headers["location"]


def fragment_parameters(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).fragment).items()}


async def sign_in_with_google(visitor: Visitor, email: str = ROSA, **parameters: str) -> dict[str, Any]:
    """Signs in with the implicit flow and returns the session with its user."""
    session = fragment_parameters(await finish_oauth(visitor, await start_oauth(visitor, email, **parameters)))
    user = (await visitor.client.get("/user", headers={"Authorization": f"Bearer {session['access_token']}"})).json()
    return {**session, "user": user}


async def obtain_code(visitor: Visitor, email: str = ROSA, **parameters: str) -> str:
    """Signs in with the PKCE flow and returns the code, which can be exchanged for a session."""
    page = await start_oauth(visitor, email, code_challenge=s256(VERIFIER), code_challenge_method="s256", **parameters)
    target = urlsplit(await finish_oauth(visitor, page))
    assert target.fragment == ""
    return parse_qs(target.query)["code"][0]


async def exchange(visitor: Visitor, code: str, verifier: str = VERIFIER) -> httpx.Response:
    body = {"auth_code": code, "code_verifier": verifier}
    return await visitor.client.post("/token?grant_type=pkce", json=body, headers=API_VERSION_HEADER)
