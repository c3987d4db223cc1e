"""Argon2id, away from the event loop, and never more at once than the machine can bear."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from cairn.auth.errors import PasswordsBusy

T = TypeVar("T")

# 19 MiB and two passes, as OWASP advises for one lane.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
THREADS = min(4, os.cpu_count() or 1)
# At about 40 ms each the last in the queue waits a few seconds; beyond that a refusal is the kinder answer.
MAX_QUEUE = 64 * THREADS


class Passwords:
    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="passwords")
        self._under_way = 0
        self._nobody = HASHER.hash("the password of an account that does not exist")

    async def hash(self, password: str) -> str:
        return await self._aside(lambda: HASHER.hash(password))

    async def match(self, password: str, stored: str | None) -> bool:
        """Where nothing is stored the work is done all the same, so that time does not tell who has an account."""
        same = await self._aside(lambda: _same(password, stored or self._nobody))
        return same and stored is not None

    async def _aside(self, work: Callable[[], T]) -> T:
        if self._under_way >= MAX_QUEUE:
            raise PasswordsBusy
        self._under_way += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._under_way -= 1


def _same(password: str, stored: str) -> bool:
    try:
        return HASHER.verify(stored, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def is_hash(text: str) -> bool:
    try:
        extract_parameters(text)
    except InvalidHashError:
        return False
    return True
