from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "operations.md"


@pytest.mark.accept("HOME-15")
def test_the_guide_asks_for_an_encrypted_volume() -> None:
    """What Cairn itself does not encrypt, rows in PostgreSQL, is the volume's to protect."""
    assert "Keep the volume of the database and of the data folder encrypted" in GUIDE.read_text("utf-8")
