"""This part of the API signs users in with Google (OpenID Connect) or with a company's identity provider (SAML).

A sign-in in progress is stored as an `OAuthFlow`. The provider's response becomes a `Profile`, and
`find_or_create_account` finds the account that belongs to it.
"""

from cairn.auth.federation.routes import ROUTES, id_token_grant, pkce_grant

__all__ = ["ROUTES", "id_token_grant", "pkce_grant"]
