"""Causes real faults in the running product and repairs them, and checks how a page reports them."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import asyncpg
from playwright.async_api import Locator, Page, expect

from tests.serving import RunningServer

# `expect_soon` waits this long in real time.
MAX_WAIT_SECONDS = 30
# `advance_until_visible` advances the page's clock at most this far. The page retries a failed request after one, two
# and four seconds before it reports an error. After a lost connection it waits up to ten seconds before it connects
# again.
MAX_PAGE_CLOCK_MILLISECONDS = 30_000
PAGE_CLOCK_STEP_MILLISECONDS = 50


@asynccontextmanager
async def broken_database(server: RunningServer, break_sql: str, repair_sql: str) -> AsyncIterator[None]:
    """Executes `break_sql` as the owner of the database, and `repair_sql` at the end."""
    connection = await asyncpg.connect(server.db_url)
    try:
        await connection.execute(break_sql)
        yield
    finally:
        await connection.execute(repair_sql)
        await connection.close()


@asynccontextmanager
async def revoked_privilege(
    server: RunningServer, privilege: str, target: str, role: str = "authenticated"
) -> AsyncIterator[None]:
    revoke, grant = f"revoke {privilege} on {target} from {role}", f"grant {privilege} on {target} to {role}"
    async with broken_database(server, revoke, grant):
        yield


@asynccontextmanager
async def failing_writes(
    server: RunningServer, table: str, operation: str, message: str = "The archive is full."
) -> AsyncIterator[None]:
    """Makes every `operation` (insert, update or delete) on `table` fail with `message`."""
    break_sql = f"""
        create function public.fail_write() returns trigger language plpgsql as $$
        begin raise exception using message = '{message}'; end $$;
        create trigger fail_write before {operation} on {table} for each row execute function public.fail_write();
    """
    async with broken_database(
        server, break_sql, f"drop trigger fail_write on {table}; drop function public.fail_write()"
    ):
        yield


@asynccontextmanager
async def unreachable_database(server: RunningServer) -> AsyncIterator[None]:
    """Terminates the server's connections and refuses new ones."""
    break_sql = """
        begin; alter role authenticator connection limit 0; commit;
        select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator';
    """
    async with broken_database(server, break_sql, "alter role authenticator connection limit -1"):
        yield


async def expect_toast(page: Page, title: str, description: str = "", *, is_error: bool = True) -> None:
    """Waits for a toast with `title` and `description`. The test must have called `page.clock.install()` before."""
    error_icon = page.locator(".lucide-circle-alert")
    toast = page.get_by_role("region", name="Notification").get_by_role("listitem").filter(has_text=title)
    toast = toast.filter(has_text=description)
    await expect_soon(page, toast.filter(has=error_icon) if is_error else toast.filter(has_not=error_icon))


async def expect_soon(page: Page, element: Locator) -> None:
    """Advances the page's clock until the element appears, so that the test does not wait for the page's retries."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            await expect(element).to_be_visible(timeout=300)
        except AssertionError:
            await page.clock.fast_forward(1_000)  # milliseconds
        else:
            return
    await expect(element).to_be_visible()


async def pause_clock(page: Page) -> None:
    """Pauses the clock that `page.clock.install()` has installed, so that only the test advances it."""
    now = datetime.fromtimestamp(await page.evaluate("Date.now()") / 1_000, UTC)
    # The clock cannot be set back and runs until the pause, so the time of the pause must be in the future.
    await page.clock.pause_at(now + timedelta(seconds=20))


async def advance_until_visible(page: Page, notice: Locator) -> None:
    """Advances a paused clock in small steps until `notice` is visible."""
    for _ in range(MAX_PAGE_CLOCK_MILLISECONDS // PAGE_CLOCK_STEP_MILLISECONDS):
        if await notice.is_visible():
            break
        await page.clock.run_for(PAGE_CLOCK_STEP_MILLISECONDS)
        # The server needs real time to respond.
        await asyncio.sleep(0.03)
    await expect(notice).to_be_visible()


async def expect_visible_for(page: Page, notice: Locator, milliseconds: int) -> None:
    """Checks that `notice` disappears after `milliseconds` (give or take 200). Call `pause_clock` before."""
    await advance_until_visible(page, notice)
    await page.clock.run_for(milliseconds - 200)
    await expect(notice).to_be_visible()
    await page.clock.run_for(400)
    await expect(notice).to_have_count(0)
