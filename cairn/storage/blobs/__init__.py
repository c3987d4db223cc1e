"""Blobs: bytes under a version, stored and encrypted. Knows nothing of buckets, keys or callers."""

from cairn.storage.blobs.blob_store import BlobStore, open_blob_store

__all__ = ["BlobStore", "open_blob_store"]
