"""Finds the files that people wrote, and skips installed, built and cached ones.

The search does not use git, because an exported source tree has no repository.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SOURCE_FOLDERS = (".ci", "bench", "cairn", "deploy", "docs", "requirements", "tests", "tools", "web")
GENERATED_FOLDERS = {"node_modules", "build", "dist", "web_build", "__pycache__", ".react-router"}


@cache
def source_files(pattern: str = "*") -> list[Path]:
    """Returns the files that match `pattern`, for example `*.py` or `requirements/*.txt`."""
    return sorted(path for path in _all_files() if path.match(pattern))


def _all_files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git")
    for folder in SOURCE_FOLDERS:
        yield from _files_below(ROOT / folder)


def _files_below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and path.name not in GENERATED_FOLDERS and not path.name.endswith("_cache"):
            yield from _files_below(path)
        elif path.is_file():
            yield path


@cache
def read_source(path: Path) -> str:
    """Returns the content of a file, or an empty string for pictures and fonts."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def relative_name(path: Path) -> str:
    """Returns the path from the root of the repository."""
    return path.relative_to(ROOT).as_posix()
