"""What the repository holds, as git sees it: tracked files and new ones, nothing that is ignored."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


@cache
def files(pattern: str = "*") -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", pattern],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / name for name in sorted(set(listed.stdout.split("\0"))) if name and (ROOT / name).is_file()]


def text(path: Path) -> str:
    """Empty for pictures and fonts."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
