"""The lessons of the tutorial videos fit the product, and the page plays the recorded videos."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment
from tools.videos.__main__ import MAX_BYTES, VIDEOS
from tools.videos.lessons import LESSONS, open_scene
from tools.videos.recording import recorded_page

MIN_SECONDS, MAX_SECONDS = 10, 90


@pytest.mark.accept("SHELL-04")
@pytest.mark.parametrize("name", LESSONS)
async def test_each_lesson_can_be_recorded(deployment: Deployment, browser: Browser, name: str) -> None:
    async with (
        recorded_page(browser, deployment.url, is_fast=True) as recording,
        open_scene(deployment, recording) as scene,
    ):
        await LESSONS[name](scene)

    lines = (VIDEOS / f"{name}.vtt").read_text("utf-8").split("\n")
    assert [caption.text for caption in recording.captions] == _caption_texts(lines)


def _caption_texts(lines: list[str]) -> list[str]:
    return [line for line in lines if line and "-->" not in line and line != "WEBVTT"]


@pytest.mark.accept("SHELL-04")
async def test_the_page_plays_a_video_with_captions_beside_each_lesson(company: Company, desktop: Page) -> None:
    await open_signed_in(desktop, company, "/dashboard/help/tutorials")
    videos = desktop.locator("video")
    await expect(videos).to_have_count(len(LESSONS))

    for number, name in enumerate(LESSONS):
        video = videos.nth(number)
        await video.scroll_into_view_if_needed()
        seconds, is_playing, caption_count = await video.evaluate(
            """async (video) => {
                 const track = video.textTracks[0];
                 track.mode = "showing";
                 await video.play();
                 await new Promise((resolve) => (track.cues?.length ? resolve() : setTimeout(resolve, 2000)));
                 return [video.duration, !video.paused, track.cues.length];
               }"""
        )
        assert MIN_SECONDS < seconds < MAX_SECONDS
        assert is_playing
        assert caption_count > 3, f"the video {name} has captions"
        assert (VIDEOS / f"{name}.webm").stat().st_size < MAX_BYTES
