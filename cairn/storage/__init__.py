"""`/storage/v1`: buckets and the objects in them, under row-level security; bytes in a folder or an S3 bucket.

Floor 6. `service()` is the application to mount, `Blobs` is how other rooms file something, `open_shelf()` says where
bytes lie. An object is a row that points to bytes: they are written first, under a name nobody knows, and the row is
committed after them. So nothing is ever seen half, and a name of an object never becomes a path. `sweep()` removes what
a crash left behind.
"""

from cairn.storage.blobs import Shelf, open_shelf
from cairn.storage.errors import AlreadyExists, BytesMissing, NoSuchKey, StoreFailed
from cairn.storage.filing import Blobs
from cairn.storage.routes import service
from cairn.storage.settings import StorageSettings, new_sealing_key
from cairn.storage.sweep import Swept, sweep

__all__ = [
    "AlreadyExists",
    "Blobs",
    "BytesMissing",
    "NoSuchKey",
    "Shelf",
    "StorageSettings",
    "StoreFailed",
    "Swept",
    "new_sealing_key",
    "open_shelf",
    "service",
    "sweep",
]
