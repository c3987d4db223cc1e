"""Assembles `/auth/v1` from the routes of the sub-packages, and adds the routes that are in none of them."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from cairn import __version__
from cairn.auth import admin, email_links, factors, federation, limits, users
from cairn.auth.bodies import RefreshBody, session_json
from cairn.auth.context import AuthContext, configured_providers
from cairn.auth.error_responses import error_handlers
from cairn.auth.errors import GrantUnsupported, RefreshTokenInvalid
from cairn.auth.http import caller_of, context_of, json_response, parse_body
from cairn.auth.passwords import Passwords
from cairn.auth.sessions import refresh
from cairn.auth.settings import AuthSettings
from cairn.auth.text_sender import TextSender
from cairn.auth.tokens import Keyring
from cairn.db import Database
from cairn.kit import Routes

ROUTES = Routes()


def service(
    database: Database,
    keyring: Keyring,
    settings: AuthSettings,
    *,
    after_write: Callable[[], None] = lambda: None,
    text_sender: TextSender | None = None,
    sends_email: bool = True,
) -> ASGIApp:
    """Returns the application to mount at `/auth/v1`.

    `after_write` wakes the worker. Without a `text_sender`, a phone cannot be a second factor. `sends_email` says that
    there is a mail server, so users can be expected to confirm their address.
    """
    app = Starlette(
        routes=[
            *ROUTES,
            *users.ROUTES,
            *email_links.ROUTES,
            *federation.ROUTES,
            *factors.ROUTES,
            *admin.ROUTES,
        ],
        exception_handlers=error_handlers(),
    )
    providers = configured_providers(settings)
    app.state.context = AuthContext(
        database, keyring, settings, Passwords(), after_write, providers, text_sender, sends_email
    )
    return app


@ROUTES.post("/token")
async def post_token(request: Request) -> Response:
    grant_type = request.query_params.get("grant_type")
    context = context_of(request)
    if grant_type == "password":
        return await users.password_grant(request)
    await limits.check_caller_limit(context, caller_of(request), "token", context.settings.rate_limit_token_refresh)
    if grant_type == "refresh_token":
        return await _refresh_grant(request)
    if grant_type == "pkce":
        return await federation.pkce_grant(request)
    if grant_type == "id_token":
        return await federation.id_token_grant(request)
    raise GrantUnsupported


async def _refresh_grant(request: Request) -> Response:
    body = await parse_body(request, RefreshBody)
    if not body.refresh_token:
        raise RefreshTokenInvalid
    return json_response(session_json(await refresh(context_of(request), body.refresh_token, caller_of(request))))


@ROUTES.get("/.well-known/jwks.json")
async def get_jwks(request: Request) -> Response:
    return JSONResponse(context_of(request).keyring.jwks(), headers={"Cache-Control": "public, max-age=600"})


@ROUTES.get("/settings")
async def get_settings(request: Request) -> Response:
    context = context_of(request)
    settings = context.settings
    return JSONResponse(
        {
            "external": {
                "email": settings.external_email_enabled,
                "phone": settings.external_phone_enabled,
                "google": "google" in context.providers,
                "anonymous_users": settings.external_anonymous_users_enabled,
            },
            "disable_signup": settings.disable_signup,
            "mailer_autoconfirm": settings.mailer_autoconfirm,
            "phone_autoconfirm": settings.sms_autoconfirm,
            "sms_provider": "twilio" if settings.external_phone_enabled else "",
            "saml_enabled": settings.saml,
            "passkeys_enabled": False,
        }
    )


@ROUTES.get("/health")
async def get_health(_: Request) -> Response:
    return JSONResponse(
        {"version": __version__, "name": "Cairn Auth", "description": "People, passwords, sessions and tokens"}
    )


@ROUTES.get("/.well-known/openid-configuration")
async def get_openid_configuration(request: Request) -> Response:
    """Describes only how to verify our access tokens. Other applications cannot sign in through Cairn."""
    issuer = context_of(request).settings.issuer
    document = {
        "issuer": issuer,
        "jwks_uri": f"{issuer}/.well-known/jwks.json",
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "userinfo_endpoint": f"{issuer}/user",
        "response_types_supported": ["code", "token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "code_challenge_methods_supported": ["S256", "plain"],
    }
    return JSONResponse(document, headers={"Cache-Control": "public, max-age=600"})
