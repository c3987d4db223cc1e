"""The preview of a list shows each recipient as the database stores it, and marks addresses that the server refuses.

`web/app/features/sending/list/stored-recipient.test.ts` checks the same examples in the browser.
"""

import json
from pathlib import Path

import pytest

from cairn.db import Connection
from cairn.kit import valid_address

_EXAMPLES = json.loads(Path(__file__).with_name("recipients.json").read_text())


@pytest.mark.accept("APP-40")
async def test_the_database_stores_names_as_the_preview_shows_them(admin: Connection) -> None:
    for typed, shown in _EXAMPLES["names"]:
        assert await admin.fetchval("select cairn.clean_line($1)", shown) == shown, f"the preview of {typed!r}"


@pytest.mark.accept("APP-40")
async def test_the_database_stores_addresses_as_the_preview_shows_them(admin: Connection) -> None:
    for typed, shown in _EXAMPLES["addresses"]:
        assert await admin.fetchval("select cairn.clean_address($1)", typed) == shown
        assert await admin.fetchval("select cairn.is_one_address($1)", shown)
        assert valid_address(shown) == shown


@pytest.mark.accept("APP-40")
@pytest.mark.parametrize("address", _EXAMPLES["refused_addresses"])
def test_the_server_refuses_the_addresses_that_the_preview_marks(address: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        valid_address(address)
