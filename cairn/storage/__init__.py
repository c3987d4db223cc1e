"""Serves `/storage/v1`: buckets and objects under row-level security, with the bytes in a folder or an S3 bucket.

`service()` is the application to mount, `ObjectStorage` lets other packages store files, and `open_blob_store()` opens
the folder or S3 bucket. An object is a row that points to a blob. The blob is written first, under a random name, and
the row is committed afterwards, so no reader ever sees a partial object and an object's name never becomes a path.
`sweep()` removes the blobs that a crash left without a row.
"""

from cairn.storage.blobs import BlobStore, open_blob_store, open_s3, put_stream
from cairn.storage.errors import AlreadyExists, BlobStoreFailed, BytesMissing, NoSuchKey
from cairn.storage.object_storage import ObjectStorage
from cairn.storage.routes import service
from cairn.storage.settings import S3Settings, StorageSettings, new_sealing_key
from cairn.storage.store.blobs import used_versions
from cairn.storage.sweep import SweepReport, sweep

__all__ = [
    "AlreadyExists",
    "BlobStore",
    "BlobStoreFailed",
    "BytesMissing",
    "NoSuchKey",
    "ObjectStorage",
    "S3Settings",
    "StorageSettings",
    "SweepReport",
    "new_sealing_key",
    "open_blob_store",
    "open_s3",
    "put_stream",
    "service",
    "sweep",
    "used_versions",
]
