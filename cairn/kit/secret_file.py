"""Writes small secret files, readable by their owner alone, completely or not at all."""

import os
import secrets
from pathlib import Path


def write_once(path: Path, content: bytes) -> None:
    """Creates the file unless it exists. Of two processes that start at once, both then read the same content."""
    draft = _draft(path, content)
    try:
        # A hard link fails if the name is taken, so exactly one process wins.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def replace_file(path: Path, content: bytes) -> None:
    _draft(path, content).replace(path)


def _draft(path: Path, content: bytes) -> Path:
    # Hidden and random, so that neither another process nor a search by file name finds it.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return draft
