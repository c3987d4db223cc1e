"""The wheel contains the built pages and the SQL files, and runs when it is installed."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cairn.db import schema_files
from cairn.db.errors import IncludedSqlDiffers
from cairn.db.schema_files import expand_directives
from tests.structure.tree import ROOT
from tools import try_wheel

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "cairn" / "web_build" / ".ready").exists():
        pytest.fail("the web app is not built; run `make web`")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [built_wheel] = folder.glob("*.whl")
    return built_wheel


@pytest.mark.slow
def test_the_wheel_contains_only_the_package_with_its_pages_and_migrations(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    assert {"cairn/web_build/app/index.html", "cairn/web_build/sign/index.html"} <= names
    assert {"cairn/waivers/migrations/0001_baseline.sql", "cairn/waivers/sql/sign.sql"} <= names
    assert {f"cairn/db/first_edition/{name}" for name in ("adopt.sql", "objects.txt", "migrations.sha256")} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"cairn"}


@pytest.mark.slow
def test_an_installed_wheel_serves_the_start_page(wheel: Path) -> None:
    try_wheel.main(wheel)


def test_the_product_runs_with_the_versions_with_which_it_is_tested() -> None:
    versions = {name: _locked_versions(name) for name in ("run", "dev")}

    assert versions["run"].items() <= versions["dev"].items()


def test_the_locked_packages_are_installed_without_looking_for_newer_ones() -> None:
    """pip 23 looks up the newest version of a package with extras, and fails if the lock file has another version."""
    paths = ("Makefile", "deploy/Dockerfile", "docs/deploy.md", "cairn/db/errors.py")
    lines = [line for path in paths for line in (ROOT / path).read_text("utf-8").splitlines()]
    installations = [line for line in lines if "--require-hashes" in line]

    assert len(installations) == len(paths)
    assert [line for line in installations if "--no-deps --require-hashes" not in line] == []


def _locked_versions(name: str) -> dict[str, str]:
    requirements = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", requirements, re.MULTILINE))


@pytest.mark.accept("OPS-56")
def test_the_schema_contains_the_sql_of_the_version_that_the_wheel_requires() -> None:
    required = re.findall(r'"procrastinate==([\d.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))

    assert required == [_locked_versions("run")["procrastinate"]]
    assert "create table procrastinate_jobs" in expand_directives("-- include procrastinate/sql/schema.sql").lower()


@pytest.mark.accept("OPS-56")
def test_another_version_of_included_sql_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(schema_files._INCLUDED_HASHES, "procrastinate/sql/schema.sql", "the hash of another version")

    with pytest.raises(IncludedSqlDiffers, match="procrastinate 3"):
        expand_directives("-- include procrastinate/sql/schema.sql")
