import json
import re

import pytest

from tests.structure.tree import ROOT, files, name, text

LONGEST = 400
# Split, so that this file does not match itself.
TRACES = {
    "a path of one machine": re.compile(r"(?<![\w.~$}])/(?:home|Users|root|work|opt)" + r"/[\w.-]+"),
    "the address of a package registry": re.compile(r"registry\." + r"npmjs|pypi\." + r"org|files\.python" + r"hosted"),
}


def test_no_python_file_is_too_long() -> None:
    lengths = {name(path): len(text(path).splitlines()) for path in files("*.py")}

    assert {file: lines for file, lines in lengths.items() if lines > LONGEST} == {}


@pytest.mark.parametrize("trace", TRACES)
def test_no_file_contains_a_machine_path_or_registry_host(trace: str) -> None:
    found = {name(path): match[0] for path in files() if (match := TRACES[trace].search(text(path)))}

    assert found == {}


def test_python_locks_hold_hashes_and_no_addresses() -> None:
    locks = {name(path): text(path) for path in files("requirements/*.txt")}

    assert set(locks) == {"requirements/dev.txt", "requirements/run.txt"}
    assert [lock for lock, lines in locks.items() if "://" in lines or "--hash=sha256:" not in lines] == []


def test_the_browser_lock_holds_hashes_and_no_addresses() -> None:
    packages = json.loads(text(ROOT / "web" / "package-lock.json"))["packages"]
    installed = {path: package for path, package in packages.items() if path.startswith("node_modules/")}

    assert len(installed) > 0
    assert [path for path, package in installed.items() if "resolved" in package] == []
    assert [path for path, package in installed.items() if not package["integrity"].startswith("sha512-")] == []
