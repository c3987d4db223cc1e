"""Bytes by version: where they lie, how they are sealed. Knows nothing of buckets, keys or callers."""

from cairn.storage.blobs.shelf import Shelf, open_shelf

__all__ = ["Shelf", "open_shelf"]
