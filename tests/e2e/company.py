"""Creates a company through the public API, and opens pages as its owner."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
from playwright.async_api import Locator, Page

from cairn.kit import default_ssl_context, frozen_dataclass
from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url
from tests.serving import RunningServer
from tests.waiting import PATIENCE_SECONDS

PASSWORD = "a long walk by the river"


@frozen_dataclass
class Company:
    """Calls the API as a company. A test can store the auth session of the owner in any browser."""

    client: httpx.Client
    session: dict[str, Any]

    @property
    def email(self) -> str:
        address: str = self.session["user"]["email"]
        return address

    def send_to(self, name: str, template_id: str = SAMPLE_TEMPLATE_ID) -> str:
        """Creates a session for the guest `name` and returns the id of the session."""
        email = f"{name.split(maxsplit=1)[0].lower()}@example.com"
        row = {"template_id": template_id, "recipient_name": name, "recipient_email": email}
        [session] = self._post("waiver_sessions", row, self.headers)
        return str(session["id"])

    def sign_as_guest(self, session_id: str, name: str, email: str = "guest@example.com") -> None:
        """Signs the session as a guest who is not signed in."""
        row = {"session_id": session_id, "signer_name": name, "signer_email": email}
        self._post("signed_waivers", {**row, "signature": signature_data_url()}, {"Prefer": "return=minimal"})

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.session['access_token']}", "Prefer": "return=representation"}

    def _post(self, table: str, row: dict[str, str], headers: dict[str, str]) -> Any:
        response = self.client.post(f"/rest/v1/{table}", json=row, headers=headers).raise_for_status()
        return response.json() if response.content else None


@contextmanager
def registered_company(server: RunningServer) -> Iterator[Company]:
    email = f"rosa.{uuid4().hex}@example.com"
    account = {"email": email, "password": PASSWORD, "data": {"name": "Rosa Marín", "role": "company"}}
    with httpx.Client(
        base_url=server.url, headers={"apikey": server.anon_key}, verify=default_ssl_context(), timeout=20
    ) as client:
        session = client.post("/auth/v1/signup", json=account).raise_for_status().json()
        confirm_as_operator(server, session["user"]["id"])
        company = Company(client, session)
        response = client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}, headers=company.headers)
        response.raise_for_status()
        yield company


def confirm_as_operator(server: RunningServer, user_id: str) -> None:
    """Confirms the address as the operator, so that the company can send emails without the limits for strangers."""
    headers = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    url = f"{server.url}/auth/v1/admin/users/{user_id}"
    httpx.put(
        url, json={"email_confirm": True}, headers=headers, verify=default_ssl_context(), timeout=20
    ).raise_for_status()


def watch_subscriptions(page: Page) -> asyncio.Event:
    """Returns an event that is set once the page has subscribed to its realtime channels.

    Call this before the page opens its websocket.
    """
    all_subscribed, channels = asyncio.Event(), {"signed-waivers-changes", "notifications-changes"}

    def receive(frame: str | bytes) -> None:
        if "Subscribed" in str(frame):
            channels.difference_update([name for name in channels if name in str(frame)])
        if not channels:
            all_subscribed.set()

    page.on("websocket", lambda websocket: websocket.on("framereceived", receive))
    return all_subscribed


async def wait_for_subscriptions(*subscription_events: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        for all_subscribed in subscription_events:
            await all_subscribed.wait()


async def fill_in_recipient(dialog: Locator, name: str, email: str) -> None:
    """Fills in the recipient in the dialog that sends a waiver."""
    first_name, last_name = name.split(" ")
    await dialog.get_by_label("First Name").fill(first_name)
    await dialog.get_by_label("Last Name").fill(last_name)
    await dialog.get_by_label("Recipient Email").fill(email)


async def open_signed_in(page: Page, company: Company, path: str) -> None:
    """Opens the path in a browser that is already signed in."""
    await store_session(page, company.session)
    await page.goto(path)


async def store_session(page: Page, session: dict[str, Any]) -> None:
    entry = json.dumps(["sb-cairn-auth-token", json.dumps(session)])
    # The script also runs in frames, and a frame that shows a PDF has no storage.
    script = (
        f"const entry = {entry}; if (self === top) localStorage.getItem(entry[0]) ?? localStorage.setItem(...entry)"
    )
    await page.add_init_script(f"{{ {script} }}")
