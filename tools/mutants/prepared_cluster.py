"""A pytest plugin that starts the tests with a copy of a prepared database cluster, because creating one takes seconds.

The `cluster` fixture then applies only the functions, views, triggers and policies that the fault has changed, as a new
version of the product does. It cannot be used for faults in `cairn/db`, which creates clusters.
"""

import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

PREPARED_CLUSTER_VARIABLE = "MUTANT_PREPARED_CLUSTER"


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: "pytest.FixtureDef[Any]") -> Generator[None, object, object]:
    if fixturedef.argname != "cluster":
        return (yield)
    from cairn.db import EmbeddedPostgres  # noqa: PLC0415 - pytest must be able to rewrite the tests of this module first

    def copy_prepared_cluster(self: EmbeddedPostgres) -> None:
        shutil.copytree(Path(os.environ[PREPARED_CLUSTER_VARIABLE]), self.cluster_folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EmbeddedPostgres, "_create_cluster", copy_prepared_cluster)
        return (yield)
