"""A guest at the signing page: a waiver that waits for them, and their hand."""

import base64
import io
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg
from PIL import Image
from playwright.async_api import CDPSession, Frame, Locator, Page

from tests.e2e.conftest import Place
from tests.make import SAMPLE

Dot = tuple[float, float]
# Where the signing page stands: in a window of its own, or on a website.
Stage = Page | Frame
WORDS = "\n\n".join(
    ["# On the river", *(f"{n}. I, [PARTICIPANT NAME], keep rule {n} of [COMPANY NAME]." for n in range(1, 15))]
)


@asynccontextmanager
async def records(place: Place) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """The database itself, for what no role of the product may do."""
    connection = await asyncpg.connect(place.served.db_url)
    try:
        yield connection
    finally:
        await connection.close()


async def a_session(place: Place, **facts: Any) -> UUID:
    row = {
        "template_id": SAMPLE,
        "template_name": "River trip",
        "template_content": WORDS,
        "status": "pending",
        **facts,
    }
    columns, places = ", ".join(row), ", ".join(f"${number}" for number in range(2, len(row) + 2))
    async with records(place) as connection:
        company = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
        session: UUID = await connection.fetchval(
            f"insert into waivers.sessions (company_id, {columns}) values ($1, {places}) returning id",
            company, *row.values(),
        )  # fmt: skip
    return session


def link(session: UUID) -> str:
    return f"/waivers/sign/session/{session}"


@dataclass(frozen=True, slots=True)
class Stored:
    name: str
    strokes: Any
    picture: Image.Image

    def inked(self, left: int, right: int) -> bool:
        """Whether there is ink between two edges of the stored picture."""
        low, _ = self.picture.crop((left, 0, right, 200)).convert("L").getextrema()
        return isinstance(low, int) and low < 100


async def stored(place: Place, session: UUID) -> list[Stored]:
    async with records(place) as connection:
        rows = await connection.fetch(
            "select signer_name, strokes, signature from waivers.signed where session_id = $1", session
        )
    return [
        Stored(row["signer_name"], json.loads(row["strokes"] or "null"), _picture(row["signature"])) for row in rows
    ]


def _picture(data_url: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data_url.removeprefix("data:image/png;base64,"))))


def pad(page: Stage) -> Locator:
    return page.get_by_role("img", name=re.compile("^Signature pad"))


async def spot(page: Stage, across: float, down: float) -> Dot:
    """A place on the pad, as parts of its width and height."""
    box = await pad(page).bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


async def draw_with_mouse(page: Stage, spots: Sequence[Dot]) -> None:
    await pad(page).scroll_into_view_if_needed()
    dots = [await spot(page, *one) for one in spots]
    mouse = page.mouse if isinstance(page, Page) else page.page.mouse
    await mouse.move(*dots[0])
    await mouse.down()
    for dot in dots[1:]:
        await mouse.move(*dot)
    await mouse.up()


class Finger:
    """Touches as the screen of a phone reports them."""

    def __init__(self, page: Page, wire: CDPSession) -> None:
        self._page, self._wire = page, wire

    async def draw(self, spots: Sequence[Dot]) -> None:
        await self.press(spots)
        await self.lift()

    async def press(self, spots: Sequence[Dot]) -> None:
        for number, one in enumerate(spots):
            x, y = await spot(self._page, *one)
            await self._touch("touchMove" if number else "touchStart", [{"x": x, "y": y}])

    async def lift(self) -> None:
        await self._touch("touchEnd", [])

    async def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        await self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def finger(page: Page) -> Finger:
    await pad(page).scroll_into_view_if_needed()
    return Finger(page, await page.context.new_cdp_session(page))


def wave(left: float, right: float) -> list[Dot]:
    """Up and down between two places, as no slip of a hand does."""
    return [(left + (right - left) * step / 12, 0.35 if step % 2 else 0.65) for step in range(13)]


async def fill_in(page: Stage, name: str = "Gil Okafor") -> None:
    await page.get_by_label("Your Name").fill(name)
    await page.get_by_label("Your Email").fill("gil@example.com")
    await page.get_by_role("checkbox").check()


async def press_sign(page: Stage) -> None:
    await page.get_by_role("button", name="Sign Waiver").click()


async def see_it_stored(page: Stage) -> None:
    """Looked for in every frame: the page leaves by itself soon after, unless somebody wants something of it."""
    await page.wait_for_function("() => document.querySelector('h1')?.textContent === 'Waiver signed'")
