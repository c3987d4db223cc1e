"""Lets the parts of a server process prepare for its end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

# Each step has this long. If the database does not respond, the process ends, and what the step had to save is lost.
_MAX_PREPARATION_SECONDS = 5.0


class Shutdown:
    """The steps before a server process ends. The parts of the server add them when they are created."""

    def __init__(self) -> None:
        # If this is true, new work should go to other processes, but this one still handles what arrives.
        self.is_announced = False
        self._steps: list[Callable[[], Awaitable[None]]] = []

    def before_closing(self, step: Callable[[], Awaitable[None]]) -> None:
        """Adds a step that `prepare` runs before the connections are closed."""
        self._steps.append(step)

    async def prepare(self) -> None:
        for step in self._steps:
            try:
                async with asyncio.timeout(_MAX_PREPARATION_SECONDS):
                    await step()
            except Exception as error:
                log.error("preparing to stop failed: %s", str(error) or type(error).__name__)
