"""Reads the profile of a user from the response of a provider."""

from collections.abc import Mapping
from typing import Any

from cairn.auth.errors import EmailInvalid, EmailTooLong
from cairn.auth.federation.saml import Assertion
from cairn.auth.federation.saml.xml import SamlError
from cairn.auth.model import SsoProvider, email_address
from cairn.kit import frozen_dataclass

MAX_TEXT_LENGTH = 1000


@frozen_dataclass
class Profile:
    provider: str
    subject: str
    email: str | None
    # If this is true, the provider confirms that the address belongs to the user.
    email_verified: bool
    data: dict[str, Any]


def from_claims(provider: str, claims: Mapping[str, Any]) -> Profile:
    """Reads the claims of an ID token. The API also returns `name` as `full_name` and `picture` as `avatar_url`."""
    email = _valid_email(claims.get("email"))
    is_verified = email is not None and claims.get("email_verified") in (True, "true")
    name, picture = _clean_text(claims.get("name")), _clean_text(claims.get("picture"))
    fields = {
        "iss": claims["iss"],
        "sub": claims["sub"],
        "name": name,
        "full_name": name,
        "email": email,
        "picture": picture,
        "avatar_url": picture,
        "provider_id": claims["sub"],
        "hd": _clean_text(claims.get("hd")),
    }
    data = {key: value for key, value in fields.items() if value is not None}
    return Profile(
        provider, claims["sub"], email, is_verified, {**data, "email_verified": is_verified, "phone_verified": False}
    )


# Identity providers use different names for the same attribute. The first one that the assertion contains is used.
EMAIL_ATTRIBUTES = (
    "email",
    "mail",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
)
NAME_ATTRIBUTES = (
    "name",
    "displayName",
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
)


def from_assertion(provider: SsoProvider, assertion: Assertion) -> Profile:
    """Reads a SAML assertion. An address counts as verified only if its domain belongs to the provider.

    The names of attributes that the operator has configured for the provider are tried first.
    """
    attributes, mapping = assertion.attributes, provider.attribute_mapping
    emails = [attributes[name] for name in (mapping.get("email", ""), *EMAIL_ATTRIBUTES) if name in attributes]
    if assertion.name_id_format.endswith(":emailAddress"):
        emails.append(assertion.name_id)
    email = _valid_email(emails[0]) if emails else None
    subject = assertion.name_id
    if assertion.name_id_format.endswith(":transient"):
        # A transient id changes with every sign-in, so the address identifies the user.
        subject = email or ""
    if not subject:
        raise SamlError("it does not identify the user")
    names = [attributes[name] for name in (mapping.get("name", ""), *NAME_ATTRIBUTES) if name in attributes]
    is_verified = email is not None and email.rpartition("@")[2] in provider.domains
    name = _clean_text(names[0]) if names else None
    fields = {
        "iss": provider.entity_id,
        "sub": subject,
        "provider_id": subject,
        "email": email,
        "name": name,
        "full_name": name,
    }
    data = {key: value for key, value in fields.items() if value is not None}
    return Profile(
        provider.name, subject, email, is_verified, {**data, "email_verified": is_verified, "phone_verified": False}
    )


def _valid_email(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return email_address(value)
    except (EmailInvalid, EmailTooLong):
        return None


def _clean_text(value: object) -> str | None:
    """Removes NUL, which Postgres cannot store, and truncates the text, because every access token contains it."""
    return value.replace("\x00", "")[:MAX_TEXT_LENGTH] if isinstance(value, str) and value else None
