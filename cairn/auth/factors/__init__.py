"""Second factors: an authenticator app, a phone, a passkey, and recovery codes for when all of them are lost.

A verified factor raises the session to `aal2` (`raise_level`). Its rules are in `cairn.auth.model.second_factor`.
`service()` mounts `ROUTES`.
"""

from cairn.auth.factors.routes import ROUTES

__all__ = ["ROUTES"]
