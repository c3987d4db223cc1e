"""Turns a context manager into a pytest fixture."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

import pytest_asyncio

Resource = TypeVar("Resource")


def fixture_of(open_resource: Callable[[], AbstractAsyncContextManager[Resource]]) -> Any:
    """Returns a fixture that opens the resource before a test and closes it afterwards.

    The fixture has the name of the variable to which it is assigned.
    """

    @pytest_asyncio.fixture
    async def resource() -> AsyncIterator[Resource]:
        async with open_resource() as opened:
            yield opened

    return resource
