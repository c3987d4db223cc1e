"""Scrolling through a million waivers in a real browser: `python -m bench.frames`.

The browser's trace has the outcome of every frame of a 60 Hz screen: presented completely, presented without the new
content of the page, or dropped. Meanwhile further rows arrive from the server, one page of rows at a time.
"""

import asyncio
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from bench import million
from bench.row import Row
from bench.server import Server, running

ROOT = Path(__file__).parent.parent
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DESKTOP = ViewportSize(width=1280, height=800)
# As fast as a person who is looking for something: 62 rows a second for seven seconds, during which the page fetches
# 500 rows.
DISTANCE, SPEED, TIMES = 28_000, 4_000, 3
CATEGORIES = ["disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame"]
COMPLETE = {"STATE_PRESENTED_ALL", "STATE_NO_UPDATE_DESIRED"}
GOAL = 0.95
ROW_HEIGHT = 64

Event = dict[str, Any]


async def measure(server: Server) -> Row:
    """The database must contain the million rows already."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=_chromium(), args=FLAGS)
        page = await browser.new_page(base_url=server.url, viewport=DESKTOP)
        await _open_directory(page, server)
        rows = [frame_row(await _scroll(browser, page)) for _ in range(TIMES)]
        await browser.close()
    # The median, because the machine may be busy for a moment.
    return sorted(rows, key=lambda row: row.measured)[TIMES // 2]


def _chromium() -> str:
    found = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


async def _open_directory(page: Page, server: Server) -> None:
    credentials = {"email": "rosa@rio-rafting.example", "password": "seven rivers"}
    token = f"{server.url}/auth/v1/token?grant_type=password"
    async with httpx.AsyncClient(headers=server.headers()) as client:
        session = (await client.post(token, json=credentials)).raise_for_status().json()
    stored = json.dumps(json.dumps(session))
    await page.add_init_script(f"localStorage.setItem('sb-cairn-auth-token', {stored})")
    await page.goto("/dashboard/waiver-management")
    await page.locator("tr[data-index]").first.wait_for()
    # The page also opens its live updates and fetches notifications and the count; that is not part of scrolling.
    await page.wait_for_load_state("networkidle")


async def _scroll(browser: Browser, page: Page) -> list[Event]:
    """The browser synthesizes the gesture, which is steadier than a program that sends single wheel events."""
    input_session, trace_session = await page.context.new_cdp_session(page), await browser.new_browser_cdp_session()
    trace: list[Event] = []
    complete = asyncio.Event()
    trace_session.on("Tracing.dataCollected", lambda collected: trace.extend(collected["value"]))
    trace_session.on("Tracing.tracingComplete", lambda _: complete.set())
    config = {"includedCategories": CATEGORIES, "excludedCategories": ["*"]}
    await trace_session.send("Tracing.start", {"traceConfig": config})
    wheel = {"x": 600, "y": 500, "yDistance": -DISTANCE, "speed": SPEED, "gestureSourceType": "mouse"}
    await input_session.send("Input.synthesizeScrollGesture", wheel)
    await trace_session.send("Tracing.end")
    await complete.wait()
    await trace_session.detach()
    return trace


def frame_row(trace: list[Event]) -> Row:
    frames = frames_of(trace)
    expected = max(frames) - min(frames) + 1
    complete = sum(states <= COMPLETE for states in frames.values())
    moved = sum("STATE_DROPPED" not in states for states in frames.values())
    longest = max(tasks_of(trace)) / 1000
    rows = f"{SPEED / ROW_HEIGHT:.0f} rows a second"
    details = f"{rows}; {moved} of {expected} frames moved, {complete} complete; longest task {longest:.0f} ms"
    return Row("frames in time, scrolling 1M waivers", complete / expected, GOAL, "of 60 a second", details)


def frames_of(trace: list[Event]) -> dict[int, set[str]]:
    """The outcomes of each frame: one for the scrolling, and one for the new content of the page."""
    frames: dict[int, set[str]] = {}
    for event in trace:
        report = event["args"].get("frame_reporter") if event["name"] == "PipelineReporter" else None
        if report and report["scroll_state"] != "SCROLL_NONE":
            frames.setdefault(report["frame_sequence"], set()).add(report["state"])
    return frames


def tasks_of(trace: list[Event]) -> list[int]:
    """The wall time of each task on the page's main thread, in microseconds."""
    main = {
        (event["pid"], event["tid"])
        for event in trace
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    # A task that is still running when the tracing ends has no duration.
    ended = [event for event in trace if event["name"] == "RunTask" and "dur" in event]
    return [event["dur"] for event in ended if (event["pid"], event["tid"]) in main]


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running(Path(folder), worker=False) as server:
        server.company()
        await million.fill(server)
        await server.execute(f"update public.profiles set company_id = '{million.LARGE_COMPANY}'")
        print("  ".join((await measure(server)).cells()))


if __name__ == "__main__":
    asyncio.run(main())
