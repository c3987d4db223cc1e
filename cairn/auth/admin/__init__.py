"""This part of the API manages users and SSO providers, for callers with the service key."""

from cairn.auth.admin.routes import ROUTES

__all__ = ["ROUTES"]
