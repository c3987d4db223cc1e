"""The manifest of a backup, which is written last. A backup without one is not complete."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime

from cairn.backup.errors import BackupDamaged, BackupTooNew
from cairn.kit import frozen_dataclass

MANIFEST, DUMP, SECRETS = "manifest.json", "database.dump", "secrets.sealed"
FILES = "files/"
_FORMAT = 1


@frozen_dataclass
class Entry:
    size: int
    sha256: str


@frozen_dataclass
class Manifest:
    version: str
    created_at: datetime
    entries: Mapping[str, Entry]

    @property
    def sha256(self) -> str:
        """A hash of the whole manifest.

        The encrypted secrets contain it, so no one without the passphrase can change an entry, or make an old backup
        look like a new one.
        """
        return hashlib.sha256(json.dumps(self._plain, sort_keys=True).encode()).hexdigest()

    @property
    def total_bytes(self) -> int:
        return sum(entry.size for entry in self.entries.values())

    def to_json(self) -> bytes:
        return json.dumps(self._plain, indent=1).encode()

    @property
    def _plain(self) -> dict[str, object]:
        return {
            "format": _FORMAT,
            "version": self.version,
            "created_at": self.created_at.isoformat(),
            "entries": {name: {"size": entry.size, "sha256": entry.sha256} for name, entry in self.entries.items()},
        }


def parse_manifest(content: bytes) -> Manifest:
    try:
        parsed = json.loads(content)
        if parsed["format"] != _FORMAT:
            raise BackupTooNew(version=parsed["version"])
        entries = {name: Entry(entry["size"], entry["sha256"]) for name, entry in parsed["entries"].items()}
        return Manifest(parsed["version"], datetime.fromisoformat(parsed["created_at"]), entries)
    except (ValueError, KeyError, TypeError) as error:
        raise BackupDamaged(name=MANIFEST, reason="cannot be read") from error
