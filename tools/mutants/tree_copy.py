"""Copies the code into a temporary folder, so that the working tree is never changed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tools.mutants.mutant import ROOT, Mutant

_FOLDERS = (".ci", "bench", "cairn", "docs", "requirements", "tests", "tools", "web")
_LEFT_OUT = shutil.ignore_patterns(
    "node_modules", "web_build", "build", "dist", "__pycache__", ".react-router", "*_cache", ".hypothesis"
)
# These are installed or built, and no mutant changes them, so the copy only points to them.
_LINKED = (".venv", "cairn/web_build")
_modified_times = count(1)


def copy_tree(target: Path, root: Path = ROOT) -> None:
    """Copies what people wrote into the new folder `target`, and links what was installed or built."""
    target.mkdir(parents=True)
    for path in root.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy2(path, target)
    for folder in _FOLDERS:
        if (root / folder).is_dir():
            shutil.copytree(root / folder, target / folder, ignore=_LEFT_OUT)
    for name in _LINKED:
        if (root / name).exists():
            (target / name).symlink_to((root / name).resolve())
    _link_node_modules(root / "web" / "node_modules", target / "web" / "node_modules")


def _link_node_modules(installed: Path, target: Path) -> None:
    """Links each package, and not the whole folder, because Vite stores its cache in that folder."""
    if not installed.is_dir():
        return
    target.mkdir()
    for package in installed.iterdir():
        if not package.name.startswith(".vite"):
            (target / package.name).symlink_to(package.resolve())


@contextmanager
def planted(mutant: Mutant, tree: Path) -> Iterator[None]:
    """Changes the file of the mutant in the copy, and restores it afterwards."""
    path = tree / mutant.file
    original, times = path.read_text("utf-8"), path.stat()
    path.write_text(original.replace(mutant.find, mutant.replace), "utf-8")
    # Python recognizes a changed module by its time in whole seconds and its size. Both may be those of another mutant.
    moment = times.st_mtime + next(_modified_times)
    os.utime(path, (moment, moment))
    try:
        yield
    finally:
        path.write_text(original, "utf-8")
        os.utime(path, (times.st_atime, times.st_mtime))
