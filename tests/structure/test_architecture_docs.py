"""The generated lists in docs/architecture.md are up to date."""

import re

import pytest

from tests.structure.tree import read_source
from tools import architecture
from tools.signature_path import trace_signature

FILE_ENTRY = re.compile(r"^- \[[^]]+\]\(\.\./(?P<file>[^)]+)\)", re.MULTILINE)


@pytest.mark.parametrize("name", architecture.LISTS)
def test_a_list_is_up_to_date(name: str) -> None:
    assert documented_list(name) == architecture.LISTS[name](), "run `make docs`"


async def test_the_path_of_a_signature_is_up_to_date() -> None:
    """Compares sorted files, because tasks run concurrently and the order of their files can differ."""
    documented_steps = re.split(r"^\*\*\d+\. ", documented_list("signature"), flags=re.MULTILINE)[1:]
    recorded_steps = await trace_signature()

    assert [step.partition("**")[0] for step in documented_steps] == [step.title for step in recorded_steps], (
        "run `make docs`"
    )
    for step, expected in zip(documented_steps, recorded_steps, strict=True):
        assert sorted(FILE_ENTRY.findall(step)) == sorted(expected.files), f"{expected.title}: run `make docs`"


def test_a_missing_marker_is_reported() -> None:
    with pytest.raises(SystemExit, match="no marker <!-- generated: packages -->"):
        architecture.insert_lists("# Architecture", {"packages": ""})


def documented_list(name: str) -> str:
    _, _, rest = read_source(architecture.DOCS).partition(f"<!-- generated: {name} -->\n")
    content, end, _ = rest.partition(f"\n<!-- end: {name} -->")
    assert end, f"docs/architecture.md has no generated list of {name}"
    return content
