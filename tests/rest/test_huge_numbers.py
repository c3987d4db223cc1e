"""13A1 in docs/security.md: a short request must not make PostgreSQL write a number with 100,000 digits.

18A3: looking for such numbers takes little time.
"""

import json

import pytest

from cairn.rest.huge_numbers import _PIECE_BYTES, has_huge_number
from tests.abuse.test_slow_parsing import count_steps, least_seconds
from tests.rest.conftest import Client


@pytest.mark.parametrize(
    "body",
    [
        b"[1e131071]",
        b'{"strokes": [1E+1000]}',
        b'{"a": "\\"", "b": 1.5e-16383}',
        b'{"a": "\\\\", "b": 1e500}',
        b'{"a": "\\\\\\"", "b": 1e500, "c": "d"}',
        b"1.e999",
    ],
)
def test_13a1_a_number_with_a_huge_exponent_is_found(body: bytes) -> None:
    assert has_huge_number(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[1, 2.5, 1e12, 1E-99]",
        b'{"signature": "data:image/png;base64,AA1e1234"}',
        b'{"a": "say \\"1e1000\\" twice", "b": 1}',
        b'{"a": "\\\\", "b": "1e1000"}',
    ],
)
def test_13a1_texts_and_ordinary_numbers_are_accepted(body: bytes) -> None:
    assert not has_huge_number(body)


@pytest.mark.parametrize("backslashes", range(5))
@pytest.mark.parametrize("shift", range(-6, 3))
def test_18a3_a_text_with_backslashes_at_the_end_of_a_piece_is_read_correctly(backslashes: int, shift: int) -> None:
    text = "x" * (_PIECE_BYTES + shift - 7) + "\\" * backslashes + '" 1e1000'

    assert not has_huge_number(json.dumps({"a": text}).encode())
    assert has_huge_number(json.dumps({"a": text, "b": 0}).encode().replace(b"0}", b"1e1000}"))


@pytest.mark.timing
def test_18a3_a_body_of_backslashes_takes_little_time() -> None:
    """Before this fix, they were counted one by one, which took as long as 100 of these loops."""
    body = bytearray(b"\\" * 2_000_000)

    assert least_seconds(lambda: assert_no_huge_number(body)) < 20 * least_seconds(count_steps)


def assert_no_huge_number(body: bytearray) -> None:
    assert not has_huge_number(body)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_18a3_the_body_of_a_request_that_needs_none_is_not_read(atlas: Client, method: str) -> None:
    response = await atlas.request(method, "/rivers?id=eq.1&select=id", content=b"[1e1000]")

    assert response.status_code == 200, response.text
