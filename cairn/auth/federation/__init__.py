"""Getting in through others: Google by OpenID Connect, a company's own identity provider by SAML.

`routes` is what the door mounts. A sign-in that leaves is a row (`cairn.auth.journey`); who comes back is a `Profile`,
and `arrive` decides whose account that opens.
"""
