"""Tests the role guard on a test page, because no page of the product uses a guard with several roles."""

import subprocess
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.account_forms import create_account, open_and_sign_in
from tests.e2e.close_context import close_context
from tests.e2e.conftest import DESKTOP, Deployment
from tests.structure.tree import ROOT

WEB = ROOT / "web"
NODE = ROOT / ".venv" / "bin" / "node"


@pytest.fixture(scope="module")
def guard_script(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Bundles a test page for the browser, which uses the real guard for one role and for several roles."""
    bundle = tmp_path_factory.mktemp("guards") / "guards.js"
    source = WEB / "testing" / "role-guard-page.tsx"
    options = ["--no-codeSplitting", "--minify", "--platform", "browser", "--logLevel", "silent"]
    subprocess.run(
        [NODE, WEB / "node_modules" / ".bin" / "rolldown", source, "--file", bundle, *options,
         "--transform.define", 'process.env.NODE_ENV:"production"'],
        cwd=WEB, check=True, timeout=60,
    )  # fmt: skip
    return bundle.read_text("utf-8").replace("</script", "<\\/script")


@pytest_asyncio.fixture
async def page(browser: Browser, deployment: Deployment, guard_script: str) -> AsyncIterator[Page]:
    """Opens a browser in which `/guarded/*` is the test page and everything else comes from the real server."""
    key = f'<meta name="cairn-anon-key" content="{deployment.server.anon_key}">'
    html = f'{key}<div id="root"></div><script type="module">{guard_script}</script>'

    async def respond(route: Route) -> None:
        await route.fulfill(body=html, content_type="text/html; charset=utf-8")

    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, service_workers="block")
    await context.route("**/guarded/*", respond)
    yield await context.new_page()
    await close_context(context)


@pytest.mark.accept("ROUTE-35")
@pytest.mark.parametrize(
    ("role", "home", "allowed_pages", "forbidden_pages"),
    [
        ("company", "/dashboard", ["company", "either"], ["customer", "list-of-one", "no-role"]),
        ("customer", "/guest-dashboard", ["customer", "either", "list-of-one"], ["company", "no-role"]),
    ],
)
async def test_a_guard_requires_one_role_or_one_of_several(
    deployment: Deployment, page: Page, role: str, home: str, allowed_pages: list[str], forbidden_pages: list[str]
) -> None:
    for name in [*allowed_pages, *forbidden_pages]:
        await page.goto(f"/guarded/{name}")
        await expect(page).to_have_url(f"{deployment.url}/signin")
    await open_and_sign_in(page, home, await create_account(deployment, page, role))
    await expect(page).to_have_url(deployment.url + home)

    for name in allowed_pages:
        await page.goto(f"/guarded/{name}")
        await expect(page.get_by_role("heading", name=f"Open to a {role}")).to_be_visible()
    for name in forbidden_pages:
        await page.goto(f"/guarded/{name}")
        await expect(page).to_have_url(deployment.url + home)
        await expect(page.get_by_role("heading", name="Open to")).to_have_count(0)
