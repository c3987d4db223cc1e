"""All routes use these helpers to read requests and write responses."""

from typing import Any, cast
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn import kit
from cairn.auth.bodies import Body, EmailLinkBody, parse_json
from cairn.auth.captcha import check_captcha
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadToken, BodyTooLarge, ChannelUnknown, NoAuthorization, NotAdmin
from cairn.auth.model import Caller, EmailLinkRequest, parse_challenge
from cairn.auth.redirects import redirect_target
from cairn.auth.sessions import principal_from_header
from cairn.db import Principal
from cairn.kit import Problem, read_body
from cairn.limits import larger_network_of

MAX_BODY_BYTES = 128_000
MAX_ADMIN_BODY_BYTES = 1_000_000
MAX_USER_AGENT_LENGTH = 400
ADMIN_ROLES = ("service_role", "supabase_admin")


def context_of(request: Request) -> AuthContext:
    return cast("AuthContext", request.app.state.context)


def principal_of(request: Request) -> Principal:
    return principal_from_header(context_of(request), request.headers.get("authorization"))


def caller_of(request: Request) -> Caller:
    user_agent = request.headers.get("user-agent")
    return Caller(
        ip=request.client and request.client.host, user_agent=user_agent and user_agent[:MAX_USER_AGENT_LENGTH]
    )


def require_admin(request: Request) -> None:
    """Checks only the role in the token, because the service key does not belong to a user."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    if context_of(request).keyring.claims(token.strip()).get("role") not in ADMIN_ROLES:
        raise NotAdmin


async def parse_body(request: Request, body_type: type[Body]) -> Body:
    """Reads and parses a JSON body."""
    max_bytes = _max_body_bytes(request)
    too_large, sender = BodyTooLarge(limit=max_bytes), _sender(request)
    body = await read_body(request.receive, max_bytes=max_bytes, sender=sender, too_large=too_large)
    return parse_json(body_type, bytes(body))


def _max_body_bytes(request: Request) -> int:
    """Only callers with the service key may send large bodies, because parsing one keeps all other requests waiting."""
    length = request.headers.get("content-length", "")
    # Most bodies are small, and then the token need not be verified.
    is_small = length.isdecimal() and len(length) < 10 and int(length) <= MAX_BODY_BYTES
    return MAX_ADMIN_BODY_BYTES if not is_small and _is_admin(request) else MAX_BODY_BYTES


async def read_form(request: Request, max_bytes: int) -> dict[str, str]:
    try:
        return await kit.read_form(request.receive, max_bytes=max_bytes, sender=_sender(request))
    except kit.BodyTooLarge as error:
        raise BodyTooLarge(limit=max_bytes) from error


def _sender(request: Request) -> str:
    return larger_network_of(request.client and request.client.host)


async def require_captcha(request: Request, body: EmailLinkBody) -> None:
    """Verifies the captcha if the deployment requires one. Callers with the service key do not need one."""
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
    """Returns where the link redirects to, and the PKCE challenge of the browser that may use it."""
    requested_url = request.query_params.get("redirect_to") or request.headers.get("redirect_to") or body.redirect_to
    target = redirect_target(requested_url, context_of(request).settings)
    challenge = parse_challenge(body.code_challenge, body.code_challenge_method)
    return EmailLinkRequest(target, challenge, caller_of(request))


def json_response(content: Any, **headers: str) -> Response:
    return JSONResponse(content, headers={"Cache-Control": "no-store", **headers})


def path_id(request: Request, name: str, error_type: type[Problem]) -> UUID:
    """Returns the UUID in the path, or raises `error_type` if it is malformed."""
    try:
        return UUID(request.path_params[name])
    except ValueError as error:
        raise error_type from error


def parse_channel(channel: str | None) -> str:
    if (channel or "sms") not in ("sms", "whatsapp"):
        raise ChannelUnknown
    return channel or "sms"
