"""The guard before the rooms, on a page of its own: no room of the product names a list of roles, yet a guard may."""

import subprocess
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.conftest import DESKTOP, Place
from tests.e2e.test_public_access import an_account, comes_for
from tests.structure.tree import ROOT

WEB = ROOT / "web"
NODE = ROOT / ".venv" / "bin" / "node"


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The guard as it is, before rooms of one role and of several, bundled for the browser."""
    made = tmp_path_factory.mktemp("guards") / "guards.js"
    source = WEB / "testing" / "role-guard-page.tsx"
    options = ["--no-codeSplitting", "--minify", "--platform", "browser", "--logLevel", "silent"]
    subprocess.run(
        [NODE, WEB / "node_modules" / ".bin" / "rolldown", source, "--file", made, *options,
         "--transform.define", 'process.env.NODE_ENV:"production"'],
        cwd=WEB, check=True, timeout=60,
    )  # fmt: skip
    return made.read_text("utf-8").replace("</script", "<\\/script")


@pytest_asyncio.fixture
async def rooms(browser: Browser, place: Place, script: str) -> AsyncIterator[Page]:
    """Who is there, the real server tells."""
    key = f'<meta name="cairn-anon-key" content="{place.served.anon_key}">'
    page_of_rooms = f'{key}<div id="root"></div><script type="module">{script}</script>'

    async def answer(route: Route) -> None:
        await route.fulfill(body=page_of_rooms, content_type="text/html; charset=utf-8")

    context = await browser.new_context(base_url=place.url, viewport=DESKTOP, service_workers="block")
    await context.route("**/guarded/*", answer)
    yield await context.new_page()
    await context.close()


@pytest.mark.accept("ROUTE-35")
@pytest.mark.parametrize(
    ("role", "home", "theirs", "not_theirs"),
    [
        ("company", "/dashboard", ["company", "either"], ["customer", "list-of-one", "no-role"]),
        ("customer", "/guest-dashboard", ["customer", "either", "list-of-one"], ["company", "no-role"]),
    ],
)
async def test_a_guard_asks_for_one_role_or_for_one_of_several(
    place: Place, rooms: Page, role: str, home: str, theirs: list[str], not_theirs: list[str]
) -> None:
    for room in [*theirs, *not_theirs]:
        await rooms.goto(f"/guarded/{room}")
        await expect(rooms).to_have_url(f"{place.url}/signin")
    await comes_for(rooms, home, await an_account(place, rooms, role))
    await expect(rooms).to_have_url(place.url + home)

    for room in theirs:
        await rooms.goto(f"/guarded/{room}")
        await expect(rooms.get_by_role("heading", name=f"Open to a {role}")).to_be_visible()
    for room in not_theirs:
        await rooms.goto(f"/guarded/{room}")
        await expect(rooms).to_have_url(place.url + home)
        await expect(rooms.get_by_role("heading", name="Open to")).to_have_count(0)
