import re

import pytest

from tests.house.tree import files, name, text

LONGEST = 400
# Written in pieces, so that this file does not find itself.
TRACES = {
    "a folder of one machine": re.compile(r"(?<![\w.~$}])/(?:home|Users|root|work|opt)" + r"/[\w.-]+"),
    "the address of a package registry": re.compile(r"registry\." + r"npmjs|pypi\." + r"org|files\.python" + r"hosted"),
}


def test_no_python_file_is_too_long() -> None:
    lengths = {name(path): len(text(path).splitlines()) for path in files("*.py")}

    assert {file: lines for file, lines in lengths.items() if lines > LONGEST} == {}


@pytest.mark.parametrize("trace", TRACES)
def test_no_file_tells_where_it_was_made(trace: str) -> None:
    found = {name(path): match[0] for path in files() if (match := TRACES[trace].search(text(path)))}

    assert found == {}


def test_lock_files_hold_hashes_and_no_addresses() -> None:
    locks = [*files("requirements/*.txt"), *files("*package-lock.json")]

    assert len(locks) >= 3
    assert [name(lock) for lock in locks if "://" in _without_project_pages(text(lock))] == []
    assert [name(lock) for lock in locks if "sha256:" not in text(lock) and "sha512-" not in text(lock)] == []


def _without_project_pages(lock: str) -> str:
    """npm copies each package's funding page into the lock; that is nowhere a package comes from."""
    return re.sub(r'"(?:url|funding)": "https?://[^"]+"', "", lock)
