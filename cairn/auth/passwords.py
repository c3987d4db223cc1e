"""Hashes passwords with Argon2id in a small thread pool with a bounded queue."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from cairn.auth.errors import PasswordsBusy

T = TypeVar("T")

# OWASP recommends 19 MiB and two passes for a parallelism of one.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
THREADS = min(4, os.cpu_count() or 1)
# Hashing takes about 40 ms, so the last request in a full queue waits a few seconds.
MAX_QUEUE_LENGTH = 64 * THREADS


class Passwords:
    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="passwords")
        self._pending_count = 0
        self._dummy_hash = _dummy_hash()

    async def hash(self, password: str) -> str:
        return await self._run_in_thread(lambda: HASHER.hash(password))

    async def match(self, password: str, password_hash: str | None) -> bool:
        """Without a stored hash, verifies a dummy hash, so that the duration does not reveal who has an account."""
        matches = await self._run_in_thread(lambda: _matches(password, password_hash or self._dummy_hash))
        return matches and password_hash is not None

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        if self._pending_count >= MAX_QUEUE_LENGTH:
            raise PasswordsBusy
        self._pending_count += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._pending_count -= 1


@cache
def _dummy_hash() -> str:
    return HASHER.hash("the password of an account that does not exist")


def _matches(password: str, password_hash: str) -> bool:
    try:
        return HASHER.verify(password_hash, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def is_password_hash(text: str) -> bool:
    try:
        extract_parameters(text)
    except InvalidHashError:
        return False
    return True
