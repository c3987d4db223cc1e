"""A pytest plugin that notes in a file that the tests could create their database.

A test that fails afterwards has caught a fault. Otherwise the fault may be that no database can be created.
"""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

DATABASE_CREATED_VARIABLE = "MUTANT_DATABASE_CREATED"


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: "pytest.FixtureDef[Any]") -> Generator[None, object, object]:
    value = yield
    if fixturedef.argname == "cluster":
        Path(os.environ[DATABASE_CREATED_VARIABLE]).touch()
    return value
