from playwright.async_api import Page


async def tab_to(page: Page, label: str) -> None:
    """Presses Tab until an element with this label or text has the focus."""
    for _ in range(30):
        await page.keyboard.press("Tab")
        focused = await page.evaluate(
            "() => (document.activeElement.labels?.[0] ?? document.activeElement).textContent"
        )
        if label in focused:
            return
    raise AssertionError(f"the Tab key does not reach {label!r}")
