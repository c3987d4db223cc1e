"""Accounts, sessions, second factors and sign-in flows, with their rules. No clock, randomness or database here."""

from cairn.auth.model.addresses import email_address, email_lookup_key, phone_number
from cairn.auth.model.email_link import EmailLinkRequest, OneTimeToken
from cairn.auth.model.metadata import check_metadata_size, chosen_role, display_name, new_account_metadata
from cairn.auth.model.oauth_flow import OAUTH_FLOW_LIFETIME, Challenge, OAuthFlow, check_verifier, parse_challenge, s256
from cairn.auth.model.second_factor import (
    CHALLENGE_LIFETIME,
    FACTOR_METHODS,
    RECOVERY_METHOD,
    TEXTS_PER_CHALLENGE_LIFETIME,
    UNVERIFIED_FACTOR_LIFETIME,
    FactorChallenge,
    FactorKind,
    RecentAttempts,
    StoredFactor,
    amr_with,
    matching_step,
    signed_in_since,
)
from cairn.auth.model.session import Grant, RefreshToken, Session, is_reuse_allowed
from cairn.auth.model.sso_provider import SsoProvider
from cairn.auth.model.user import Caller, Factor, Identity, User

__all__ = [
    "CHALLENGE_LIFETIME",
    "FACTOR_METHODS",
    "OAUTH_FLOW_LIFETIME",
    "RECOVERY_METHOD",
    "TEXTS_PER_CHALLENGE_LIFETIME",
    "UNVERIFIED_FACTOR_LIFETIME",
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
    "RecentAttempts",
    "RefreshToken",
    "Session",
    "SsoProvider",
    "StoredFactor",
    "User",
    "amr_with",
    "check_metadata_size",
    "check_verifier",
    "chosen_role",
    "display_name",
    "email_address",
    "email_lookup_key",
    "is_reuse_allowed",
    "matching_step",
    "new_account_metadata",
    "parse_challenge",
    "phone_number",
    "s256",
    "signed_in_since",
]
