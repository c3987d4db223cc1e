"""Stores and encrypts blobs. A blob is bytes with a version; this package knows nothing about buckets or callers."""

from cairn.storage.blobs.blob_store import BlobStore, Buffer, WrittenBlob, open_blob_store, open_s3, put_stream

__all__ = ["BlobStore", "Buffer", "WrittenBlob", "open_blob_store", "open_s3", "put_stream"]
