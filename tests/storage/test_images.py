"""Images are resized on request.

12A2, A12 and M7 are findings in docs/security.md.
"""

import asyncio
import io
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from PIL import EpsImagePlugin, Image, ImageColor

from cairn.db import Database, Principal
from cairn.storage import BlobStore, StorageSettings
from cairn.storage.errors import ImageNotReadable
from cairn.storage.transform import Transformation, transform
from tests.storage.client import StorageClient, error_of
from tests.storage.conftest import storage_client


def image_bytes(width: int = 400, height: int = 200, image_format: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((width, height), 60).save(buffer, image_format)
    return buffer.getvalue()


@pytest.fixture
async def album(storage: StorageClient) -> str:
    await storage.fetch("POST", "/bucket", json={"name": "album", "public": True})
    for image_format in ("PNG", "JPEG"):
        await storage.put(
            f"album/raft.{image_format.lower()}",
            image_bytes(image_format=image_format),
            content_type=f"image/{image_format.lower()}",
        )
    return "album"


@pytest.mark.parametrize(
    ("query", "size", "header"),
    [
        ("width=200&height=200&quality=60", (200, 200), "height:200,width:200,resizing_type:fill,quality:60"),
        ("width=200&height=200&resize=contain", (200, 100), "height:200,width:200,resizing_type:fit"),
        ("width=50&height=300&resize=fill", (50, 300), "height:300,width:50,resizing_type:force"),
        ("width=100", (100, 50), "width:100,resizing_type:fill"),
        ("height=50", (100, 50), "height:50,resizing_type:fill"),
        ("quality=20", (400, 200), "quality:20"),
        ("width=9&height=9&gravity=no", (9, 9), "height:9,width:9,resizing_type:fill,gravity:no"),
        ("gravity=so&x_offset=0.25&y_offset=0.75", (400, 200), "gravity:so:0.25:0.75"),
        ("gravity=ea&x_offset=12", (400, 200), "gravity:ea:12:0"),
        ("gravity=noea&x_offset=-12&y_offset=4", (400, 200), "gravity:noea:-12:4"),
        ("gravity=sm&x_offset=12", (400, 200), "gravity:sm"),
        ("gravity=fp&x_offset=0&y_offset=1", (400, 200), "gravity:fp:0:1"),
    ],
)
async def test_an_image_has_the_requested_size(
    storage: StorageClient, album: str, query: str, size: tuple[int, int], header: str
) -> None:
    response = await storage.request("GET", f"/render/image/public/{album}/raft.png?{query}", who=None)

    assert Image.open(io.BytesIO(response.content)).size == size
    assert response.headers["x-transformations"] == header
    assert response.headers["content-type"] == "image/png"


@pytest.mark.parametrize(
    ("query", "accept", "content_type"),
    [
        ("", "image/webp,*/*", "image/webp"),
        ("&format=origin", "image/webp,*/*", "image/jpeg"),
        ("&format=avif", "*/*", "image/avif"),
        ("&format=webp", "*/*", "image/webp"),
        ("", "*/*", "image/jpeg"),
    ],
)
async def test_an_image_has_the_format_that_the_browser_accepts(
    storage: StorageClient, album: str, query: str, accept: str, content_type: str
) -> None:
    response = await storage.request(
        "GET", f"/render/image/public/{album}/raft.jpeg?width=40{query}", who=None, headers={"Accept": accept}
    )

    assert response.headers["content-type"] == content_type
    assert Image.MIME[str(Image.open(io.BytesIO(response.content)).format)] == content_type


def quarters() -> bytes:
    """An image of 80 by 40 pixels that is red, green, blue and white from left to right."""
    image, buffer = Image.new("RGB", (80, 40)), io.BytesIO()
    for index, color in enumerate(("red", "lime", "blue", "white")):
        image.paste(color, (index * 20, 0, index * 20 + 20, 40))
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("gravity", "x_offset", "colors"),
    [
        (None, None, ["lime", "blue"]),
        ("ce", None, ["lime", "blue"]),
        ("sm", 10, ["lime", "blue"]),
        ("no", None, ["lime", "blue"]),
        ("we", None, ["red", "lime"]),
        ("nowe", 0.25, ["lime", "blue"]),
        ("we", 10, ["lime", "blue"]),
        ("ea", None, ["blue", "white"]),
        ("soea", 0.25, ["lime", "blue"]),
        ("ea", -500, ["blue", "white"]),
        ("ce", 0.25, ["blue", "white"]),
        ("fp", 0, ["red", "lime"]),
        ("fp", 0.5, ["lime", "blue"]),
        ("fp", 1, ["blue", "white"]),
    ],
)
def test_gravity_chooses_the_part_of_an_image_that_remains(
    gravity: Any, x_offset: float | None, colors: list[str]
) -> None:
    """The result is a square, so that half of the width remains, and shows two of the four colors."""
    transformation = Transformation(
        width=20, height=20, gravity=gravity, x_offset=x_offset, y_offset=0 if gravity == "fp" else None
    )

    rendered, _ = transform(quarters(), transformation, accepts_webp=False)

    image = Image.open(io.BytesIO(rendered)).convert("RGB")
    assert [image.getpixel((x, 10)) for x in (4, 15)] == [ImageColor.getrgb(color) for color in colors]


