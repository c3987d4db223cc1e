from pathlib import Path

import pytest

from cairn.admin.context import AdminContext
from cairn.db import Database
from cairn.settings import load_settings


@pytest.fixture
def context(database: Database, tmp_path: Path) -> AdminContext:
    return AdminContext(load_settings(data=tmp_path / "data"), database)
