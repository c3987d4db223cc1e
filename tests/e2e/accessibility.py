"""Checks a page with axe, a library that finds accessibility errors."""

from collections.abc import Sequence
from functools import cache

from playwright.async_api import Page

from tests.structure.tree import ROOT

RUN_AXE = """(options) => axe.run(document, { resultTypes: ["violations"], ...options })
    .then(({ violations }) => violations)"""


async def axe_violations(page: Page, only_rules: Sequence[str] = ()) -> list[str]:
    """Returns a text for each violated rule, with the HTML of the elements that violate it."""
    # While an element fades in, axe would report its contrast as too low.
    await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))")
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_axe_script())
    violations = await page.evaluate(RUN_AXE, {"runOnly": list(only_rules)} if only_rules else {})
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in violations]


async def axe_violations_in_both_themes(page: Page) -> list[str]:
    """Checks the light theme, in which the page must be open, and the colors of the dark theme.

    The themes differ only in their colors. At the end, the page has the light theme again.
    """
    violations = await axe_violations(page)
    await page.emulate_media(color_scheme="dark")
    violations += [f"dark theme, {violation}" for violation in await axe_violations(page, ["color-contrast"])]
    await page.emulate_media(color_scheme="light")
    return violations


@cache
def _axe_script() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
