"""A company that is there before its story begins, made through the doors the product uses."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
from playwright.async_api import Page

from tests.make import SAMPLE, signature
from tests.serving import Served


@dataclass(frozen=True, slots=True)
class Company:
    """Rosa's, with a session that any browser can be given."""

    client: httpx.Client
    session: dict[str, Any]

    @property
    def email(self) -> str:
        address: str = self.session["user"]["email"]
        return address

    def send(self, name: str, template: str = SAMPLE) -> str:
        email = f"{name.split(maxsplit=1)[0].lower()}@example.com"
        row = {"template_id": template, "recipient_name": name, "recipient_email": email}
        [opened] = self._post("waiver_sessions", row, self.headers)
        return str(opened["id"])

    def signs(self, session_id: str, name: str) -> None:
        """The guest, who has no account."""
        row = {"session_id": session_id, "signer_name": name, "signer_email": "guest@example.com"}
        self._post("signed_waivers", {**row, "signature": signature()}, {"Prefer": "return=minimal"})

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.session['access_token']}", "Prefer": "return=representation"}

    def _post(self, table: str, row: dict[str, str], headers: dict[str, str]) -> Any:
        answer = self.client.post(f"/rest/v1/{table}", json=row, headers=headers).raise_for_status()
        return answer.json() if answer.content else None


PASSWORD = "a long walk by the river"


@contextmanager
def open_company(served: Served) -> Iterator[Company]:
    email = f"rosa.{uuid4().hex}@example.com"
    account = {"email": email, "password": PASSWORD, "data": {"name": "Rosa Marín", "role": "company"}}
    with httpx.Client(base_url=served.url, headers={"apikey": served.anon_key}, timeout=20) as client:
        session = client.post("/auth/v1/signup", json=account).raise_for_status().json()
        company = Company(client, session)
        named = client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}, headers=company.headers)
        named.raise_for_status()
        yield company


def listening(page: Page) -> asyncio.Event:
    """Set once the server has promised to tell this page what happens, on a line opened from now on."""
    promised, channels = asyncio.Event(), {"signed-waivers-changes", "notifications-changes"}

    def hear(words: str | bytes) -> None:
        if "Subscribed" in str(words):
            channels.difference_update([name for name in channels if name in str(words)])
        if not channels:
            promised.set()

    page.on("websocket", lambda line: line.on("framereceived", hear))
    return promised


async def all_ears(*lines: asyncio.Event) -> None:
    async with asyncio.timeout(30):
        for promised in lines:
            await promised.wait()


async def enter(page: Page, company: Company, at: str) -> None:
    """As in a browser where she signed in yesterday."""
    await remember(page, company.session)
    await page.goto(at)


async def remember(page: Page, session: dict[str, Any]) -> None:
    entry = json.dumps(["sb-cairn-auth-token", json.dumps(session)])
    # A frame with a PDF in it has no storage.
    script = (
        f"const entry = {entry}; if (self === top) localStorage.getItem(entry[0]) ?? localStorage.setItem(...entry)"
    )
    await page.add_init_script(f"{{ {script} }}")
