from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cairn.auth import limits
from cairn.auth.bodies import AddressBody, EmailLinkBody, session_json
from cairn.auth.email_links.bodies import MessageRequestBody, OtpBody, VerifyBody
from cairn.auth.email_links.follow_link import asks_for_password, confirmation_page, error_redirect, follow_link
from cairn.auth.email_links.link_page import FollowedLink
from cairn.auth.email_links.otp import send_email_otp, send_text_otp
from cairn.auth.email_links.reauthenticate import reauthenticate
from cairn.auth.email_links.recover import recover
from cairn.auth.email_links.resend import RESEND_TYPES, resend_email, resend_text
from cairn.auth.email_links.verify import PURPOSES_BY_TYPE, EnteredCode, HalfConfirmed, verify_code, verify_hash
from cairn.auth.errors import (
    AddressMissing,
    ChannelWithoutPhone,
    EmailMissing,
    LinkPasswordWrong,
    TokenHashWithAddress,
    TooManyWrongPasswords,
    TypeUnknown,
    VerifyNeedsOneAddress,
    VerifyNeedsOneToken,
)
from cairn.auth.http import (
    caller_of,
    context_of,
    email_link_request,
    json_response,
    parse_body,
    parse_channel,
    principal_of,
    read_form,
    require_captcha,
)
from cairn.auth.model import email_address, phone_number
from cairn.auth.redirects import redirect_target
from cairn.kit import Problem, Routes

ROUTES = Routes()

MAX_FORM_BYTES = 16_000
# The page loads only fonts, cannot be framed and sends no referrer. `form-action` is not restricted, because browsers
# also apply it to the redirect that follows the form.
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


@ROUTES.post("/otp")
@ROUTES.post("/magiclink")
async def post_otp(request: Request) -> Response:
    body = await parse_body(request, OtpBody)
    await _check_limits_and_captcha(request, body)
    context, link_request, data = context_of(request), email_link_request(request, body), body.data or {}
    create_user = body.create_user is not False
    if body.email:
        if body.channel:
            raise ChannelWithoutPhone
        await send_email_otp(context, email_address(body.email), data, link_request, create_user=create_user)
        return json_response({})
    if not body.phone:
        raise AddressMissing
    message_id = await send_text_otp(
        context, phone_number(body.phone), parse_channel(body.channel), data, link_request, create_user=create_user
    )
    return json_response({"message_id": str(message_id)})


@ROUTES.post("/recover")
async def post_recover(request: Request) -> Response:
    body = await parse_body(request, MessageRequestBody)
    await _check_limits_and_captcha(request, body)
    await recover(context_of(request), _required_email(body), email_link_request(request, body))
    return json_response({})


@ROUTES.post("/resend")
async def post_resend(request: Request) -> Response:
    body = await parse_body(request, MessageRequestBody)
    if body.type not in RESEND_TYPES:
        raise TypeUnknown(place="Resend", types=", ".join(RESEND_TYPES))
    await _check_limits_and_captcha(request, body)
    context, link_request = context_of(request), email_link_request(request, body)
    if body.type in ("signup", "email_change"):
        await resend_email(context, body.type, _required_email(body), link_request)
        return json_response({})
    if not body.phone:
        raise AddressMissing
    message_id = await resend_text(
        context, body.type, phone_number(body.phone), parse_channel(body.channel), link_request
    )
    return json_response({"message_id": str(message_id)})


@ROUTES.get("/reauthenticate")
async def get_reauthenticate(request: Request) -> Response:
    principal = principal_of(request)
    await _check_rate_limit(request)
    await reauthenticate(context_of(request), principal, email_link_request(request, EmailLinkBody()))
    return json_response({})


@ROUTES.get("/verify")
async def get_verify(request: Request) -> Response:
    query = request.query_params
    target = redirect_target(query.get("redirect_to"), context_of(request).settings)
    link = FollowedLink(query.get("type", ""), query.get("token") or query.get("token_hash") or "", target)
    return await _open_link(request, link)


@ROUTES.post("/verify")
async def post_verify(request: Request) -> Response:
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        fields = await read_form(request, MAX_FORM_BYTES)
        link = FollowedLink(
            kind=fields.get("type", ""),
            token_hash=fields.get("token", ""),
            redirect_to=redirect_target(fields.get("redirect_to"), context_of(request).settings),
            password=fields.get("password"),
            chooses_new_password="choose_password" in fields,
        )
        return await _use_link(request, link)
    body = await parse_body(request, VerifyBody)
    await limits.check_caller_limit(
        context_of(request), caller_of(request), "verify", context_of(request).settings.rate_limit_verify
    )
    link_type = _check_link_type(body.type or "")
    if bool(body.token) == bool(body.token_hash):
        raise VerifyNeedsOneToken
    if body.token_hash:
        if body.email or body.phone:
            raise TokenHashWithAddress
        grant = await verify_hash(context_of(request), link_type, body.token_hash, caller_of(request))
    else:
        grant = await verify_code(context_of(request), _entered_code(body), caller_of(request))
    if isinstance(grant, HalfConfirmed):
        return json_response({"msg": grant.message, "code": "200"})
    return json_response(session_json(grant))


async def _open_link(request: Request, link: FollowedLink) -> Response:
    context = context_of(request)
    try:
        _check_link_type(link.kind)
        shows_page = context.settings.mailer_confirm_links or await asks_for_password(context, link)
        # A HEAD request must not use the token either.
        if shows_page or request.method != "GET":
            return HTMLResponse(await confirmation_page(context, link), headers=PAGE_HEADERS)
    except Problem as problem:
        return _redirect(error_redirect(problem, link.token_hash, link.redirect_to))
    return await _use_link(request, link)


async def _use_link(request: Request, link: FollowedLink) -> Response:
    context = context_of(request)
    try:
        _check_link_type(link.kind)
        return _redirect(await follow_link(context, link, caller_of(request)))
    except (LinkPasswordWrong, TooManyWrongPasswords) as problem:
        page = await confirmation_page(context, link, problem=str(problem))
        return HTMLResponse(page, problem.status, PAGE_HEADERS)
    except Problem as problem:
        return _redirect(error_redirect(problem, link.token_hash, link.redirect_to))


def _redirect(target: str) -> Response:
    return RedirectResponse(target, 303, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})


def _check_link_type(kind: str) -> str:
    if kind not in PURPOSES_BY_TYPE:
        raise TypeUnknown(place="Verify", types=", ".join(PURPOSES_BY_TYPE))
    return kind


async def _check_limits_and_captcha(request: Request, body: EmailLinkBody) -> None:
    await _check_rate_limit(request)
    await require_captcha(request, body)


async def _check_rate_limit(request: Request) -> None:
    await limits.check_caller_limit(
        context_of(request), caller_of(request), "otp", context_of(request).settings.rate_limit_otp
    )


def _required_email(body: AddressBody) -> str:
    if not body.email:
        raise EmailMissing
    return email_address(body.email)


def _entered_code(body: VerifyBody) -> EnteredCode:
    if bool(body.email) == bool(body.phone):
        raise VerifyNeedsOneAddress
    address = email_address(body.email) if body.email else phone_number(body.phone or "")
    return EnteredCode(body.type or "", address, (body.token or "").strip())
