"""13A1 in docs/security.md: a short request must not make PostgreSQL write a number with 100,000 digits."""

import pytest

from cairn.rest.huge_numbers import has_huge_number


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
