"""JSON bodies of the requests for one-time links and codes."""

from pydantic import Field

from cairn.auth.bodies import EmailLinkBody, Metadata


class OtpBody(EmailLinkBody):
    email: str | None = None
    phone: str | None = None
    create_user: bool | None = None
    data: Metadata | None = None
    channel: str | None = None


class AddressBody(EmailLinkBody):
    email: str | None = None
    phone: str | None = None
    type: str | None = None
    channel: str | None = None


class VerifyBody(EmailLinkBody):
    type: str | None = None
    token: str | None = Field(default=None, repr=False)
    token_hash: str | None = Field(default=None, repr=False)
    email: str | None = None
    phone: str | None = None
