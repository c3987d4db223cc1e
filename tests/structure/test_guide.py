"""The operations guide contains the advice that the product's pages promise."""

from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "operations.md"


@pytest.mark.accept("HOME-15")
def test_the_guide_recommends_an_encrypted_volume() -> None:
    """Cairn does not encrypt rows in PostgreSQL, so the volume must be encrypted."""
    assert "Keep the volume of the database and of the data folder encrypted" in GUIDE.read_text("utf-8")
