"""A company downloads the evidence of a waiver, and the history shows the download."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.test_erasure_requests import sign_and_wait_for_document, unzipped
from tests.e2e.test_waiver_acts import DIRECTORY, history, open_waiver


@pytest.mark.accept("TRUE-09")
async def test_the_history_shows_who_exported_the_evidence(
    company: Company, desktop: Page, deployment: Deployment
) -> None:
    await sign_and_wait_for_document(deployment, company, "ana@guests.example")
    await open_signed_in(desktop, company, DIRECTORY)

    await open_waiver(desktop, "Ana Ortiz")
    async with desktop.expect_download() as download:
        await desktop.get_by_role("button", name="Download evidence pack").click()
    files = await asyncio.to_thread(unzipped, await (await download.value).path())
    assert {"record.json", "events.json", "head.json"} <= set(files)
    assert [content[:5] for name, content in files.items() if name.endswith(".pdf")] == [b"%PDF-"]

    await expect(history(desktop).last).to_contain_text("Evidence pack exported")
    await expect(history(desktop).last).to_contain_text("By your company")
