"""In this part of the API, users sign up, sign in, log out and change their own account."""

from cairn.auth.users.routes import ROUTES, password_grant

__all__ = ["ROUTES", "password_grant"]
