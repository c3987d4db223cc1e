"""Browsers request videos in parts, with the header Range."""

import pytest
from starlette.requests import Request

from cairn.pages import image_page

VIDEO = bytes(range(100))
PAGE = image_page(VIDEO, "video/webm")
TAG = PAGE.headers["ETag"]


def request(**headers: str) -> Request:
    names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/video.webm", "headers": names})


def test_the_whole_file_says_that_it_can_be_read_in_parts() -> None:
    response = PAGE.response(request())

    assert (response.status_code, response.body, response.headers["accept-ranges"]) == (200, VIDEO, "bytes")


@pytest.mark.parametrize(
    ("header", "part", "content_range"),
    [
        ("bytes=0-", VIDEO, "bytes 0-99/100"),
        ("bytes=0-1", VIDEO[:2], "bytes 0-1/100"),
        ("bytes=90-200", VIDEO[90:], "bytes 90-99/100"),
        ("bytes=-5", VIDEO[-5:], "bytes 95-99/100"),
    ],
)
def test_a_part_is_sent(header: str, part: bytes, content_range: str) -> None:
    response = PAGE.response(request(range=header, if_range=TAG))

    assert (response.status_code, response.body) == (206, part)
    assert response.headers["content-range"] == content_range
    assert response.headers["content-length"] == str(len(part))


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=5-4", "bytes=0-1,3-4", "lines=1-2"])
def test_a_part_that_does_not_exist_is_refused(header: str) -> None:
    response = PAGE.response(request(range=header))

    assert (response.status_code, response.headers["content-range"]) == (416, "bytes */100")


def test_a_part_of_another_version_is_not_sent() -> None:
    response = PAGE.response(request(range="bytes=0-1", if_range='"another version"'))

    assert (response.status_code, response.body) == (200, VIDEO)
