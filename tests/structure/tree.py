"""The files that people wrote, without installed, built or cached ones. Does not use git: an exported tree has none."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WRITTEN = (".ci", "bench", "cairn", "docs", "requirements", "tests", "tools", "web")
GENERATED = {"node_modules", "build", "dist", "web_build", "__pycache__", ".react-router"}


@cache
def files(pattern: str = "*") -> list[Path]:
    """Paths whose end matches: `*.py`, `requirements/*.txt`."""
    return sorted(path for path in _everything() if path.match(pattern))


def _everything() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git")
    for folder in WRITTEN:
        yield from _below(ROOT / folder)


def _below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and path.name not in GENERATED and not path.name.endswith("_cache"):
            yield from _below(path)
        elif path.is_file():
            yield path


@cache
def text(path: Path) -> str:
    """The content, or an empty string for pictures and fonts."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
