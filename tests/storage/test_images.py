"""Pictures in another size."""

import io

import pytest
from PIL import Image

from tests.storage.client import StorageClient, error_of


def picture(width: int = 400, height: int = 200, form: str = "PNG") -> bytes:
    saved = io.BytesIO()
    Image.effect_noise((width, height), 60).save(saved, form)
    return saved.getvalue()


@pytest.fixture
async def album(storage: StorageClient) -> str:
    await storage.ok("POST", "/bucket", json={"name": "album", "public": True})
    for form in ("PNG", "JPEG"):
        await storage.put(f"album/raft.{form.lower()}", picture(form=form), content_type=f"image/{form.lower()}")
    return "album"


@pytest.mark.parametrize(
    ("asked", "size", "said"),
    [
        ("width=200&height=200&quality=60", (200, 200), "height:200,width:200,resizing_type:fill,quality:60"),
        ("width=200&height=200&resize=contain", (200, 100), "height:200,width:200,resizing_type:fit"),
        ("width=50&height=300&resize=fill", (50, 300), "height:300,width:50,resizing_type:force"),
        ("width=100", (100, 50), "width:100,resizing_type:fill"),
        ("height=50", (100, 50), "height:50,resizing_type:fill"),
        ("quality=20", (400, 200), "quality:20"),
    ],
)
async def test_a_picture_comes_in_the_size_that_was_asked_for(
    storage: StorageClient, album: str, asked: str, size: tuple[int, int], said: str
) -> None:
    response = await storage.request("GET", f"/render/image/public/{album}/raft.png?{asked}", who=None)

    assert Image.open(io.BytesIO(response.content)).size == size
    assert response.headers["x-transformations"] == said
    assert response.headers["content-type"] == "image/png"


@pytest.mark.parametrize(
    ("asked", "accept", "kind"),
    [
        ("", "image/webp,*/*", "image/webp"),
        ("&format=origin", "image/webp,*/*", "image/jpeg"),
        ("&format=avif", "*/*", "image/avif"),
        ("", "*/*", "image/jpeg"),
    ],
)
async def test_a_picture_comes_in_the_format_the_browser_likes(
    storage: StorageClient, album: str, asked: str, accept: str, kind: str
) -> None:
    response = await storage.request(
        "GET", f"/render/image/public/{album}/raft.jpeg?width=40{asked}", who=None, headers={"Accept": accept}
    )

    assert response.headers["content-type"] == kind
    assert Image.MIME[str(Image.open(io.BytesIO(response.content)).format)] == kind


async def test_less_quality_is_fewer_bytes(storage: StorageClient, album: str) -> None:
    sizes = [
        len((await storage.request("GET", f"/render/image/authenticated/{album}/raft.jpeg?quality={quality}")).content)
        for quality in (20, 95)
    ]

    assert sizes[0] < sizes[1]


async def test_a_signed_picture_has_the_size_that_was_signed(storage: StorageClient, album: str) -> None:
    signed = await storage.ok(
        "POST", f"/object/sign/{album}/raft.png", json={"expiresIn": 60, "transform": {"width": 40}}
    )

    response = await storage.request("GET", signed["signedURL"] + "&width=2000", who=None)

    assert signed["signedURL"].startswith("/render/image/sign/")
    assert Image.open(io.BytesIO(response.content)).size == (40, 20)


@pytest.mark.parametrize("asked", ["width=0", "width=2501", "quality=10", "resize=stretch", "width=wide"])
async def test_a_size_that_makes_no_sense_is_refused(storage: StorageClient, album: str, asked: str) -> None:
    response = await storage.request("GET", f"/render/image/public/{album}/raft.png?{asked}", who=None)

    assert error_of(response) == ("400", "InvalidRequest")


async def test_what_is_no_picture_is_not_rendered(storage: StorageClient, album: str) -> None:
    await storage.put(f"{album}/words.png", b"not a picture", content_type="image/png")
    await storage.put(f"{album}/cut.png", picture()[:500], content_type="image/png")

    for name in ("words.png", "cut.png"):
        response = await storage.request("GET", f"/render/image/public/{album}/{name}?width=9", who=None)
        assert error_of(response)[0] == "422"
