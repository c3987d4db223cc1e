from typing import Any

from pydantic import Field

from cairn.auth.bodies import AddressBody, Metadata


class PasswordBody(AddressBody):
    password: str | None = Field(default=None, repr=False)


class SignUpBody(PasswordBody):
    data: Metadata | None = None
    channel: str | None = None


class UserBody(PasswordBody):
    current_password: str | None = Field(default=None, repr=False)
    nonce: str | None = Field(default=None, repr=False)
    data: Metadata | None = None
    app_metadata: dict[str, Any] | None = None
    channel: str | None = None
