"""A company connects its own server and a Zap, and both are notified of the next signature."""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import PHONE, Deployment
from tests.integrations.receiver import ReceivedWebhook, WebhookReceiver
from tests.waiting import PATIENCE_SECONDS

WEBHOOKS_PATH = "/dashboard/settings/webhooks"
ZAPIER_PATH = "/dashboard/settings/zapier"


@pytest.mark.accept("ROUTE-22", "ROUTE-23")
async def test_a_companys_server_and_its_zap_receive_each_new_signature(
    deployment: Deployment, company: Company, desktop: Page, tmp_path: Path
) -> None:
    for path in (WEBHOOKS_PATH, ZAPIER_PATH):
        await desktop.goto(path)
        await expect(desktop).to_have_url(f"{deployment.url}/signin")
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
    secret = await connect_server(company, desktop, deployment.webhook_receiver)
    await send_test(desktop, deployment.webhook_receiver, secret)

    deployment.webhook_receiver.default_status = 500
    company.sign_as_guest(company.send_to("Bo Lind"), "Bo Lind")
    await expect_failure_and_send_again(desktop, deployment.webhook_receiver)
    await connect_zap(desktop, deployment.webhook_receiver)
    company.sign_as_guest(company.send_to("Cleo Ruiz"), "Cleo Ruiz")

    deliveries = await last_deliveries(deployment.webhook_receiver)
    assert deliveries["server"].is_signed_with(secret)
    assert await sample_code_accepts(desktop, deliveries["server"], secret, tmp_path)
    assert (
        deliveries["server"].payload["data"]["signer_name"] == deliveries["zap"].payload["signer_name"] == "Cleo Ruiz"
    )
    assert "Ana Ortiz" not in str(deployment.webhook_receiver.webhooks), (
        "her waiver was signed before the server was connected"
    )
    await expect_pages_to_fit_a_phone(desktop)
    await pause_and_disconnect(desktop)


async def connect_server(company: Company, desktop: Page, receiver: WebhookReceiver) -> str:
    await open_signed_in(desktop, company, WEBHOOKS_PATH)
    await expect(desktop.get_by_role("heading", level=1, name="Webhooks")).to_be_visible()
    await desktop.get_by_role("button", name="Add address").click()
    dialog = desktop.get_by_role("dialog", name="Add a webhook address")
    await dialog.get_by_label("Address").fill("http://booking.example.com/")
    await dialog.get_by_role("button", name="Add address").click()
    await expect(dialog.get_by_role("alert")).to_have_text("Please enter an address with https://")
    await dialog.get_by_label("Address").fill("https://192.168.1.1/")
    await dialog.get_by_role("button", name="Add address").click()
    await expect(dialog.get_by_role("alert")).to_have_text(
        "The endpoint must not lead to a private or loopback address."
    )
    await dialog.get_by_label("Address").fill(receiver.url)
    await dialog.get_by_label("Name").fill("Booking system")
    await dialog.get_by_role("button", name="Add address").click()
    secret_dialog = desktop.get_by_role("dialog", name="Your signing secret")
    secret = await secret_dialog.get_by_label("Signing secret").inner_text()
    assert await axe_violations(desktop) == []
    await secret_dialog.get_by_role("button", name="Done").click()
    await expect(desktop.get_by_role("region", name="Addresses")).to_contain_text("Active")
    await desktop.reload()
    await expect(desktop.get_by_text("Booking system").first).to_be_visible()
    assert secret not in await desktop.content()
    return secret


async def send_test(desktop: Page, receiver: WebhookReceiver, secret: str) -> None:
    await desktop.get_by_role("button", name="Send a test to Booking system").click()
    await expect(desktop.get_by_text("Test delivered", exact=True)).to_be_visible()
    assert receiver.webhooks[-1].payload["type"] == "webhook.test"
    assert receiver.webhooks[-1].is_signed_with(secret)


