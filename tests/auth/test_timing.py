"""Response times must not reveal whether an account exists. They have the same distribution for all addresses."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta
from time import perf_counter
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from cairn.auth import AuthSettings
from tests.auth.conftest import VisitorWith
from tests.auth.visitor import Visitor

ROSA = "rosa@rio-rafting.example"
# One run in ten thousand fails by chance.
SIGNIFICANCE_LEVEL = 1e-4


@pytest_asyncio.fixture
async def visitor(visitor_with: VisitorWith) -> AsyncIterator[Visitor]:
    """Returns a visitor without rate limits. Rosa already has an account."""
    limits: dict[str, Any] = {name: 10**6 for name in AuthSettings.model_fields if name.startswith("rate_limit_")}
    limits["smtp_max_frequency"] = timedelta(microseconds=1)
    async with visitor_with(**limits) as visitor:
        await visitor.sign_up(ROSA)
        yield visitor


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.constant_time
async def test_signing_in_takes_as_long_for_an_unknown_account(visitor: Visitor) -> None:
    known, unknown = await _measure_alternately(lambda email: visitor.sign_in(email, "not her password"), pairs=40)

    assert mann_whitney_p_value(known, unknown) > SIGNIFICANCE_LEVEL


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.constant_time
async def test_requesting_an_email_takes_as_long_for_an_unknown_account(visitor: Visitor) -> None:
    """The three endpoints are measured concurrently, because they spend their time waiting."""
    endpoints: dict[str, dict[str, str]] = {"/recover": {}, "/otp": {}, "/resend": {"type": "signup"}}

    async def measure(path: str) -> tuple[list[float], list[float]]:
        return await _measure_alternately(lambda email: visitor.post(path, email=email, **endpoints[path]), pairs=16)

    for path, times in zip(endpoints, await asyncio.gather(*map(measure, endpoints)), strict=True):
        assert mann_whitney_p_value(*times) > SIGNIFICANCE_LEVEL, path


def test_a_difference_of_ten_percent_would_be_detected() -> None:
    """This shows that the other tests are sensitive enough."""
    times = [1 + (n * 7 % 40) / 400 for n in range(40)]

    assert mann_whitney_p_value(times, times) > 0.9
    assert mann_whitney_p_value(times, [1.1 * time for time in times]) < SIGNIFICANCE_LEVEL


async def _measure_alternately(send: Callable[[str], Awaitable[Any]], *, pairs: int) -> tuple[list[float], list[float]]:
    """Alternates between a known and an unknown account, so that other load on the machine affects both equally."""
    known: list[float] = []
    unknown: list[float] = []
    for number in range(pairs):
        turns = [(known, ROSA), (unknown, f"{uuid4().hex}@example.com")]
        for times, email in reversed(turns) if number % 2 else turns:
            start = perf_counter()
            await send(email)
            times.append(perf_counter() - start)
    return known, unknown


def mann_whitney_p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """Returns the probability that two samples of the same distribution differ in rank at least as much as these."""
    # This is the U statistic: how many pairs have the larger value in the first sample.
    u_statistic = sum((one > other) + (one == other) / 2 for one in first for other in second)
    standard_deviation = math.sqrt(len(first) * len(second) * (len(first) + len(second) + 1) / 12)
    return math.erfc(abs(u_statistic - len(first) * len(second) / 2) / standard_deviation / math.sqrt(2))
