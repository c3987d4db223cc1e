from pydantic import Field

from cairn.auth.bodies import AddressBody, Metadata


class OtpBody(AddressBody):
    create_user: bool | None = None
    data: Metadata | None = None
    channel: str | None = None


class MessageRequestBody(AddressBody):
    """The body of `/recover` and of `/resend`."""

    type: str | None = None
    channel: str | None = None


class VerifyBody(AddressBody):
    type: str | None = None
    token: str | None = Field(default=None, repr=False)
    token_hash: str | None = Field(default=None, repr=False)
