"""The storage settings that an operator may change."""

import base64
import binascii
import secrets
from datetime import timedelta

from pydantic import BaseModel, Field, SecretStr, field_validator

_KEY_BYTES = 32


class S3Settings(BaseModel, frozen=True, hide_input_in_errors=True):
    bucket: str | None = None
    """If not set, files are stored in the data folder."""

    prefix: str = ""
    endpoint: str | None = None
    region: str = "us-east-1"
    access_key_id: SecretStr | None = None
    secret_access_key: SecretStr | None = None
    path_style: bool = True
    timeout: timedelta = timedelta(seconds=30)


class StorageSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    sealing_key: SecretStr
    """Encrypts the files in sealed buckets; 32 bytes in base64. If it is lost, those files cannot be decrypted."""

    retired_sealing_keys: tuple[SecretStr, ...] = ()
    """Files that were encrypted with these earlier keys can still be read."""

    file_size_limit: int = Field(default=50 * 1024 * 1024, ge=0)
    """A bucket may set a lower limit, but not a higher one."""

    account_max_bytes: int = Field(default=100_000_000, ge=0)
    """The size of all files of one account together. Files of the service, such as sealed documents, do not count."""

    account_max_files: int = Field(default=1000, ge=0)
    """The number of files of one account."""

    network_daily_bytes: int = Field(default=1_000_000_000, ge=1)
    """How much all accounts in one network may upload in a day. Each server process counts for itself."""

    signed_upload_lifetime: timedelta = timedelta(hours=2)
    resumable_lifetime: timedelta = timedelta(hours=24)
    true_status: bool = False
    """Error responses have their actual HTTP status instead of the 400 that the clients expect."""

    s3: S3Settings = S3Settings()

    @field_validator("sealing_key")
    @classmethod
    def _check_key(cls, key: SecretStr) -> SecretStr:
        _check_length(key)
        return key

    @field_validator("retired_sealing_keys")
    @classmethod
    def _check_retired_keys(cls, keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        for key in keys:
            _check_length(key)
        return keys

    @property
    def sealing_keys(self) -> tuple[str, ...]:
        """The current key first, then the retired ones."""
        return tuple(key.get_secret_value() for key in (self.sealing_key, *self.retired_sealing_keys))


def _check_length(key: SecretStr) -> None:
    try:
        length = len(base64.urlsafe_b64decode(key.get_secret_value()))
    except (binascii.Error, ValueError):
        length = 0
    if length != _KEY_BYTES:
        raise ValueError("must be 32 bytes in base64")


def new_sealing_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)).decode()
