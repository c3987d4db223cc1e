"""What every route does first and last: who asks, what they say, and how an answer looks."""

from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.auth.ask import Ask
from cairn.auth.bearer import bearer
from cairn.auth.captcha import check_captcha
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadToken, BodyTooLarge, NoAuthorization, NotAdmin
from cairn.auth.model import Caller
from cairn.auth.oauth_flow import challenge
from cairn.auth.redirects import redirect_target
from cairn.auth.wire import AskBody, Body, parsed
from cairn.db import Principal

LARGEST_BODY = 1_000_000
LONGEST_USER_AGENT = 400
ADMINS = ("service_role", "supabase_admin")


def context_of(request: Request) -> AuthContext:
    return cast("AuthContext", request.app.state.context)


def principal_of(request: Request) -> Principal:
    return bearer(context_of(request), request.headers.get("authorization"))


def caller_of(request: Request) -> Caller:
    agent = request.headers.get("user-agent")
    return Caller(ip=request.client and request.client.host, user_agent=agent and agent[:LONGEST_USER_AGENT])


def only_admins(request: Request) -> None:
    """By the role in the token alone: the service key is nobody's."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    if context_of(request).keyring.claims(token.strip()).get("role") not in ADMINS:
        raise NotAdmin


async def body_of(request: Request, kind: type[Body]) -> Body:
    return parsed(kind, await _read(request))


async def form_of(request: Request) -> str:
    """What a browser's own form sends, still encoded."""
    return (await _read(request)).decode("utf-8", "replace")


async def _read(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST_BODY:
            raise BodyTooLarge(limit=LARGEST_BODY)
    return bytes(raw)


async def human(request: Request, body: AskBody) -> None:
    """Where a captcha is asked for, our own server code is the only one that need not bring it."""
    settings = context_of(request).settings
    if settings.captcha_secret is None or _is_admin(request):
        return
    await check_captcha(settings, body.gotrue_meta_security.captcha_token, caller_of(request))


def _is_admin(request: Request) -> bool:
    try:
        only_admins(request)
    except (NoAuthorization, NotAdmin, BadToken):
        return False
    return True


def ask_of(request: Request, body: AskBody) -> Ask:
    """Where the link in the mail is to lead, and who alone may follow it."""
    wanted = request.query_params.get("redirect_to") or request.headers.get("redirect_to") or body.redirect_to
    target = redirect_target(wanted, context_of(request).settings)
    asked = challenge(body.code_challenge, body.code_challenge_method)
    return Ask(target, asked, caller_of(request))


def answer(content: Any, **headers: str) -> Response:
    return JSONResponse(content, headers={"Cache-Control": "no-store", **headers})
