"""Creates sessions, and acts as a guest who fills in the signing page and draws a signature."""

import base64
import io
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
from PIL import Image
from playwright.async_api import CDPSession, Frame, Locator, Page

from cairn.kit import frozen_dataclass
from tests.e2e.conftest import Deployment
from tests.factories import SAMPLE_TEMPLATE_ID

Point = tuple[float, float]
# The signing page is opened in its own tab, or embedded in a website.
PageOrFrame = Page | Frame
TEMPLATE_CONTENT = "\n\n".join(
    ["# On the river", *(f"{n}. I, [PARTICIPANT NAME], keep rule {n} of [COMPANY NAME]." for n in range(1, 15))]
)


def zigzag(left: float, right: float) -> list[Point]:
    """Returns the points of a zigzag line between two x positions. The line is long enough to count as a signature.

    All numbers are fractions of the pad's width and height. The first point is in the upper half of the pad, because
    the sticky footer may cover the lower half, and a stroke that starts on the footer is not recorded.
    """
    return [(left + (right - left) * step / 12, 0.65 if step % 2 else 0.35) for step in range(13)]


ZIGZAG = zigzag(0.1, 0.9)


@asynccontextmanager
async def database_connection(deployment: Deployment) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Connects as the owner of the database, who may read and change all tables."""
    connection = await asyncpg.connect(deployment.server.db_url)
    try:
        yield connection
    finally:
        await connection.close()


async def create_session(deployment: Deployment, **columns: Any) -> UUID:
    """Creates a session of a new company. `columns` replace the default values of the row."""
    row = {
        "template_id": SAMPLE_TEMPLATE_ID,
        "template_name": "River trip",
        "template_content": TEMPLATE_CONTENT,
        "status": "pending",
        **columns,
    }
    names, placeholders = ", ".join(row), ", ".join(f"${number}" for number in range(2, len(row) + 2))
    async with database_connection(deployment) as connection:
        company_id = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
        session_id: UUID = await connection.fetchval(
            f"insert into waivers.sessions (company_id, {names}) values ($1, {placeholders}) returning id",
            company_id, *row.values(),
        )  # fmt: skip
    return session_id


def signing_path(session_id: UUID | str) -> str:
    return f"/waivers/sign/session/{session_id}"


async def open_new_session(deployment: Deployment, page: Page) -> UUID:
    """Creates a session, opens its signing page and returns its id."""
    session_id = await create_session(deployment)
    await page.goto(signing_path(session_id))
    return session_id


async def start_signing(deployment: Deployment, page: Page, name: str = "Gil Okafor") -> UUID:
    """Opens the signing page of a new session, enters the signer's details and returns the id of the session."""
    session_id = await open_new_session(deployment, page)
    await enter_signer_details(page, name)
    return session_id


@frozen_dataclass
class StoredWaiver:
    name: str
    strokes: Any
    picture: Image.Image

    def has_dark_pixels_between(self, left: int, right: int) -> bool:
        """Returns whether the stored picture has dark pixels between two x positions, which are given in pixels."""
        darkest, _ = self.picture.crop((left, 0, right, 200)).convert("L").getextrema()
        return isinstance(darkest, int) and darkest < 100


async def stored_waivers(deployment: Deployment, session_id: UUID) -> list[StoredWaiver]:
    async with database_connection(deployment) as connection:
        rows = await connection.fetch(
            "select signer_name, strokes, signature from waivers.signed where session_id = $1", session_id
        )
    return [
        StoredWaiver(row["signer_name"], json.loads(row["strokes"] or "null"), _picture(row["signature"]))
        for row in rows
    ]


def _picture(data_url: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data_url.removeprefix("data:image/png;base64,"))))


def signature_pad(page: PageOrFrame) -> Locator:
    return page.get_by_role("img", name=re.compile("^Signature pad"))


async def point_on_pad(page: PageOrFrame, across: float, down: float) -> Point:
    """Converts fractions of the pad's width and height into a position on the page."""
    box = await signature_pad(page).bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


async def draw_with_mouse(page: PageOrFrame, points: Sequence[Point] = ZIGZAG) -> None:
    await signature_pad(page).scroll_into_view_if_needed()
    positions = [await point_on_pad(page, *point) for point in points]
    mouse = page.mouse if isinstance(page, Page) else page.page.mouse
    await mouse.move(*positions[0])
    await mouse.down()
    for position in positions[1:]:
        await mouse.move(*position)
    await mouse.up()


async def draw_with_pen(page: Page, points: Sequence[Point]) -> None:
    """Draws with the pen of a tablet, at half of the full pressure."""
    await signature_pad(page).scroll_into_view_if_needed()
    devtools = await page.context.new_cdp_session(page)
    positions = [await point_on_pad(page, *point) for point in points]
    pen = {"pointerType": "pen", "force": 0.5, "button": "left", "clickCount": 1}
    kinds = ["mousePressed", *["mouseMoved"] * (len(positions) - 1), "mouseReleased"]
    for kind, (x, y) in zip(kinds, [*positions, positions[-1]], strict=True):
        buttons = 0 if kind == "mouseReleased" else 1
        await devtools.send("Input.dispatchMouseEvent", {**pen, "type": kind, "x": x, "y": y, "buttons": buttons})


class TouchInput:
    """Sends touch events like the screen of a phone."""

    def __init__(self, page: Page, devtools: CDPSession) -> None:
        self._page, self._devtools = page, devtools

    async def draw(self, points: Sequence[Point] = ZIGZAG) -> None:
        await self.press(points)
        await self.lift()

    async def press(self, points: Sequence[Point]) -> None:
        """Touches the pad at the first point and moves along the others, without lifting the finger."""
        for number, point in enumerate(points):
            x, y = await point_on_pad(self._page, *point)
            await self._touch("touchMove" if number else "touchStart", [{"x": x, "y": y}])

    async def lift(self) -> None:
        await self._touch("touchEnd", [])

    async def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        await self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def touch_input(page: Page) -> TouchInput:
    await signature_pad(page).scroll_into_view_if_needed()
    return TouchInput(page, await page.context.new_cdp_session(page))


async def enter_signer_details(page: PageOrFrame, name: str = "Gil Okafor") -> None:
    await page.get_by_label("Your Name").fill(name)
    await page.get_by_label("Your Email").fill("gil@example.com")
    await page.get_by_role("checkbox").check()


async def fill_in(page: Page) -> None:
    """Enters the signer's details and draws a signature with the mouse."""
    await enter_signer_details(page)
    await draw_with_mouse(page)


async def click_sign(page: PageOrFrame) -> None:
    await page.get_by_role("button", name="Sign Waiver").click()


async def expect_signed(page: PageOrFrame) -> None:
    """Waits for the confirmation. The page is checked in every animation frame, because it redirects soon."""
    await page.wait_for_function("() => document.querySelector('h1')?.textContent === 'Waiver signed'")
