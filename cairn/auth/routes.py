"""`/auth/v1`: read, call one verb, render."""

from collections.abc import Callable
from functools import partial
from typing import cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cairn import __version__
from cairn.auth import limits
from cairn.auth.admin_routes import (
    delete_admin_user,
    get_admin_user,
    get_admin_users,
    post_admin_users,
    post_generate_link,
    post_invite,
    put_admin_user,
)
from cairn.auth.anonymous import sign_in_anonymously
from cairn.auth.context import AuthContext, offered_providers
from cairn.auth.door import answer as _answer
from cairn.auth.door import ask_of, human
from cairn.auth.door import body_of as _body
from cairn.auth.door import caller_of as _caller
from cairn.auth.door import context_of as _desk
from cairn.auth.door import principal_of as _principal
from cairn.auth.errors import (
    AnonymousDisabled,
    CredentialsMissing,
    EmailOrPhone,
    GrantUnsupported,
    LogoutScopeUnknown,
    NotAdmin,
    RefreshTokenInvalid,
)
from cairn.auth.factors import routes as factor_routes
from cairn.auth.federation import routes as federation_routes
from cairn.auth.grant import Grant
from cairn.auth.keyring import Keyring
from cairn.auth.log_out import Scope, log_out
from cairn.auth.mail_routes import (
    channel_of,
    get_reauthenticate,
    get_verify,
    post_otp,
    post_recover,
    post_resend,
    post_verify,
)
from cairn.auth.model import email_address, phone_number
from cairn.auth.passwords import Passwords
from cairn.auth.refresh import refresh
from cairn.auth.refusal import refusals
from cairn.auth.settings import AuthSettings
from cairn.auth.sign_in import sign_in
from cairn.auth.sign_up import Newcomer, sign_up
from cairn.auth.texts import TextSender
from cairn.auth.user import Change, change_user, read_user
from cairn.auth.wire import (
    PasswordBody,
    RefreshBody,
    SignUpBody,
    UserBody,
    nobody_json,
    session_json,
    user_json,
)
from cairn.db import Database
from cairn.kit import now


def service(
    database: Database,
    keyring: Keyring,
    settings: AuthSettings,
    *,
    after_write: Callable[[], None] = lambda: None,
    texts: TextSender | None = None,
) -> ASGIApp:
    """The application to mount at `/auth/v1`. `after_write` wakes the worker; without `texts` no factor is a phone."""
    app = Starlette(
        routes=[
            Route("/signup", post_signup, methods=["POST"]),
            Route("/token", post_token, methods=["POST"]),
            Route("/user", get_user, methods=["GET"]),
            Route("/user", put_user, methods=["PUT"]),
            Route("/logout", post_logout, methods=["POST"]),
            Route("/otp", post_otp, methods=["POST"]),
            Route("/magiclink", post_otp, methods=["POST"]),
            Route("/verify", get_verify, methods=["GET"]),
            Route("/verify", post_verify, methods=["POST"]),
            Route("/recover", post_recover, methods=["POST"]),
            Route("/resend", post_resend, methods=["POST"]),
            Route("/reauthenticate", get_reauthenticate, methods=["GET"]),
            Route("/invite", post_invite, methods=["POST"]),
            Route("/admin/generate_link", post_generate_link, methods=["POST"]),
            Route("/admin/users", get_admin_users, methods=["GET"]),
            Route("/admin/users", post_admin_users, methods=["POST"]),
            Route("/admin/users/{user_id}", get_admin_user, methods=["GET"]),
            Route("/admin/users/{user_id}", put_admin_user, methods=["PUT"]),
            Route("/admin/users/{user_id}", delete_admin_user, methods=["DELETE"]),
            Route("/.well-known/jwks.json", get_jwks, methods=["GET"]),
            Route("/settings", get_settings, methods=["GET"]),
            Route("/health", get_health, methods=["GET"]),
            Route("/.well-known/openid-configuration", get_openid_configuration, methods=["GET"]),
            *federation_routes.ROUTES,
            *factor_routes.ROUTES,
        ],
        exception_handlers=refusals(),
    )
    context = AuthContext(database, keyring, settings, Passwords(), after_write, offered_providers(settings), texts)
    app.state.context = context
    return app


async def post_signup(request: Request) -> Response:
    body = await _body(request, SignUpBody)
    context = _desk(request)
    if body.email and body.phone:
        raise EmailOrPhone
    if not body.email and not body.phone and not body.password:
        return await _anonymous(request, body)
    if not (body.email or body.phone) or not body.password:
        raise CredentialsMissing
    await limits.from_here(context, _caller(request), "otp", context.settings.rate_limit_otp)
    await human(request, body)
    newcomer = Newcomer(
        email=email_address(body.email) if body.email else None,
        phone=phone_number(body.phone) if body.phone else None,
        password=body.password,
        data=body.data or {},
        channel=channel_of(body.channel),
    )
    signed_up = await sign_up(context, newcomer, ask_of(request, body))
    if isinstance(signed_up, Grant):
        return _answer(session_json(signed_up))
    if signed_up is None:
        return _answer(nobody_json(newcomer.email, newcomer.phone, body.data or {}, now()))
    return _answer(user_json(signed_up))


async def _anonymous(request: Request, body: SignUpBody) -> Response:
    context = _desk(request)
    if not context.settings.external_anonymous_users_enabled:
        raise AnonymousDisabled
    times = context.settings.rate_limit_anonymous_users
    await limits.from_here(context, _caller(request), "anonymous", times, limits.HOUR)
    await human(request, body)
    return _answer(session_json(await sign_in_anonymously(context, body.data or {}, _caller(request))))


async def post_token(request: Request) -> Response:
    grant_type = request.query_params.get("grant_type")
    context = _desk(request)
    if grant_type == "password":
        return await _password_grant(request)
    await limits.from_here(context, _caller(request), "token", context.settings.rate_limit_token_refresh)
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
    check = partial(human, request, body)
    granted = await sign_in(_desk(request), body.email, body.phone, body.password, _caller(request), check=check)
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
    context = _desk(request)
    await limits.from_here(context, _caller(request), "user", context.settings.rate_limit_otp)
    change = Change(
        email=body.email or None,
        phone=body.phone or None,
        channel=channel_of(body.channel),
        data=body.data or {},
        password=body.password,
        current_password=body.current_password,
        nonce=body.nonce,
    )
    return _answer(user_json(await change_user(context, principal, change, ask_of(request, body))))


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
    context = _desk(request)
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
