"""Translates Postgres errors into the errors of the storage API."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from cairn.storage.errors import AccessDenied, AlreadyExists, BucketNotEmpty, InvalidKey, NoSuchBucket

ROW_SECURITY = "new row violates row-level security policy"


@contextmanager
def translate_postgres_errors() -> Iterator[None]:
    try:
        yield
    except asyncpg.InsufficientPrivilegeError as error:
        raise AccessDenied(reason=ROW_SECURITY if "row-level security" in str(error) else str(error)) from error
    except asyncpg.UniqueViolationError as error:
        raise AlreadyExists from error
    except asyncpg.ForeignKeyViolationError as error:
        # The same SQLSTATE covers a bucket that still has objects and an object whose bucket does not exist.
        raise (BucketNotEmpty if "still referenced" in str(error.detail) else NoSuchBucket) from error
    except asyncpg.CheckViolationError as error:
        # Postgres does not report the key, so the message contains the name of the violated constraint instead.
        raise InvalidKey(key=error.constraint_name) from error
