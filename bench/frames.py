"""Scrolls through a million waivers in a real browser. `python -m bench.frames` runs only this part.

The browser's trace has the outcome of every frame of a 60 Hz screen: presented completely, presented without the new
content of the page, or dropped. While the page scrolls, it fetches further rows from the server.
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
from bench.server import Server, running_server

ROOT = Path(__file__).parent.parent
CHROMIUM_FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DESKTOP = ViewportSize(width=1280, height=800)
# A user who looks for something scrolls about this fast: 62 rows a second. The scrolling takes seven seconds, in which
# the page fetches 500 rows.
SCROLL_PIXELS, PIXELS_PER_SECOND = 28_000, 4_000
RUN_COUNT = 3
TRACE_CATEGORIES = ["disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame"]
COMPLETE_STATES = {"STATE_PRESENTED_ALL", "STATE_NO_UPDATE_DESIRED"}
GOAL_SHARE = 0.95
ROW_HEIGHT_PIXELS = 64

Event = dict[str, Any]


async def measure(server: Server) -> Row:
    """Returns the median of several runs. The database must already contain the million rows."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=_find_chromium(), args=CHROMIUM_FLAGS)
        page = await browser.new_page(base_url=server.url, viewport=DESKTOP)
        await _open_directory(page, server)
        rows = [frame_row(await _scroll(browser, page)) for _ in range(RUN_COUNT)]
        await browser.close()
    return sorted(rows, key=lambda row: row.measured)[RUN_COUNT // 2]


def _find_chromium() -> str:
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    return chromium.stdout.strip()


async def _open_directory(page: Page, server: Server) -> None:
    credentials = {"email": "rosa@rio-rafting.example", "password": "seven rivers"}
    token_url = f"{server.url}/auth/v1/token?grant_type=password"
    async with httpx.AsyncClient(headers=server.headers()) as client:
        session = (await client.post(token_url, json=credentials)).raise_for_status().json()
    stored_session = json.dumps(json.dumps(session))
    await page.add_init_script(f"localStorage.setItem('sb-cairn-auth-token', {stored_session})")
    await page.goto("/dashboard/waiver-management")
    await page.locator("tr[data-index]").first.wait_for()
    # The page also connects to realtime and fetches notifications and the count. That must not count as scrolling.
    await page.wait_for_load_state("networkidle")


async def _scroll(browser: Browser, page: Page) -> list[Event]:
    """Scrolls and returns the trace. The browser generates the gesture, which is steadier than single wheel events."""
    input_session, trace_session = await page.context.new_cdp_session(page), await browser.new_browser_cdp_session()
    trace: list[Event] = []
    tracing_complete = asyncio.Event()
    trace_session.on("Tracing.dataCollected", lambda event: trace.extend(event["value"]))
    trace_session.on("Tracing.tracingComplete", lambda _: tracing_complete.set())
    config = {"includedCategories": TRACE_CATEGORIES, "excludedCategories": ["*"]}
    await trace_session.send("Tracing.start", {"traceConfig": config})
    gesture = {
        "x": 600,
        "y": 500,
        "yDistance": -SCROLL_PIXELS,
        "speed": PIXELS_PER_SECOND,
        "gestureSourceType": "mouse",
    }
    await input_session.send("Input.synthesizeScrollGesture", gesture)
    await trace_session.send("Tracing.end")
    await tracing_complete.wait()
    await trace_session.detach()
    return trace


def frame_row(trace: list[Event]) -> Row:
    frames = frames_of(trace)
    expected_count = max(frames) - min(frames) + 1
    complete_count = sum(states <= COMPLETE_STATES for states in frames.values())
    moved_count = sum("STATE_DROPPED" not in states for states in frames.values())
    longest_milliseconds = max(task_times(trace)) / 1000
    rows = f"{PIXELS_PER_SECOND / ROW_HEIGHT_PIXELS:.0f} rows a second"
    details = (
        f"{rows}; {moved_count} of {expected_count} frames moved, {complete_count} complete; "
        f"longest task {longest_milliseconds:.0f} ms"
    )
    return Row(
        "frames in time, scrolling 1M waivers", complete_count / expected_count, GOAL_SHARE, "of 60 a second", details
    )


def frames_of(trace: list[Event]) -> dict[int, set[str]]:
    """Returns the outcomes of each frame: one for the scrolling, and one for the new content of the page."""
    frames: dict[int, set[str]] = {}
    for event in trace:
        report = event["args"].get("frame_reporter") if event["name"] == "PipelineReporter" else None
        if report and report["scroll_state"] != "SCROLL_NONE":
            frames.setdefault(report["frame_sequence"], set()).add(report["state"])
    return frames


def task_times(trace: list[Event]) -> list[int]:
    """Returns the microseconds of each task on the page's main thread."""
    main_threads = {
        (event["pid"], event["tid"])
        for event in trace
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    # A task that is still running when the tracing ends has no duration.
    tasks = [event for event in trace if event["name"] == "RunTask" and "dur" in event]
    return [event["dur"] for event in tasks if (event["pid"], event["tid"]) in main_threads]


async def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder,
        running_server(Path(folder), worker=False) as server,
    ):
        server.sign_up_company()
        await million.insert_million_rows(server)
        await server.execute(f"update public.profiles set company_id = '{million.LARGE_COMPANY}'")
        print("  ".join((await measure(server)).cells()))


if __name__ == "__main__":
    asyncio.run(main())
