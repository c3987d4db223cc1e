"""This package contains the data types of auth and their rules. It uses no clock, randomness or database."""

from cairn.auth.model.addresses import email_address, email_lookup_key, phone_number
from cairn.auth.model.email_link import EmailLinkRequest, OneTimeToken
from cairn.auth.model.factor import FactorKind
from cairn.auth.model.metadata import (
    MAX_NAME_LENGTH,
    check_metadata_size,
    display_name,
    new_account_metadata,
    parse_role,
)
from cairn.auth.model.oauth_flow import OAUTH_FLOW_LIFETIME, Challenge, OAuthFlow, check_verifier, parse_challenge, s256
from cairn.auth.model.second_factor import (
    CHALLENGE_LIFETIME,
    ENROLMENT_LIFETIME,
    FACTOR_METHODS,
    RECOVERY_METHOD,
    TEXTS_PER_CHALLENGE_LIFETIME,
    UNVERIFIED_FACTOR_RETENTION,
    FactorChallenge,
    RecentChallenges,
    StoredFactor,
    WrongCodes,
    add_amr_entry,
    matching_totp_step,
    signed_in_since,
)
from cairn.auth.model.session import Grant, RefreshToken, Session, is_reuse_allowed
from cairn.auth.model.sso_provider import SsoProvider
from cairn.auth.model.user import Caller, Factor, Identity, User

__all__ = [
    "CHALLENGE_LIFETIME",
    "ENROLMENT_LIFETIME",
    "FACTOR_METHODS",
    "MAX_NAME_LENGTH",
    "OAUTH_FLOW_LIFETIME",
    "RECOVERY_METHOD",
    "TEXTS_PER_CHALLENGE_LIFETIME",
    "UNVERIFIED_FACTOR_RETENTION",
    "Caller",
    "Challenge",
    "EmailLinkRequest",
    "Factor",
    "FactorChallenge",
    "FactorKind",
    "Grant",
    "Identity",
    "OAuthFlow",
    "OneTimeToken",
    "RecentChallenges",
    "RefreshToken",
    "Session",
    "SsoProvider",
    "StoredFactor",
    "User",
    "WrongCodes",
    "add_amr_entry",
    "check_metadata_size",
    "check_verifier",
    "display_name",
    "email_address",
    "email_lookup_key",
    "is_reuse_allowed",
    "matching_totp_step",
    "new_account_metadata",
    "parse_challenge",
    "parse_role",
    "phone_number",
    "s256",
    "signed_in_since",
]
