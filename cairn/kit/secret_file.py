"""Writes small secret files that only their owner can read. A file is written completely or not at all."""

import os
import secrets
from pathlib import Path


def write_once(path: Path, content: bytes) -> None:
    """Creates the file unless it exists. If two processes start at the same time, both then read the same content."""
    draft = _write_draft(path, content)
    try:
        # A hard link fails if the name is taken, so exactly one process wins.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def replace_file(path: Path, content: bytes) -> None:
    _write_draft(path, content).replace(path)


def _write_draft(path: Path, content: bytes) -> Path:
    # The name is random and starts with a dot, so that no other process uses it and no search by file name finds it.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return draft
