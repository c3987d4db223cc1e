"""Sign-in through other providers: Google by OpenID Connect, a company's own identity provider by SAML.

A sign-in that is under way is stored as a row (`OAuthFlow`). The provider's response becomes a `Profile`, and
`find_or_create_account` decides which account it opens. `service()` mounts `ROUTES`.
"""

from cairn.auth.federation.routes import ROUTES, id_token_grant, pkce_grant

__all__ = ["ROUTES", "id_token_grant", "pkce_grant"]
