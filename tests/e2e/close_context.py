"""Closes the pages of one visitor."""

import asyncio
import logging

from playwright.async_api import BrowserContext

log = logging.getLogger(__name__)

# Closing takes less than a second.
_MAX_SECONDS = 60


async def close_context(context: BrowserContext) -> None:
    """Closes the context. Gives up after a minute, because on a busy machine Chromium sometimes never confirms it."""
    try:
        async with asyncio.timeout(_MAX_SECONDS):
            await context.close()
    except TimeoutError:
        log.warning("Chromium did not close a context within %s s", _MAX_SECONDS)
