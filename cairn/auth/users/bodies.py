"""JSON bodies of the requests for signing up, signing in and changing the user."""

from typing import Any

from pydantic import Field

from cairn.auth.bodies import EmailLinkBody, Metadata


class SignUpBody(EmailLinkBody):
    email: str | None = None
    phone: str | None = None
    password: str | None = Field(default=None, repr=False)
    data: Metadata | None = None
    channel: str | None = None


class PasswordBody(EmailLinkBody):
    email: str | None = None
    phone: str | None = None
    password: str | None = Field(default=None, repr=False)


class UserBody(EmailLinkBody):
    email: str | None = None
    phone: str | None = None
    password: str | None = Field(default=None, repr=False)
    current_password: str | None = Field(default=None, repr=False)
    nonce: str | None = Field(default=None, repr=False)
    data: Metadata | None = None
    app_metadata: dict[str, Any] | None = None
    channel: str | None = None
