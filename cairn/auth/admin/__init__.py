"""This part of the API manages users and SSO providers, for callers with the service key and for the command line."""

from cairn.auth.admin.operator import UserAdministration
from cairn.auth.admin.routes import ROUTES

__all__ = ["ROUTES", "UserAdministration"]
