"""Getting in through others: Google by OpenID Connect, a company's own identity provider by SAML.

`routes` is what the service mounts. A sign-in at a provider is stored as a row (`cairn.auth.oauth_flow`); its answer
becomes a `Profile`, and `arrive` decides whose account it opens.
"""
