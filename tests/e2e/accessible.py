"""What axe says of a page."""

from pathlib import Path

from playwright.async_api import Page

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"


async def complaints(page: Page) -> list[str]:
    """Empty for a page that everybody can use, as far as a machine can tell."""
    # What is still fading in has not its own colours yet.
    await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))")
    await page.evaluate(AXE.read_text("utf-8"))
    found = await page.evaluate("axe.run().then(({ violations }) => violations)")
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in found]