async def expect_failure_and_send_again(desktop: Page, receiver: WebhookReceiver) -> None:
    newest_delivery = desktop.get_by_role("list", name="Deliveries, newest first").get_by_role("listitem").first
    await expect(newest_delivery).to_contain_text("The server answered 500.")
    await expect(newest_delivery).to_contain_text("Waiver signed")
    receiver.default_status = 200
    await newest_delivery.get_by_role("button", name="Send again").click()
    await expect(newest_delivery).to_contain_text("Delivered")


async def connect_zap(desktop: Page, receiver: WebhookReceiver) -> None:
    await desktop.goto(ZAPIER_PATH)
    await desktop.get_by_role("button", name="Connect a Zap").click()
    dialog = desktop.get_by_role("dialog", name="Connect a Zap")
    await dialog.get_by_label("Webhook URL from Zapier").fill("https://hooks.example.com/catch/")
    await dialog.get_by_role("button", name="Connect a Zap").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The address of a Zapier hook starts with")
    await dialog.get_by_label("Webhook URL from Zapier").fill(receiver.url_of("/hooks/catch/1/a/"))
    await dialog.get_by_label("Name").fill("Crew sheet")
    await dialog.get_by_role("button", name="Connect a Zap").click()
    await expect(dialog).to_be_hidden()
    await desktop.get_by_role("button", name="Send a test to Crew sheet").click()
    newest_delivery = desktop.get_by_role("list", name="Deliveries, newest first").get_by_role("listitem").first
    await expect(newest_delivery).to_contain_text("Test")
    await expect(newest_delivery).to_contain_text("Delivered")


async def last_deliveries(receiver: WebhookReceiver) -> dict[str, ReceivedWebhook]:
    """Returns the last request to the server and to the Zap, once both are about Cleo's waiver."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            last_requests = {"zap" if "catch" in request.path else "server": request for request in receiver.webhooks}
            if all(
                request.payload["type"] == "waiver.signed" and b"Cleo" in request.body
                for request in last_requests.values()
            ):
                return last_requests
            await asyncio.sleep(0.02)


async def sample_code_accepts(desktop: Page, request: ReceivedWebhook, secret: str, folder: Path) -> bool:
    """Returns whether the sample code on the page accepts this request, and rejects it with a changed body."""
    await desktop.goto(WEBHOOKS_PATH)
    sample = await desktop.locator("pre").and_(desktop.get_by_label("Node.js", exact=True)).inner_text()
    arguments = json.dumps([request.headers, request.body.decode(), secret])
    calls = f"""const [headers, body, secret] = {arguments};
console.log(isFromCairn(headers, body, secret), isFromCairn(headers, body + ' ', secret));"""
    (folder / "sample.mjs").write_text(f"{sample}\n{calls}")
    process = await asyncio.to_thread(
        subprocess.run, ["node", str(folder / "sample.mjs")], capture_output=True, text=True, check=True, timeout=30
    )
    return process.stdout.split() == ["true", "false"]


async def expect_pages_to_fit_a_phone(desktop: Page) -> None:
    await desktop.set_viewport_size(PHONE)
    assert await axe_violations(desktop) == []
    for path in (WEBHOOKS_PATH, ZAPIER_PATH):
        if path not in desktop.url:
            await desktop.goto(path)
        await expect(
            desktop.get_by_role("listitem").filter(has_text="Waiver signed").filter(has_text="Delivered").first
        ).to_be_visible()
        assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def pause_and_disconnect(desktop: Page) -> None:
    await desktop.get_by_role("button", name="More for Crew sheet").click()
    await desktop.get_by_role("menuitem", name="Pause").click()
    await expect(desktop.get_by_role("button", name="Send a test to Crew sheet")).to_be_disabled()
    await desktop.get_by_role("button", name="More for Crew sheet").click()
    await desktop.get_by_role("menuitem", name="Disconnect").click()
    await desktop.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
    await expect(desktop.get_by_text("No Zap connected yet")).to_be_visible()