def test_gravity_also_chooses_the_part_of_a_high_image() -> None:
    high = io.BytesIO()
    Image.open(io.BytesIO(quarters())).rotate(-90, expand=True).save(high, "PNG")
    colors: dict[str, list[Any]] = {}
    for gravity in ("nowe", "soea"):
        rendered, _ = transform(
            high.getvalue(), Transformation.model_validate({"width": 20, "height": 20, "gravity": gravity}), False
        )
        image = Image.open(io.BytesIO(rendered)).convert("RGB")
        colors[gravity] = [image.getpixel((10, y)) for y in (4, 15)]

    assert colors["nowe"] == [ImageColor.getrgb("red"), ImageColor.getrgb("lime")]
    assert colors["soea"] == [ImageColor.getrgb("blue"), ImageColor.getrgb("white")]


async def test_lower_quality_gives_a_smaller_file(storage: StorageClient, album: str) -> None:
    byte_counts = [
        len((await storage.request("GET", f"/render/image/authenticated/{album}/raft.jpeg?quality={quality}")).content)
        for quality in (20, 95)
    ]

    assert byte_counts[0] < byte_counts[1]


async def test_a_signed_image_url_fixes_the_size(storage: StorageClient, album: str) -> None:
    sign_result = await storage.fetch(
        "POST", f"/object/sign/{album}/raft.png", json={"expiresIn": 60, "transform": {"width": 40}}
    )

    response = await storage.request("GET", sign_result["signedURL"] + "&width=2000", who=None)

    assert sign_result["signedURL"].startswith("/render/image/sign/")
    assert Image.open(io.BytesIO(response.content)).size == (40, 20)


async def test_a_signed_image_url_fixes_the_part_of_the_image(storage: StorageClient, album: str) -> None:
    transform = {"width": 1, "height": 1, "gravity": "fp", "x_offset": 0, "y_offset": 1}
    sign_result = await storage.fetch(
        "POST", f"/object/sign/{album}/raft.png", json={"expiresIn": 60, "transform": transform}
    )

    response = await storage.request("GET", sign_result["signedURL"] + "&gravity=ea", who=None)

    assert response.headers["x-transformations"] == "height:1,width:1,resizing_type:fill,gravity:fp:0:1"


@pytest.mark.parametrize(
    "query", ["gravity=fp", "gravity=fp&x_offset=0.5", "gravity=fp&x_offset=-0.1&y_offset=0", "gravity=fp&y_offset=1.1"]
)
async def test_a_focal_point_must_be_in_the_image(storage: StorageClient, album: str, query: str) -> None:
    response = await storage.request("GET", f"/render/image/public/{album}/raft.png?{query}", who=None)

    assert error_of(response) == ("400", "InvalidRequest")
    assert response.json()["message"] == "Focal point requires x and y coordinates within 0-1 range"


