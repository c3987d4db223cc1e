"""This part of the API manages second factors: authenticator apps, phones, passkeys and recovery codes.

Verifying a factor raises the assurance level of the session from `aal1` to `aal2` (`raise_level`). The rules are in
`cairn.auth.model.second_factor`.
"""

from cairn.auth.factors.routes import ROUTES

__all__ = ["ROUTES"]
