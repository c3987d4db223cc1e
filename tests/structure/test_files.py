"""No source file is too long, and no file contains an absolute path of one machine or the address of a registry."""

import json
import re

import pytest

from tests.structure.tree import ROOT, read_source, relative_name, source_files

MAX_LINES = 400
# The types of the database are generated. Migrations never change.
GENERATED_OR_OLD = re.compile(r"^web/app/lib/database\.ts$|/migrations/|/first_edition/")
# The patterns are split, so that this file does not match them itself.
FORBIDDEN_PATTERNS = {
    "a path of one machine": re.compile(r"(?<![\w.~$}])/(?:home|Users|root|work|opt)" + r"/[\w.-]+"),
    "the address of a package registry": re.compile(r"registry\." + r"npmjs|pypi\." + r"org|files\.python" + r"hosted"),
}


@pytest.mark.parametrize("pattern", ["*.py", "*.sql", "*.ts", "*.tsx", "*.css"])
def test_no_file_is_too_long(pattern: str) -> None:
    lengths = {
        relative_name(path): len(read_source(path).splitlines())
        for path in source_files(pattern)
        if not GENERATED_OR_OLD.search(relative_name(path))
    }

    assert lengths
    assert {file: lines for file, lines in lengths.items() if lines > MAX_LINES} == {}


@pytest.mark.parametrize("kind", FORBIDDEN_PATTERNS)
def test_no_file_contains_a_machine_path_or_registry_host(kind: str) -> None:
    matches = {
        relative_name(path): match[0]
        for path in source_files()
        if (match := FORBIDDEN_PATTERNS[kind].search(read_source(path)))
    }

    assert matches == {}


def test_python_lock_files_have_hashes_and_no_addresses() -> None:
    lock_files = {relative_name(path): read_source(path) for path in source_files("requirements/*.txt")}

    assert set(lock_files) == {"requirements/dev.txt", "requirements/run.txt"}
    assert [file for file, content in lock_files.items() if "://" in content or "--hash=sha256:" not in content] == []


def test_the_browser_lock_file_has_hashes_and_no_addresses() -> None:
    packages = json.loads(read_source(ROOT / "web" / "package-lock.json"))["packages"]
    npm_packages = {path: package for path, package in packages.items() if path.startswith("node_modules/")}

    assert len(npm_packages) > 0
    assert [path for path, package in npm_packages.items() if "resolved" in package] == []
    assert [path for path, package in npm_packages.items() if not package["integrity"].startswith("sha512-")] == []
