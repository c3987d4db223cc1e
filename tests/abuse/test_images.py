"""M7: a network that requests many expensive images gets refusals, and delays neither other images nor signatures.

M7 is a finding in docs/security.md.
"""

import asyncio
import io
import time
from collections import Counter

import httpx
import pytest
from PIL import Image

from tests.abuse.honest import ATTACKER_ADDRESS, HONEST_ADDRESS, client_from, honest_visits
from tests.abuse.memory import memory_stays_within
from tests.serving import RunningServer

pytestmark = [pytest.mark.timing, pytest.mark.xdist_group("server under abuse")]

ATTACK_COUNT = 40
MAX_HONEST_IMAGE_SECONDS = 12.0


@pytest.fixture(scope="module", autouse=True)
def _album(server: RunningServer) -> None:
    headers = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    with httpx.Client(base_url=f"{server.url}/storage/v1", headers=headers, timeout=30) as client:
        client.post("/bucket", json={"name": "album", "public": True}).raise_for_status()
        for name, size in (("large", (5000, 5000)), ("small", (300, 200))):
            picture, content_type = noise(*size), {"Content-Type": "image/jpeg"}
            client.post(f"/object/album/{name}.jpg", content=picture, headers=content_type).raise_for_status()


def noise(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((width, height), 60).save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.mark.accept("SAFE-12")
async def test_m7_expensive_images_of_one_network_do_not_delay_those_of_another(server: RunningServer) -> None:
    url = "/storage/v1/render/image/public/album/large.jpg?format=avif&quality=100"
    async with (
        client_from(server, ATTACKER_ADDRESS) as attacker,
        client_from(server, HONEST_ADDRESS) as honest,
        honest_visits(server, at_least=3),
    ):
        with memory_stays_within(server, times=2):
            attacks = [asyncio.create_task(attacker.get(url)) for _ in range(ATTACK_COUNT)]
            await asyncio.sleep(1)
            started_at = time.monotonic()
            image = await honest.get("/storage/v1/render/image/public/album/small.jpg?width=100&format=avif")
            seconds = time.monotonic() - started_at
            finished = [attack.result() for attack in attacks if attack.done()]
            for attack in attacks:
                attack.cancel()
            await asyncio.gather(*attacks, return_exceptions=True)

    assert (image.status_code, image.headers["content-type"]) == (200, "image/avif")
    assert seconds < MAX_HONEST_IMAGE_SECONDS
    refused = [response for response in finished if response.status_code == 503]
    assert len(refused) >= ATTACK_COUNT // 2, Counter(response.status_code for response in finished)
    assert {response.json()["code"] for response in refused} == {"too_busy"}
    assert all(int(response.headers["retry-after"]) >= 1 for response in refused)
