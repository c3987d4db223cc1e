"""A long list scrolls smoothly, and the visible rows do not move when rows are added above them."""

import json

import asyncpg
from playwright.async_api import Browser, Page, expect

from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment

GUEST_COUNT = 3_000
FRAME_MICROSECONDS = 1_000_000 / 60
# REFERENCE_WORK takes this long on the reference machine, where each task must finish within one frame.
REFERENCE_MILLISECONDS = 4.0
# This function returns the median time that the browser needs to lay out and remove 200 rows.
REFERENCE_WORK = """() => {
    const times = [];
    for (let run = 0; run < 41; run++) {
        const start = performance.now();
        const table = document.createElement("table");
        for (let row = 0; row < 200; row++) table.insertRow().insertCell().textContent = `Guest ${row}`;
        document.body.append(table);
        table.getBoundingClientRect();
        table.remove();
        times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[20];
}"""
# This function returns true if the scroll position has not changed since Playwright last evaluated this function.
HAS_STOPPED_SCROLLING = "() => window.lastScrollY === (window.lastScrollY = window.scrollY)"


async def test_a_long_list_scrolls_smoothly_and_keeps_its_position(
    company: Company, deployment: Deployment, desktop: Page, browser: Browser
) -> None:
    await insert_pending_sessions(deployment, company)
    gils_session = company.send_to("Gil Okafor")
    await open_signed_in(desktop, company, "/dashboard/waiver-management")
    await expect(desktop.get_by_text("Guest 5", exact=True)).to_be_visible()

    assert await frames_for_the_slowest_tasks(desktop, browser) < 1
    row_before = await row_in_the_middle(desktop)
    assert int(row_before["index"]) > 100
    assert await desktop.locator("tr[data-index]").count() < 50
    company.sign_as_guest(gils_session, "Gil Okafor")
    await expect(desktop.get_by_text("Gil Okafor has signed").first).to_be_visible()
    # Gil's signed waiver replaced his session in the first row, so no row has moved. Noor's waiver is added above
    # that row and moves every row down by one.
    company.sign_as_guest(company.send_to("Noor Haddad"), "Noor Haddad")
    await expect(desktop.get_by_text("3,002 waivers")).to_be_attached()
    next_row = desktop.locator(f'tr[data-index="{int(row_before["index"]) + 1}"]')
    # The number of waivers comes from a separate request, which may finish before the one for the rows.
    await expect(next_row).to_have_text(str(row_before["text"]), use_inner_text=True)
    row_after = await row_in_the_middle(desktop)
    assert (row_after["text"], row_after["top"]) == (row_before["text"], row_before["top"])


async def insert_pending_sessions(deployment: Deployment, company: Company) -> None:
    connection = await asyncpg.connect(deployment.server.db_url)
    await connection.execute(
        """
        insert into waivers.sessions
               (company_id, template_id, template_name, template_content, recipient_name, recipient_email,
                status, created_at, expires_at)
        select p.company_id, 't', 'River trip', 'I take part.', 'Guest ' || n, 'guest' || n || '@example.com',
               'pending', now() - n * interval '1 minute', now() + interval '30 days'
          from profiles p, generate_series(1, $2) n
         where p.id = $1
        """,
        company.session["user"]["id"],
        GUEST_COUNT,
    )
    await connection.close()


async def frames_for_the_slowest_tasks(page: Page, browser: Browser) -> float:
    """Returns within how many frames 99 % of the tasks finish on the reference machine, in the best of three runs.

    Other processes slow down the caches and the cores of a busy machine, often only during one of the runs.
    """
    results = []
    for _ in range(3):
        task_times = await task_times_while_scrolling(page, browser)
        slowness: float = max(1, await page.evaluate(REFERENCE_WORK) / REFERENCE_MILLISECONDS)
        results.append(task_times[int(len(task_times) * 0.99)] / FRAME_MICROSECONDS / slowness)
        if results[-1] < 1:
            break
    return min(results)


async def task_times_while_scrolling(page: Page, browser: Browser) -> list[int]:
    """Returns the microseconds of CPU time of each task on the page's main thread, in ascending order.

    Wall-clock time would include other processes.
    """
    await page.mouse.move(600, 500)
    await browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    for _ in range(120):
        await page.mouse.wheel(0, 120)
        await page.evaluate("new Promise(requestAnimationFrame)")
    await page.wait_for_function(HAS_STOPPED_SCROLLING, polling=200)
    trace = json.loads(await browser.stop_tracing())["traceEvents"]
    main_threads = {
        (event["pid"], event["tid"])
        for event in trace
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [event for event in trace if event["name"] == "RunTask" and (event["pid"], event["tid"]) in main_threads]
    assert len(tasks) > 100
    return sorted(event["tdur"] for event in tasks if "tdur" in event)


async def row_in_the_middle(page: Page) -> dict[str, str | int]:
    row: dict[str, str | int] = await page.evaluate(
        """() => {
            const row = document.elementFromPoint(700, 400).closest("tr[data-index]");
            const { top } = row.getBoundingClientRect();
            return { text: row.innerText, top: Math.round(top), index: Number(row.dataset.index) };
        }"""
    )
    return row
