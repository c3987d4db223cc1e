"""What axe says of a page."""

from functools import cache

from playwright.async_api import Page

from tests.house.tree import ROOT

# Another light changes colours and nothing else.
COLOURS = ("color-contrast",)


async def complaints(page: Page, *rules: str) -> list[str]:
    """Empty for a page that everybody can use, as far as a machine can tell. Without `rules` all of them are asked."""
    # What is still fading in has not its own colours yet.
    await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))")
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_axe())
    asked = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = await page.evaluate("asked => axe.run(document, asked).then(({ violations }) => violations)", asked)
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in found]


@cache
def _axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
