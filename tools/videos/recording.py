"""Shows a lesson in a browser, with a pointer and captions, and records it as a WebM video.

The browser delivers a picture whenever something on the page changes. FFmpeg makes a video of them.
"""

import asyncio
import base64
import io
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Locator, Page, ViewportSize

from cairn.kit import frozen_dataclass

SIZE = ViewportSize(width=1024, height=640)
_FRAMES_PER_SECOND = 12
# The last picture stays for a moment, so that a viewer can look at the result.
_LAST_PICTURE_SECONDS = 2.0
_SECONDS_PER_WORD, _MIN_READING_SECONDS = 0.33, 1.6
_KEY_DELAY_MILLISECONDS = 45
_POINTER_STEPS, _POINTER_STEP_SECONDS = 18, 0.02

# Headless browsers draw no pointer. React does not own the root element, so adding a child to it disturbs nothing.
_POINTER_SCRIPT = """
(() => {
  const pointer = document.createElement("div");
  pointer.setAttribute("aria-hidden", "true");
  pointer.style.cssText =
    "position:fixed;left:0;top:0;width:22px;height:22px;margin:-11px 0 0 -11px;border-radius:50%;z-index:2147483647;" +
    "pointer-events:none;background:rgb(217 119 6 / .35);border:2px solid rgb(217 119 6);display:none;" +
    "transition:scale .12s";
  const show = (event) => {
    if (!pointer.isConnected) document.documentElement.append(pointer);
    pointer.style.display = "block";
    pointer.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  };
  addEventListener("mousemove", show, true);
  addEventListener("mousedown", () => (pointer.style.scale = ".6"), true);
  addEventListener("mouseup", () => (pointer.style.scale = "1"), true);
})();
"""


@frozen_dataclass
class Caption:
    start: float
    end: float
    text: str


@frozen_dataclass
class Picture:
    time: float
    content: bytes


class Recording:
    """What a lesson does, at the speed at which a viewer can follow. A fast recording has no pauses and no pictures."""

    def __init__(self, page: Page, *, is_fast: bool = False) -> None:
        self.page = page
        self.captions: list[Caption] = []
        self.pictures: list[Picture] = []
        self._is_fast = is_fast
        self._started_at = time.time()

    async def say(self, text: str) -> None:
        """Shows a caption and waits until it has been read. It stays a little longer, while the lesson goes on."""
        started_at = self._now()
        if self.captions and self.captions[-1].end > started_at:
            last = self.captions[-1]
            self.captions[-1] = Caption(last.start, started_at, last.text)
        reading_seconds = max(_MIN_READING_SECONDS, len(text.split()) * _SECONDS_PER_WORD)
        self.captions.append(Caption(started_at, started_at + reading_seconds + 3, text))
        await self.pause(reading_seconds)

    async def click(self, target: Locator) -> None:
        await self._point_at(target)
        await target.click()
        await self.pause(0.5)

    async def write(self, target: Locator, text: str) -> None:
        await self.click(target)
        await target.press_sequentially(text, delay=0 if self._is_fast else _KEY_DELAY_MILLISECONDS)
        await self.pause(0.3)

    async def scroll_to(self, target: Locator) -> None:
        behavior = "instant" if self._is_fast else "smooth"
        await target.evaluate("(element, behavior) => element.scrollIntoView({ behavior, block: 'center' })", behavior)
        await self.pause(0.8)

    async def pause(self, seconds: float) -> None:
        if not self._is_fast:
            await asyncio.sleep(seconds)

    async def start(self) -> None:
        self._started_at = time.time()
        if self._is_fast:
            return
        session = await self.page.context.new_cdp_session(self.page)
        acknowledgements: set[asyncio.Task[Any]] = set()

        def keep(event: dict[str, Any]) -> None:
            shown_at = event["metadata"]["timestamp"] - self._started_at
            self.pictures.append(Picture(max(0.0, shown_at), base64.b64decode(event["data"])))
            # Without an acknowledgement, the browser sends no further picture.
            acknowledgement = asyncio.ensure_future(
                session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
            )
            acknowledgements.add(acknowledgement)
            acknowledgement.add_done_callback(acknowledgements.discard)

        session.on("Page.screencastFrame", keep)
        await session.send("Page.startScreencast", {"format": "png", "maxWidth": SIZE["width"]})

    async def finish(self, file: Path) -> None:
        """Writes the video, and beside it its captions and the picture that is shown before it is played."""
        await self.pause(_LAST_PICTURE_SECONDS)
        end = self._now()
        *captions, last = self.captions
        captions.append(Caption(last.start, min(last.end, end), last.text))
        file.with_suffix(".vtt").write_text(web_captions(captions), "utf-8")
        Image.open(io.BytesIO(self.pictures[-1].content)).convert("RGB").save(file.with_suffix(".avif"), quality=62)
        await asyncio.to_thread(_encode, self.pictures, end, file)

    def _now(self) -> float:
        return time.time() - self._started_at

    async def _point_at(self, target: Locator) -> None:
        await target.scroll_into_view_if_needed()
        box = await target.bounding_box()
        if box is None or self._is_fast:
            return
        x, y = box["x"] + min(box["width"] / 2, 120), box["y"] + box["height"] / 2
        left, top = await self.page.evaluate("() => window.lastPointer ?? [innerWidth / 2, innerHeight / 2]")
        for step in range(1, _POINTER_STEPS + 1):
            share = step / _POINTER_STEPS
            await self.page.mouse.move(left + (x - left) * share, top + (y - top) * share)
            await asyncio.sleep(_POINTER_STEP_SECONDS)
        await self.page.evaluate("point => { window.lastPointer = point }", [x, y])


@asynccontextmanager
async def recorded_page(browser: Browser, url: str, *, is_fast: bool = False) -> AsyncIterator[Recording]:
    context = await browser.new_context(
        base_url=url, viewport=SIZE, color_scheme="light", service_workers="block", accept_downloads=True
    )
    await context.add_init_script(_POINTER_SCRIPT)
    try:
        yield Recording(await context.new_page(), is_fast=is_fast)
    finally:
        await context.close()


def web_captions(captions: list[Caption]) -> str:
    lines = (f"{_timestamp(caption.start)} --> {_timestamp(caption.end)}\n{caption.text}\n" for caption in captions)
    return "WEBVTT\n\n" + "\n".join(lines)


def _timestamp(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes):02}:{rest:06.3f}"


def _encode(pictures: list[Picture], end: float, file: Path) -> None:
    folder = file.with_suffix(".pictures")
    folder.mkdir()
    entries = []
    for number, (picture, following) in enumerate(zip(pictures, [*pictures[1:], Picture(end, b"")], strict=True)):
        (folder / f"{number:05}.png").write_bytes(picture.content)
        # The first picture is shown from the beginning.
        duration = max(0.001, following.time - (picture.time if number else 0))
        entries.append(f"file '{number:05}.png'\nduration {duration:.3f}")
    # FFmpeg ignores the duration of the last entry unless the picture is listed again.
    entries.append(f"file '{len(pictures) - 1:05}.png'")
    (folder / "list.txt").write_text("ffconcat version 1.0\n" + "\n".join(entries), "utf-8")
    quality = ["-crf", "40", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1", "-g", "120"]
    subprocess.run(
        ["ffmpeg", "-y", "-loglevel", "error", "-f", "concat", "-i", str(folder / "list.txt"), "-fps_mode", "cfr",
         "-r", str(_FRAMES_PER_SECOND), "-c:v", "libvpx-vp9", *quality, "-pix_fmt", "yuv420p", "-an", str(file)],
        check=True,
    )  # fmt: skip
