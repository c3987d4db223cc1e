"""The signed list of the files of an evidence pack, which shows whether one of them was changed, added or removed."""

import hashlib
import json
from collections.abc import Mapping

from cairn.waivers.documents.sealing import Seal

_FORMAT = "cairn evidence pack 1"


def with_manifest(files: Mapping[str, bytes], seal: Seal) -> dict[str, bytes]:
    """Adds `manifest.json` and its signature to the files; docs/evidence-format.md describes both."""
    manifest = {
        "format": _FORMAT,
        "certificate": seal.fingerprint,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())},
    }
    content = json.dumps(manifest, indent=2).encode() + b"\n"
    return {**files, "manifest.json": content, "manifest.sig": seal.sign(content).hex().encode() + b"\n"}
