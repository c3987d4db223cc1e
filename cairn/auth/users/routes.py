from functools import partial
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from cairn.auth import limits
from cairn.auth.bodies import decoy_user_json, session_json, user_json
from cairn.auth.errors import AnonymousDisabled, CredentialsMissing, EmailAndPhoneGiven, LogoutScopeUnknown, NotAdmin
from cairn.auth.http import (
    caller_of,
    context_of,
    email_link_request,
    json_response,
    parse_body,
    parse_channel,
    principal_of,
    require_captcha,
)
from cairn.auth.model import Grant, email_address, new_account_metadata, phone_number
from cairn.auth.users.anonymous import sign_in_anonymously
from cairn.auth.users.bodies import PasswordBody, SignUpBody, UserBody
from cairn.auth.users.change_user import UserChange, change_user, read_user
from cairn.auth.users.log_out import Scope, log_out
from cairn.auth.users.sign_in import sign_in
from cairn.auth.users.sign_up import NewAccount, sign_up
from cairn.kit import Routes, now

ROUTES = Routes()


@ROUTES.post("/signup")
async def post_signup(request: Request) -> Response:
    body = await parse_body(request, SignUpBody)
    context = context_of(request)
    if body.email and body.phone:
        raise EmailAndPhoneGiven
    if not body.email and not body.phone and not body.password:
        return await _sign_up_anonymously(request, body)
    if not (body.email or body.phone) or not body.password:
        raise CredentialsMissing
    await limits.check_caller_limit(context, caller_of(request), "otp", context.settings.rate_limit_otp)
    await require_captcha(request, body)
    new_account = NewAccount(
        email=email_address(body.email) if body.email else None,
        phone=phone_number(body.phone) if body.phone else None,
        password=body.password,
        data=body.data or {},
        channel=parse_channel(body.channel),
    )
    result = await sign_up(context, new_account, email_link_request(request, body))
    if isinstance(result, Grant):
        return json_response(session_json(result))
    if result is None:
        _, user_metadata = new_account_metadata(new_account.data, new_account.email, new_account.phone)
        return json_response(decoy_user_json(new_account.email, new_account.phone, user_metadata, now()))
    return json_response(user_json(result))


async def _sign_up_anonymously(request: Request, body: SignUpBody) -> Response:
    context = context_of(request)
    if not context.settings.external_anonymous_users_enabled:
        raise AnonymousDisabled
    max_sign_ups = context.settings.rate_limit_anonymous_users
    await limits.check_caller_limit(context, caller_of(request), "anonymous", max_sign_ups, limits.HOUR)
    await require_captcha(request, body)
    return json_response(session_json(await sign_in_anonymously(context, body.data or {}, caller_of(request))))


@ROUTES.get("/user")
async def get_user(request: Request) -> Response:
    return json_response(user_json(await read_user(context_of(request), principal_of(request))))


@ROUTES.put("/user")
async def put_user(request: Request) -> Response:
    principal = principal_of(request)
    body = await parse_body(request, UserBody)
    if body.app_metadata is not None:
        raise NotAdmin
    context = context_of(request)
    await limits.check_caller_limit(context, caller_of(request), "user", context.settings.rate_limit_otp)
    change = UserChange(
        email=body.email or None,
        phone=body.phone or None,
        channel=parse_channel(body.channel),
        data=body.data or {},
        password=body.password,
        current_password=body.current_password,
        nonce=body.nonce,
    )
    return json_response(user_json(await change_user(context, principal, change, email_link_request(request, body))))


@ROUTES.post("/logout")
async def post_logout(request: Request) -> Response:
    principal = principal_of(request)
    scope = request.query_params.get("scope") or "global"
    if scope not in ("global", "local", "others"):
        raise LogoutScopeUnknown(scope=scope)
    await log_out(context_of(request), principal, cast("Scope", scope), caller_of(request))
    return Response(status_code=204)


async def password_grant(request: Request) -> Response:
    body = await parse_body(request, PasswordBody)
    if not (body.email or body.phone) or not body.password:
        raise CredentialsMissing
    check_captcha = partial(require_captcha, request, body)
    grant = await sign_in(
        context_of(request), body.email, body.phone, body.password, caller_of(request), check_captcha=check_captcha
    )
    return json_response(session_json(grant))
