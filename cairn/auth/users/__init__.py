"""Signing up, signing in, signing out, and changing one's own account. `service()` mounts `ROUTES`."""

from cairn.auth.users.routes import ROUTES, password_grant

__all__ = ["ROUTES", "password_grant"]
