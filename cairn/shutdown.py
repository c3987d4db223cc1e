"""Connects the end of a server process with the parts that have to prepare for it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

# If the database does not respond, the process ends without what the parts wanted to save.
_MAX_PREPARATION_SECONDS = 5.0


class Shutdown:
    """The plan for the end of a server process. It is made before the parts, and they add their steps to it."""

    def __init__(self) -> None:
        # From now on, new work should go to other processes, but this one still does what arrives.
        self.is_announced = False
        self._steps: list[Callable[[], Awaitable[None]]] = []

    def before_closing(self, step: Callable[[], Awaitable[None]]) -> None:
        """Runs `step` before the connections are closed."""
        self._steps.append(step)

    async def prepare(self) -> None:
        for step in self._steps:
            try:
                async with asyncio.timeout(_MAX_PREPARATION_SECONDS):
                    await step()
            except Exception as error:
                log.error("preparing to stop failed: %s", str(error) or type(error).__name__)
