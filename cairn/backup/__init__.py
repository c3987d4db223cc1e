"""Implements `cairn backup` and `cairn restore`.

A backup is a folder or a prefix in an S3 bucket. It contains a dump of the database, the files as they are stored, the
secrets and the keys of the seal encrypted with a passphrase, and a manifest with the size and the hash of everything.
"""

from cairn.backup.back_up import back_up
from cairn.backup.passphrase import PASSPHRASE_VARIABLE, read_passphrase
from cairn.backup.restore import restore

__all__ = ["PASSPHRASE_VARIABLE", "back_up", "read_passphrase", "restore"]