@pytest.mark.parametrize(
    "query",
    ["width=0", "width=2501", "quality=10", "resize=stretch", "width=wide", "gravity=up", "gravity=no&x_offset=inf"],
)
async def test_an_invalid_transformation_is_rejected(storage: StorageClient, album: str, query: str) -> None:
    response = await storage.request("GET", f"/render/image/public/{album}/raft.png?{query}", who=None)

    assert error_of(response) == ("400", "InvalidRequest")


async def test_a_file_that_is_not_an_image_is_not_rendered(storage: StorageClient, album: str) -> None:
    await storage.put(f"{album}/text.png", b"not an image", content_type="image/png")
    await storage.put(f"{album}/cut.png", image_bytes()[:500], content_type="image/png")

    for name in ("text.png", "cut.png"):
        response = await storage.request("GET", f"/render/image/public/{album}/{name}?width=9", who=None)
        assert response.status_code == 400
        assert response.json() == {
            "statusCode": "400",
            "error": "InvalidRequest",
            "code": "InvalidRequest",
            "message": "The source image is invalid or unsupported for rendering",
        }


@pytest.mark.parametrize("image_format", ["EPS", "TIFF", "JPEG2000", "PPM", "SGI", "TGA", "ICNS", "PCX"])
def test_12a2_only_formats_that_browsers_show_are_read(image_format: str) -> None:
    """12A2: anyone could send a file to decoders that are hardly maintained, whatever its content type was."""
    with pytest.raises(ImageNotReadable):
        transform(_image_in(image_format), Transformation(width=8), accepts_webp=False)


def test_12a2_no_picture_starts_ghostscript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker, program = tmp_path / "was here", tmp_path / "gs"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    program.chmod(0o755)
    monkeypatch.setattr(EpsImagePlugin, "gs_binary", str(program))

    with pytest.raises(ImageNotReadable):
        transform(_image_in("EPS"), Transformation(width=8), accepts_webp=False)

    assert not marker.exists()


def _image_in(image_format: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(buffer, image_format)
    return buffer.getvalue()


async def test_no_side_of_a_rendered_image_is_longer_than_2500_pixels(storage: StorageClient, album: str) -> None:
    """M7: a narrow image of a few kilobytes would become one of billions of pixels."""
    await storage.put(f"{album}/narrow.png", image_bytes(10, 60_000), content_type="image/png")
    await storage.put(f"{album}/large.png", image_bytes(3000, 1500), content_type="image/png")

    narrow = await storage.request("GET", f"/render/image/public/{album}/narrow.png?width=2500", who=None)
    large = await storage.request("GET", f"/render/image/public/{album}/large.png?quality=80", who=None)

    assert Image.open(io.BytesIO(narrow.content)).size == (1, 2500)
    assert Image.open(io.BytesIO(large.content)).size == (2500, 1250)


async def test_an_image_with_too_many_pixels_is_refused(storage: StorageClient, album: str) -> None:
    await storage.put(f"{album}/too-many-pixels.png", _png_of_one_color(9000, 9000), content_type="image/png")

    refused = await storage.request("GET", f"/render/image/public/{album}/too-many-pixels.png?width=9", who=None)
    small = await storage.request("GET", f"/render/image/public/{album}/raft.png?width=9", who=None)

    assert error_of(refused)[0] == "422"
    assert small.status_code == 200


def _png_of_one_color(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height)).save(buffer, "PNG")
    return buffer.getvalue()


async def test_a12_the_networks_of_one_customer_wait_in_the_same_queue_for_images(
    database: Database,
    blob_store: BlobStore,
    settings: StorageSettings,
    principals: dict[str, Principal],
    album: str,
) -> None:
    """A12: a customer with a /48 network of IPv6 has 65,536 networks of size /64."""
    path = f"/render/image/public/{album}/raft.jpeg?width=10"
    async with AsyncExitStack() as clients:
        visitors = [
            await clients.enter_async_context(
                storage_client(database, blob_store, settings, principals, ip=f"2001:db8:7:{number:x}::1")
            )
            for number in range(60)
        ]
        responses = await asyncio.gather(*(visitor.request("GET", path, who=None) for visitor in visitors))

    statuses = [response.status_code for response in responses]
    assert set(statuses) == {200, 503}, "one image is rendered at a time, and 16 requests may wait"
