"""Reading requests and writing responses, as every route does."""

from typing import Any, cast
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.auth.bodies import Body, EmailLinkBody, parse_json
from cairn.auth.captcha import check_captcha
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadToken, BodyTooLarge, ChannelUnknown, NoAuthorization, NotAdmin
from cairn.auth.model import Caller, EmailLinkRequest, parse_challenge
from cairn.auth.redirects import redirect_target
from cairn.auth.sessions import principal_from_header
from cairn.db import Principal
from cairn.kit import Problem

LARGEST_BODY = 1_000_000
LONGEST_USER_AGENT = 400
ADMINS = ("service_role", "supabase_admin")


def context_of(request: Request) -> AuthContext:
    return cast("AuthContext", request.app.state.context)


def principal_of(request: Request) -> Principal:
    return principal_from_header(context_of(request), request.headers.get("authorization"))


def caller_of(request: Request) -> Caller:
    agent = request.headers.get("user-agent")
    return Caller(ip=request.client and request.client.host, user_agent=agent and agent[:LONGEST_USER_AGENT])


def require_admin(request: Request) -> None:
    """By the role in the token alone: the service key is nobody's."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    if context_of(request).keyring.claims(token.strip()).get("role") not in ADMINS:
        raise NotAdmin


async def parse_body(request: Request, kind: type[Body]) -> Body:
    return parse_json(kind, await _read(request))


async def read_form(request: Request) -> str:
    """What a browser's own form sends, still encoded."""
    return (await _read(request)).decode("utf-8", "replace")


async def _read(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST_BODY:
            raise BodyTooLarge(limit=LARGEST_BODY)
    return bytes(raw)


async def require_captcha(request: Request, body: EmailLinkBody) -> None:
    """Where a captcha is asked for, our own server code is the only one that need not bring it."""
    settings = context_of(request).settings
    if settings.captcha_secret is None or _is_admin(request):
        return
    await check_captcha(settings, body.gotrue_meta_security.captcha_token, caller_of(request))


def _is_admin(request: Request) -> bool:
    try:
        require_admin(request)
    except (NoAuthorization, NotAdmin, BadToken):
        return False
    return True


def email_link_request(request: Request, body: EmailLinkBody) -> EmailLinkRequest:
    """Where the link in the mail is to lead, and who alone may follow it."""
    wanted = request.query_params.get("redirect_to") or request.headers.get("redirect_to") or body.redirect_to
    target = redirect_target(wanted, context_of(request).settings)
    asked = parse_challenge(body.code_challenge, body.code_challenge_method)
    return EmailLinkRequest(target, asked, caller_of(request))


def json_response(content: Any, **headers: str) -> Response:
    return JSONResponse(content, headers={"Cache-Control": "no-store", **headers})


def path_id(request: Request, name: str, otherwise: type[Problem]) -> UUID:
    """What an address names, or the refusal of this door for something that is no id."""
    try:
        return UUID(request.path_params[name])
    except ValueError as malformed:
        raise otherwise from malformed


def channel_of(channel: str | None) -> str:
    if (channel or "sms") not in ("sms", "whatsapp"):
        raise ChannelUnknown
    return channel or "sms"
