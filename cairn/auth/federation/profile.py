"""Who somebody is according to a provider. Only what we know to ask for is kept of what it tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cairn.auth.errors import EmailInvalid, EmailTooLong
from cairn.auth.federation.saml import Assertion
from cairn.auth.federation.saml.xml import Unreadable
from cairn.auth.model import SsoProvider, email_address

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


EMAIL_NAMES = (
    "email",
    "mail",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
)
PERSON_NAMES = (
    "name",
    "displayName",
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
)


def from_assertion(provider: SsoProvider, assertion: Assertion) -> Profile:
    """The provider is believed about addresses in its own domains, and about no others."""
    told, mapping = assertion.attributes, provider.attribute_mapping
    named = [told[name] for name in (mapping.get("email", ""), *EMAIL_NAMES) if name in told]
    if assertion.name_id_format.endswith(":emailAddress"):
        named.append(assertion.name_id)
    email = _address(named[0]) if named else None
    subject = assertion.name_id
    if assertion.name_id_format.endswith(":transient"):
        # Another one each time; only the address is still the same tomorrow.
        subject = email or ""
    if not subject:
        raise Unreadable("it does not say who this is")
    names = [told[name] for name in (mapping.get("name", ""), *PERSON_NAMES) if name in told]
    verified = email is not None and email.rpartition("@")[2] in provider.domains
    data = {"iss": provider.entity_id, "sub": subject, "provider_id": subject, "email": email}
    name = _text(names[0]) if names else None
    kept = {key: value for key, value in {**data, "name": name, "full_name": name}.items() if value is not None}
    return Profile(
        provider.name, subject, email, verified, {**kept, "email_verified": verified, "phone_verified": False}
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
