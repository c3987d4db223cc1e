"""`/storage/v1`: buckets and the objects in them, under row-level security; bytes in a folder or an S3 bucket.

`service()` is the application to mount, `Blobs` is how other packages store files, `open_blob_store()` says where
bytes lie. An object is a row that points to bytes: they are written first, under a name nobody knows, and the row is
committed after them. So nothing is ever seen half, and a name of an object never becomes a path. `sweep()` removes what
a crash left behind.
"""

from cairn.storage.blobs import BlobStore, open_blob_store
from cairn.storage.errors import AlreadyExists, BytesMissing, NoSuchKey, StoreFailed
from cairn.storage.filing import Blobs
from cairn.storage.routes import service
from cairn.storage.settings import StorageSettings, new_sealing_key
from cairn.storage.sweep import Swept, sweep

__all__ = [
    "AlreadyExists",
    "BlobStore",
    "Blobs",
    "BytesMissing",
    "NoSuchKey",
    "StorageSettings",
    "StoreFailed",
    "Swept",
    "new_sealing_key",
    "open_blob_store",
    "service",
    "sweep",
]
