"""Stores and encrypts blobs. A blob is bytes with a version; this package knows nothing about buckets or callers."""

from cairn.storage.blobs.blob_store import BlobStore, WrittenBlob, open_blob_store

__all__ = ["BlobStore", "WrittenBlob", "open_blob_store"]
