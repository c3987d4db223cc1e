"""Requests and checks RFC 3161 timestamps with pyHanko."""

from datetime import datetime

from asn1crypto import cms
from pyhanko.sign.timestamps import HTTPTimeStamper
from pyhanko.sign.validation.generic_cms import validate_tst_signed_data
from pyhanko_certvalidator import ValidationContext


class WrongTimestamp(Exception):
    """The token confirms another hash, or its signature is wrong."""


async def request_timestamp(url: str, digest: bytes) -> tuple[bytes, datetime]:
    """Returns the token of the authority at `url` for this SHA-256 hash, and the time that it confirms."""
    response = await HTTPTimeStamper(url).async_timestamp(digest, "sha256")
    token = response.dump()
    return token, await read_timestamp(token, digest)


async def read_timestamp(token: bytes, digest: bytes) -> datetime:
    """Returns the time that the token confirms for this SHA-256 hash, or raises WrongTimestamp.

    The certificate of the authority is inside the token. Whether to trust the authority is decided by the reader.
    """
    try:
        status = await validate_tst_signed_data(
            cms.ContentInfo.load(token)["content"],
            ValidationContext(trust_roots=[], allow_fetching=False),
            lambda algorithm: digest if algorithm == "sha256" else b"",
        )
    except Exception as error:
        raise WrongTimestamp(str(error)) from error
    if not (status["intact"] and status["valid"]):
        raise WrongTimestamp("the signature or the hash is wrong")
    timestamped_at: datetime = status["timestamp"]
    return timestamped_at
