"""Refusals of sign-ins through others: Google, a company's own identity provider. Codes and texts are the wire's."""

from cairn.kit import Problem


class ProviderNotEnabled(Problem):
    status, code = 400, "validation_failed"
    message = "Unsupported provider: provider is not enabled"


class ProviderNotFound(Problem):
    status, code = 400, "validation_failed"
    message = "Unsupported provider: Provider {name} could not be found"


class ProviderUnreachable(Problem):
    status, code = 502, "provider_unreachable"
    message = "The sign-in provider cannot be reached at the moment"


class ProviderRefused(Problem):
    """The provider sent the person back with an error of its own."""

    status, code = 403, "provider_refused"
    message = "{reason}"


class ProviderAnswerInvalid(Problem):
    status, code = 400, "bad_oauth_callback"
    message = "The sign-in provider's answer cannot be trusted: {reason}"


class CallbackIncomplete(Problem):
    status, code = 400, "bad_oauth_callback"
    message = "OAuth callback with missing authorization code"


class BadState(Problem):
    status, code = 400, "bad_oauth_state"
    message = "OAuth state not found or expired"


class EmailNotVerifiedThere(Problem):
    status, code = 422, "provider_email_needs_verification"
    message = "The address {email} has an account here, and {provider} does not vouch for it"


# The id_token grant answers in the words of OAuth


class OAuthRefusal(Problem):
    status, code = 400, "validation_failed"
    error = "invalid request"


class BadIdToken(OAuthRefusal):
    message = "Bad ID token"


class IdTokenIncomplete(OAuthRefusal):
    message = "provider or client_id and issuer required"


class NoncesMustMatch(OAuthRefusal):
    message = "Passed nonce and nonce in id_token should either both exist or not."


class NonceMismatch(OAuthRefusal):
    error = "invalid nonce"
    message = "Nonces mismatch"


class IssuerNotEnabled(Problem):
    status, code = 400, "provider_disabled"
    message = 'Provider (issuer "{issuer}") is not enabled'


# The code that comes back in the PKCE form


class ChallengeIncomplete(Problem):
    status, code = 400, "validation_failed"
    message = "PKCE flow requires code_challenge_method and code_challenge"


class ChallengeInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "code challenge has to be between 43 and 128 characters of A-Z, a-z, 0-9, '-', '.', '_' and '~'"


class ChallengeMethodUnknown(Problem):
    status, code = 400, "validation_failed"
    message = "code_challenge_method must be s256 or plain"


class ExchangeIncomplete(Problem):
    status, code = 400, "validation_failed"
    message = "invalid request: both auth code and code verifier should be non-empty"


class FlowNotFound(Problem):
    status, code = 404, "flow_state_not_found"
    message = "invalid flow state, no valid flow state found"


class FlowExpired(Problem):
    status, code = 422, "flow_state_expired"
    message = "invalid flow state, flow state has expired"


class BadCodeVerifier(Problem):
    status, code = 400, "bad_code_verifier"
    message = "code challenge does not match previously saved code verifier"


# Identities


class ManualLinkingDisabled(Problem):
    status, code = 404, "manual_linking_disabled"
    message = "Manual linking is disabled"


class IdentityIdInvalid(Problem):
    status, code = 404, "validation_failed"
    message = "identity_id must be an UUID"


class IdentityNotFound(Problem):
    status, code = 422, "identity_not_found"
    message = "Identity doesn't exist"


class LastIdentity(Problem):
    status, code = 422, "single_identity_not_deletable"
    message = "User must have at least 1 identity after unlinking"


class IdentityAlreadyLinked(Problem):
    status, code = 422, "identity_already_exists"
    message = "Identity is already linked"


class IdentityOfAnother(Problem):
    status, code = 422, "identity_already_exists"
    message = "Identity is already linked to another user"


# SAML


class SamlDisabled(Problem):
    status, code = 404, "saml_provider_disabled"
    message = "SAML 2.0 is disabled"


class SsoProviderOrDomain(Problem):
    status, code = 400, "validation_failed"
    message = "Exactly one of provider_id and domain must be given"


class SsoProviderNotFound(Problem):
    status, code = 404, "sso_provider_not_found"
    message = "No such SSO provider"


class SsoDomainNotFound(Problem):
    status, code = 404, "sso_provider_not_found"
    message = "No SSO provider assigned for this domain"


class SsoDomainTaken(Problem):
    status, code = 422, "sso_domain_already_exists"
    message = "A domain or this provider is registered already"


class SamlMetadataInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "SAML metadata cannot be used: {reason}"


class SamlAnswerInvalid(Problem):
    status, code = 422, "saml_assertion_invalid"
    message = "The identity provider's answer cannot be trusted: {reason}"
