"""Reports in one line why no connection to the database can be opened at the start."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import asyncpg

from cairn.db.errors import DatabaseUrlInvalid, DatabaseUrlUnreachable, LoginRefused
from cairn.kit import Problem


def one_line(error: BaseException) -> str:
    """Joins the message of PostgreSQL with its details, which are on further lines."""
    return " ".join(str(error).split())


@contextmanager
def reporting_start_errors(url: str) -> Iterator[None]:
    """No message contains the whole URL, because the URL may contain a password."""
    host = urlsplit(url).netloc.rpartition("@")[2] or "its unix socket"
    try:
        yield
    except Problem:
        raise
    except OSError as error:
        # This comes first, because a certificate that cannot be verified is also a ValueError.
        raise DatabaseUrlUnreachable(host=host, reason=one_line(error)) from error
    except (asyncpg.InterfaceError, ValueError) as error:
        # The message of the driver may contain the URL.
        raise DatabaseUrlInvalid from error
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise LoginRefused(role=urlsplit(url).username, host=host, reason=one_line(error)) from error
    except asyncpg.PostgresError as error:
        raise DatabaseUrlUnreachable(host=host, reason=one_line(error)) from error
