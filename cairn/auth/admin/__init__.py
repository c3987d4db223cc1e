"""Administration of users and SSO providers by callers that hold the service key. `service()` mounts `ROUTES`."""

from cairn.auth.admin.routes import ROUTES

__all__ = ["ROUTES"]
