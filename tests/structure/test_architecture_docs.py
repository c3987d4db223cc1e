"""The lists of docs/architecture.md are generated; these tests fail when they are stale."""

import re

import pytest

from tests.structure.tree import text
from tools import architecture
from tools.signature_path import signature_path

FILE = re.compile(r"^- \[[^]]+\]\(\.\./(?P<file>[^)]+)\)", re.MULTILINE)


@pytest.mark.parametrize("name", architecture.LISTS)
def test_a_list_is_up_to_date(name: str) -> None:
    assert written(name) == architecture.LISTS[name](), "run `make docs`"


async def test_the_path_of_a_signature_is_up_to_date() -> None:
    """The order of two files may differ from run to run where tasks run concurrently, so the files are compared."""
    documented = re.split(r"^\*\*\d+\. ", written("signature"), flags=re.MULTILINE)[1:]
    recorded = await signature_path()

    assert [step.partition("**")[0] for step in documented] == [step.title for step in recorded], "run `make docs`"
    for step, expected in zip(documented, recorded, strict=True):
        assert sorted(FILE.findall(step)) == sorted(expected.files), f"{expected.title}: run `make docs`"


def test_a_missing_marker_is_reported() -> None:
    with pytest.raises(SystemExit, match="no marker <!-- generated: packages -->"):
        architecture.with_lists("# Architecture", {"packages": ""})


def written(name: str) -> str:
    _, _, rest = text(architecture.DOCS).partition(f"<!-- generated: {name} -->\n")
    content, end, _ = rest.partition(f"\n<!-- end: {name} -->")
    assert end, f"docs/architecture.md has no generated list of {name}"
    return content
