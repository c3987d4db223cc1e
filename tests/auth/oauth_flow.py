"""To Google and back: what a browser does on the way."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from cairn.auth.model import s256
from tests.auth.visitor import NEWER, Visitor

ROSA = "rosa@rio-rafting.example"
SITE = "https://cairn.example"
HOME = f"{SITE}/dashboard"
VERIFIER = "a" * 112


async def leave(visitor: Visitor, email: str = ROSA, **asked: str) -> str:
    """Presses the button; the address of Google's page."""
    params = {"provider": "google", "redirect_to": HOME, "login_hint": email, **asked}
    answer = await visitor.client.get("/authorize", params=params)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


async def said_at(page: str, choice: str = "yes") -> str:
    """What the person presses there leads back to us: the callback's path and query."""
    async with httpx.AsyncClient() as browser:
        shown = await browser.get(page)
    found = re.search(rf'id="{choice}" href="([^"]+)"', shown.text)
    assert found is not None, shown.text
    return unescape(found[1]).removeprefix(f"{SITE}/auth/v1")


async def come_back(visitor: Visitor, page: str, choice: str = "yes") -> str:
    answer = await visitor.client.get(await said_at(page, choice))
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


def facts(address: str) -> dict[str, str]:
    """What the fragment of an address says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).fragment).items()}


async def by_implicit_flow(visitor: Visitor, email: str = ROSA, **asked: str) -> dict[str, Any]:
    landed = facts(await come_back(visitor, await leave(visitor, email, **asked)))
    user = (await visitor.client.get("/user", headers={"Authorization": f"Bearer {landed['access_token']}"})).json()
    return {**landed, "user": user}


async def code_for(visitor: Visitor, email: str = ROSA, **asked: str) -> str:
    page = await leave(visitor, email, code_challenge=s256(VERIFIER), code_challenge_method="s256", **asked)
    landed = urlsplit(await come_back(visitor, page))
    assert landed.fragment == ""
    return parse_qs(landed.query)["code"][0]


async def exchange(visitor: Visitor, code: str, verifier: str = VERIFIER) -> httpx.Response:
    body = {"auth_code": code, "code_verifier": verifier}
    return await visitor.client.post("/token?grant_type=pkce", json=body, headers=NEWER)
