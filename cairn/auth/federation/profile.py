"""Who somebody is according to a provider. Only what we know to ask for is kept of what it tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cairn.auth.errors import EmailInvalid, EmailTooLong
from cairn.auth.model import email_address

LONGEST_TEXT = 1000


@dataclass(frozen=True, slots=True)
class Profile:
    provider: str
    subject: str
    email: str | None
    # Whether the provider vouches that the address is theirs.
    email_verified: bool
    data: dict[str, Any]


def from_claims(provider: str, claims: Mapping[str, Any]) -> Profile:
    """In the names the wire has for them; `name` and `picture` under their older names as well."""
    email = _address(claims.get("email"))
    verified = email is not None and claims.get("email_verified") in (True, "true")
    name, picture = _text(claims.get("name")), _text(claims.get("picture"))
    told = {
        "iss": claims["iss"],
        "sub": claims["sub"],
        "name": name,
        "full_name": name,
        "email": email,
        "picture": picture,
        "avatar_url": picture,
        "provider_id": claims["sub"],
        "hd": _text(claims.get("hd")),
    }
    data = {key: value for key, value in told.items() if value is not None}
    return Profile(
        provider, claims["sub"], email, verified, {**data, "email_verified": verified, "phone_verified": False}
    )


def _address(told: object) -> str | None:
    if not isinstance(told, str):
        return None
    try:
        return email_address(told)
    except (EmailInvalid, EmailTooLong):
        return None


def _text(told: object) -> str | None:
    """Postgres keeps no NUL, and metadata travels in every token."""
    return told.replace("\x00", "")[:LONGEST_TEXT] if isinstance(told, str) and told else None
