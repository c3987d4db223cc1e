"""Faults that are really made, and mended again, in the running product."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import asyncpg
from playwright.async_api import Locator, Page, expect

from tests.serving import Served

# Three more tries, after one, two and four seconds, come before the word that something failed; a lost line waits up
# to ten.
LONGEST_WAIT = 30


@asynccontextmanager
async def broken(served: Served, how: str, mended: str) -> AsyncIterator[None]:
    connection = await asyncpg.connect(served.db_url)
    try:
        await connection.execute(how)
        yield
    finally:
        await connection.execute(mended)
        await connection.close()


@asynccontextmanager
async def refusing(served: Served, verb: str, what: str, role: str = "authenticated") -> AsyncIterator[None]:
    """The database no longer lets people do this."""
    async with broken(served, f"revoke {verb} on {what} from {role}", f"grant {verb} on {what} to {role}"):
        yield


@asynccontextmanager
async def out_of_ink(
    served: Served, table: str, verb: str, words: str = "The archive is out of ink."
) -> AsyncIterator[None]:
    """Nothing can be written there."""
    how = f"""
        create function public.out_of_ink() returns trigger language plpgsql as $$
        begin raise exception using message = '{words}'; end $$;
        create trigger out_of_ink before {verb} on {table} for each row execute function public.out_of_ink();
    """
    async with broken(served, how, f"drop trigger out_of_ink on {table}; drop function public.out_of_ink()"):
        yield


@asynccontextmanager
async def closed_database(served: Served) -> AsyncIterator[None]:
    """The server's connections are cut and no new one is let in."""
    how = """
        begin; alter role authenticator connection limit 0; commit;
        select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator';
    """
    async with broken(served, how, "alter role authenticator connection limit -1"):
        yield


async def told(page: Page, title: str, description: str = "", *, alarming: bool = True) -> None:
    """In the toast, for a page whose clock is held."""
    mark = page.locator(".lucide-circle-alert")
    toast = page.get_by_role("region", name="Notification").get_by_role("listitem").filter(has_text=title)
    toast = toast.filter(has_text=description)
    await soon(page, toast.filter(has=mark) if alarming else toast.filter(has_not=mark))


async def soon(page: Page, wanted: Locator) -> None:
    """Page time goes by quicker than ours, so that nobody waits for the next try."""
    deadline = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < deadline:
        try:
            await expect(wanted).to_be_visible(timeout=300)
        except AssertionError:
            await page.clock.fast_forward("00:01")
        else:
            return
    await expect(wanted).to_be_visible()


async def hold_the_clock(page: Page) -> None:
    """An installed clock runs on between the steps that are made by hand; this one stands."""
    now = datetime.fromtimestamp(await page.evaluate("Date.now()") / 1_000, UTC)
    # It runs on until it is told, and does not go back.
    await page.clock.pause_at(now + timedelta(seconds=20))


async def comes(page: Page, notice: Locator) -> None:
    """The clock of the page goes on in small steps until then, and stands."""
    for _ in range(LONGEST_WAIT * 20):
        if await notice.is_visible():
            break
        await page.clock.run_for(50)
        await asyncio.sleep(0.03)
    await expect(notice).to_be_visible()


async def lasts(page: Page, notice: Locator, milliseconds: int) -> None:
    """From when it comes, on a page whose clock stands."""
    await comes(page, notice)
    await page.clock.run_for(milliseconds - 200)
    await expect(notice).to_be_visible()
    await page.clock.run_for(400)
    await expect(notice).to_have_count(0)
