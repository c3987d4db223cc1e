"""What axe says of a page."""

from functools import cache

from playwright.async_api import Page

from tests.structure.tree import ROOT

RUN = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)"


async def complaints(page: Page) -> list[str]:
    """Empty for a page that everybody can use, as far as a machine can tell."""
    # What is still fading in has not its own colours yet.
    await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))")
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_axe())
    found = await page.evaluate(RUN)
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in found]


async def by_day_and_night(page: Page) -> list[str]:
    """What it says of a page in both of its looks."""
    found = await complaints(page)
    await page.emulate_media(color_scheme="dark")
    found += [f"by night, {complaint}" for complaint in await complaints(page)]
    await page.emulate_media(color_scheme="light")
    return found


@cache
def _axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
