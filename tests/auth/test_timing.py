"""How long an answer takes tells nobody who has an account: both kinds come from one distribution of times."""

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
# Chance alone would fail one run in ten thousand.
ALPHA = 1e-4


@pytest_asyncio.fixture
async def persistent(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Someone who may ask as often as they like, in a house where Rosa has an account."""
    plenty: dict[str, Any] = {name: 10**6 for name in AuthSettings.model_fields if name.startswith("rate_limit_")}
    plenty["smtp_max_frequency"] = timedelta(microseconds=1)
    async with visiting(database, keyring, settings.model_copy(update=plenty)) as arrived:
        await arrived.sign_up(ROSA)
        yield arrived


@pytest.mark.slow
async def test_signing_in_takes_as_long_for_an_unknown_account(persistent: Visitor) -> None:
    known, unknown = await _in_turn(lambda email: persistent.sign_in(email, "not her password"), pairs=40)

    assert likelihood_of_one_source(known, unknown) > ALPHA


@pytest.mark.slow
async def test_asking_for_a_mail_takes_as_long_for_an_unknown_account(persistent: Visitor) -> None:
    """Each of the three in its own row of turns; they spend their time waiting, so the rows are walked side by side."""
    doors: dict[str, dict[str, str]] = {"/recover": {}, "/otp": {}, "/resend": {"type": "signup"}}

    async def walk(path: str) -> tuple[list[float], list[float]]:
        return await _in_turn(lambda email: persistent.ask(path, email=email, **doors[path]), pairs=16)

    for path, times in zip(doors, await asyncio.gather(*map(walk, doors)), strict=True):
        assert likelihood_of_one_source(*times) > ALPHA, path


def test_a_tenth_more_would_be_noticed() -> None:
    """Without this the others would prove nothing."""
    times = [1 + (n * 7 % 40) / 400 for n in range(40)]

    assert likelihood_of_one_source(times, times) > 0.9
    assert likelihood_of_one_source(times, [1.1 * time for time in times]) < ALPHA


async def _in_turn(ask: Callable[[str], Awaitable[Any]], *, pairs: int) -> tuple[list[float], list[float]]:
    """Known and unknown one after the other, first the one, then the other: what the machine does is done to both."""
    known: list[float] = []
    unknown: list[float] = []
    for number in range(pairs):
        turns = [(known, ROSA), (unknown, f"{uuid4().hex}@example.com")]
        for times, email in reversed(turns) if number % 2 else turns:
            began = perf_counter()
            await ask(email)
            times.append(perf_counter() - began)
    return known, unknown


def likelihood_of_one_source(some: Sequence[float], others: Sequence[float]) -> float:
    """Mann and Whitney: how often two samples from one source are sorted at least as unevenly as these."""
    wins = sum((one > other) + (one == other) / 2 for one in some for other in others)
    spread = math.sqrt(len(some) * len(others) * (len(some) + len(others) + 1) / 12)
    return math.erfc(abs(wins - len(some) * len(others) / 2) / spread / math.sqrt(2))
