"""`/auth/v1`: read, call one verb, render."""

from typing import cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cairn import __version__
from cairn.auth.desk import Desk, offered_providers
from cairn.auth.door import answer as _answer
from cairn.auth.door import body_of as _body
from cairn.auth.door import caller_of as _caller
from cairn.auth.door import desk_of as _desk
from cairn.auth.door import principal_of as _principal
from cairn.auth.errors import (
    AnonymousDisabled,
    CredentialsMissing,
    EmailOrPhone,
    GrantUnsupported,
    LogoutScopeUnknown,
    NotAdmin,
    PhoneLoginDisabled,
    PhoneSignupDisabled,
    RefreshTokenInvalid,
)
from cairn.auth.factors import routes as factor_routes
from cairn.auth.federation import routes as federation_routes
from cairn.auth.keyring import Keyring
from cairn.auth.log_out import Scope, log_out
from cairn.auth.passwords import Passwords
from cairn.auth.refresh import refresh
from cairn.auth.refusal import refusals
from cairn.auth.settings import AuthSettings
from cairn.auth.sign_in import sign_in
from cairn.auth.sign_up import sign_up
from cairn.auth.texts import TextSender
from cairn.auth.user import Change, change_user, read_user
from cairn.auth.wire import (
    PasswordBody,
    RefreshBody,
    SignUpBody,
    UserBody,
    session_json,
    user_json,
)
from cairn.db import Database


def service(
    database: Database, keyring: Keyring, settings: AuthSettings, *, texts: TextSender | None = None
) -> ASGIApp:
    """The application to mount at `/auth/v1`. Without `texts` nothing is offered that goes by telephone."""
    app = Starlette(
        routes=[
            Route("/signup", post_signup, methods=["POST"]),
            Route("/token", post_token, methods=["POST"]),
            Route("/user", get_user, methods=["GET"]),
            Route("/user", put_user, methods=["PUT"]),
            Route("/logout", post_logout, methods=["POST"]),
            Route("/.well-known/jwks.json", get_jwks, methods=["GET"]),
            Route("/settings", get_settings, methods=["GET"]),
            Route("/health", get_health, methods=["GET"]),
            Route("/.well-known/openid-configuration", get_openid_configuration, methods=["GET"]),
            *federation_routes.ROUTES,
            *factor_routes.ROUTES,
        ],
        exception_handlers=refusals(),
    )
    app.state.desk = Desk(database, keyring, settings, Passwords(), offered_providers(settings), texts)
    return app


async def post_signup(request: Request) -> Response:
    body = await _body(request, SignUpBody)
    if body.email and body.phone:
        raise EmailOrPhone
    if not body.email and not body.phone and not body.password:
        raise AnonymousDisabled
    if body.phone and body.password:
        raise PhoneSignupDisabled
    if not body.email or not body.password:
        raise CredentialsMissing
    granted = await sign_up(_desk(request), body.email, body.password, body.data or {}, _caller(request))
    return _answer(session_json(granted))


async def post_token(request: Request) -> Response:
    grant_type = request.query_params.get("grant_type")
    if grant_type == "password":
        return await _password_grant(request)
    if grant_type == "refresh_token":
        return await _refresh_grant(request)
    if grant_type == "pkce":
        return await federation_routes.pkce_grant(request)
    if grant_type == "id_token":
        return await federation_routes.id_token_grant(request)
    raise GrantUnsupported


async def _password_grant(request: Request) -> Response:
    body = await _body(request, PasswordBody)
    if not (body.email or body.phone) or not body.password:
        raise CredentialsMissing
    if not body.email:
        raise PhoneLoginDisabled
    granted = await sign_in(_desk(request), body.email, body.password, _caller(request))
    return _answer(session_json(granted))


async def _refresh_grant(request: Request) -> Response:
    body = await _body(request, RefreshBody)
    if not body.refresh_token:
        raise RefreshTokenInvalid
    return _answer(session_json(await refresh(_desk(request), body.refresh_token, _caller(request))))


async def get_user(request: Request) -> Response:
    return _answer(user_json(await read_user(_desk(request), _principal(request))))


async def put_user(request: Request) -> Response:
    principal = _principal(request)
    body = await _body(request, UserBody)
    if body.app_metadata is not None:
        raise NotAdmin
    if body.phone:
        raise PhoneSignupDisabled
    change = Change(body.email or None, body.data or {}, body.password, body.current_password)
    return _answer(user_json(await change_user(_desk(request), principal, change, _caller(request))))


async def post_logout(request: Request) -> Response:
    principal = _principal(request)
    scope = request.query_params.get("scope") or "global"
    if scope not in ("global", "local", "others"):
        raise LogoutScopeUnknown(scope=scope)
    await log_out(_desk(request), principal, cast("Scope", scope), _caller(request))
    return Response(status_code=204)


async def get_jwks(request: Request) -> Response:
    return JSONResponse(_desk(request).keyring.jwks(), headers={"Cache-Control": "public, max-age=600"})


async def get_settings(request: Request) -> Response:
    desk = _desk(request)
    return JSONResponse(
        {
            "external": {"email": True, "phone": False, "google": "google" in desk.providers, "anonymous_users": False},
            "disable_signup": desk.settings.disable_signup,
            # People are signed in at once, whether or not they have opened the link in their mail.
            "mailer_autoconfirm": True,
            "phone_autoconfirm": False,
            "sms_provider": "",
            "saml_enabled": desk.settings.saml,
            "passkeys_enabled": False,
        }
    )


async def get_health(_: Request) -> Response:
    return JSONResponse(
        {"version": __version__, "name": "Cairn Auth", "description": "People, passwords, sessions and tokens"}
    )


async def get_openid_configuration(request: Request) -> Response:
    """Enough for others to check our access tokens; we are nobody's sign-in provider."""
    issuer = _desk(request).settings.issuer
    published = {
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
    return JSONResponse(published, headers={"Cache-Control": "public, max-age=600"})
