"""Sets the sample company up through the HTTP API: its name, its time zone and its templates."""

from typing import Any

from cairn.demo import store
from cairn.demo.client import ApiClient
from cairn.demo.season import COMPANY, TEMPLATES, TIME_ZONE, SampleTemplate


async def set_up_company(company: ApiClient) -> list[store.Template]:
    """Returns the templates of the company."""
    await company.patch("/rest/v1/companies?id=not.is.null", {"name": COMPANY, "time_zone": TIME_ZONE})
    await company.patch("/rest/v1/profiles?first_steps_hidden=is.false", {"first_steps_hidden": True})
    return [await _create_template(company, sample) for sample in TEMPLATES]


async def consent_version(company: ApiClient) -> str:
    texts = await company.get("/rest/v1/consent_texts?language=eq.en&order=version.desc&limit=1")
    version: str = texts[0]["version"]
    return version


async def _create_template(company: ApiClient, sample: SampleTemplate) -> store.Template:
    row = {"name": sample.name, "description": sample.description, "content": sample.content}
    rows: list[dict[str, Any]] = await company.post("/rest/v1/waiver_templates", row)
    return store.Template(rows[0]["id"], sample.name, sample.content)


async def mark_older_notifications_read(company: ApiClient) -> None:
    """Leaves only three notifications unread, as in a company that uses the product every day."""
    newest = await company.get("/rest/v1/notifications?select=created_at&order=created_at.desc&limit=4")
    if len(newest) == 4:
        fourth_newest = newest[-1]["created_at"].replace("+", "%2B")
        await company.patch(f"/rest/v1/notifications?created_at=lte.{fourth_newest}", {"read": True})
