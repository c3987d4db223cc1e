"""For a waiver with a form, the server sends a different signing page, which contains the form."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from cairn.db import Database
from cairn.inquiries import InquirySettings
from cairn.site import Site
from tests.factories import SAMPLE_TEMPLATE_ID, make_session
from tests.people import Person
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, make_template, sign_form


async def open_page(site: Site, path: str) -> tuple[str, dict[str, Any]]:
    """Returns the title of the page and the data inside it."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://cairn") as visitor:
        page = await visitor.get(path)
    match = re.fullmatch(r"<h1>(\w+)</h1><script type=\"application/json\">(.*)</script>", page.text)
    assert match is not None
    return match[1], json.loads(match[2])


@pytest.mark.accept("FORM-14")
async def test_a_waiver_with_a_form_has_a_page_of_its_own(database: Database, rosa: Person, tmp_path: Path) -> None:
    (tmp_path / "sign").mkdir()
    for name in ("index", "form", "signed"):
        html = f'<h1>{name}</h1><script type="application/json">__CAIRN_WAIVER__</script>'
        (tmp_path / "sign" / f"{name}.html").write_text(html)
    (tmp_path / "app").mkdir()
    site = Site(
        database, anon_key="key", site_url="https://waivers.example", inquiries=InquirySettings(), build=tmp_path
    )
    template_id = await make_template(database, rosa, FAMILY_FORM)
    session_id = await make_session(database, rosa, template_id)

    for path in (f"/waivers/sign/session/{session_id}", f"/waivers/sign/{template_id}", f"/embed/{template_id}"):
        title, data = await open_page(site, path)
        assert (title, data[data["kind"]]["form"]) == ("form", FAMILY_FORM)
    title, data = await open_page(site, f"/waivers/sign/{SAMPLE_TEMPLATE_ID}")
    assert (title, data["template"]["form"]) == ("index", None)
    assert (await open_page(site, f"/waivers/sign/session/{await make_session(database, rosa)}"))[0] == "index"
    await sign_form(database, session_id, answers={"emergency": EMERGENCY, "asthma": False})
    assert (await open_page(site, f"/waivers/sign/session/{session_id}"))[0] == "signed"
    assert (await open_page(site, f"/waivers/sign/session/{session_id}?again"))[0] == "form"
