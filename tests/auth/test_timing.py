"""Response times do not reveal whether an account exists: known and unknown ones have the same distribution."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta
from time import perf_counter
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.visitor import Visitor

ROSA = "rosa@rio-rafting.example"
# By chance alone, one run in ten thousand fails.
ALPHA = 1e-4


@pytest_asyncio.fixture
async def unlimited(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """A visitor without rate limits, of a server where Rosa has an account."""
    limits: dict[str, Any] = {name: 10**6 for name in AuthSettings.model_fields if name.startswith("rate_limit_")}
    limits["smtp_max_frequency"] = timedelta(microseconds=1)
    async with visiting(database, keyring, settings.model_copy(update=limits)) as visitor:
        await visitor.sign_up(ROSA)
        yield visitor


@pytest.mark.slow
async def test_signing_in_takes_as_long_for_an_unknown_account(unlimited: Visitor) -> None:
    known, unknown = await _measure_in_turn(lambda email: unlimited.sign_in(email, "not her password"), pairs=40)

    assert mann_whitney_p_value(known, unknown) > ALPHA


@pytest.mark.slow
async def test_requesting_an_email_takes_as_long_for_an_unknown_account(unlimited: Visitor) -> None:
    """The three endpoints are measured concurrently, because they spend their time waiting."""
    endpoints: dict[str, dict[str, str]] = {"/recover": {}, "/otp": {}, "/resend": {"type": "signup"}}

    async def measure(path: str) -> tuple[list[float], list[float]]:
        return await _measure_in_turn(lambda email: unlimited.post(path, email=email, **endpoints[path]), pairs=16)

    for path, times in zip(endpoints, await asyncio.gather(*map(measure, endpoints)), strict=True):
        assert mann_whitney_p_value(*times) > ALPHA, path


def test_a_difference_of_ten_percent_would_be_detected() -> None:
    """Shows that the other tests are sensitive enough."""
    times = [1 + (n * 7 % 40) / 400 for n in range(40)]

    assert mann_whitney_p_value(times, times) > 0.9
    assert mann_whitney_p_value(times, [1.1 * time for time in times]) < ALPHA


async def _measure_in_turn(send: Callable[[str], Awaitable[Any]], *, pairs: int) -> tuple[list[float], list[float]]:
    """Alternates between a known and an unknown account, so that other load on the machine affects both alike."""
    known: list[float] = []
    unknown: list[float] = []
    for number in range(pairs):
        turns = [(known, ROSA), (unknown, f"{uuid4().hex}@example.com")]
        for times, email in reversed(turns) if number % 2 else turns:
            began = perf_counter()
            await send(email)
            times.append(perf_counter() - began)
    return known, unknown


def mann_whitney_p_value(some: Sequence[float], others: Sequence[float]) -> float:
    """Returns how often two samples of one distribution would differ in rank at least as much as these."""
    wins = sum((one > other) + (one == other) / 2 for one in some for other in others)
    spread = math.sqrt(len(some) * len(others) * (len(some) + len(others) + 1) / 12)
    return math.erfc(abs(wins - len(some) * len(others) / 2) / spread / math.sqrt(2))
