"""Records all tutorial videos, or only the given lessons, for example `python -m tools.videos send proof`.

Each video (.webm) is stored in web/app/videos, with its captions (.vtt) and the picture that is shown before it plays
(.avif). FFmpeg is needed.
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from tests.e2e.conftest import CHROMIUM_FLAGS, Deployment
from tests.mail_server import running_mail_server
from tests.serving import serving_in_thread, smtp_environment
from tools.videos.lessons import LESSONS, open_scene
from tools.videos.recording import recorded_page

ROOT = Path(__file__).parents[2]
VIDEOS = ROOT / "web" / "app" / "videos"
MAX_BYTES = 2_000_000


async def record(names: list[str], chromium: str, data: Path, folder: Path) -> None:
    async with (
        running_mail_server() as mail_server,
        serving_in_thread(data, settings=smtp_environment(mail_server.settings)) as server,
        async_playwright() as playwright,
    ):
        deployment = Deployment(server, mail_server)
        browser = await playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        for name in names:
            async with recorded_page(browser, server.url) as recording, open_scene(deployment, recording) as scene:
                await recording.start()
                await LESSONS[name](scene)
                await recording.finish(folder / f"{name}.webm")
            print(f"{name}: {(folder / f'{name}.webm').stat().st_size / 1000:.0f} kB", flush=True)
        await browser.close()


def main(names: list[str]) -> None:
    if shutil.which("ffmpeg") is None:
        raise SystemExit("error: recording the videos needs FFmpeg. On Debian and Ubuntu: apt-get install ffmpeg")
    if unknown_names := set(names) - LESSONS.keys():
        raise SystemExit(
            f"error: no such lesson: {', '.join(sorted(unknown_names))}. The lessons are: {', '.join(LESSONS)}."
        )
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "data").mkdir()
        asyncio.run(record(names or list(LESSONS), chromium.stdout.strip(), folder / "data", folder))
        VIDEOS.mkdir(exist_ok=True)
        for video in sorted(folder.glob("*.webm")):
            if video.stat().st_size > MAX_BYTES:
                raise SystemExit(f"error: the video {video.stem} is larger than {MAX_BYTES // 1_000_000} MB")
            for file in (video, video.with_suffix(".vtt"), video.with_suffix(".avif")):
                shutil.copyfile(file, VIDEOS / file.name)


if __name__ == "__main__":
    main(sys.argv[1:])
