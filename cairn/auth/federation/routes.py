"""The doors of federated sign-in: read, call one verb, render."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from cairn.auth import limits
from cairn.auth.bodies import session_json
from cairn.auth.callback_urls import with_error
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadState, IdentityIdInvalid
from cairn.auth.federation.authorize import Departure, authorize, authorize_linking
from cairn.auth.federation.bodies import ExchangeBody, IdTokenBody, SsoBody
from cairn.auth.federation.callback import Answer, callback
from cairn.auth.federation.id_token import Proof, sign_in_with_id_token
from cairn.auth.federation.sso import SsoDeparture, begin_sso, finish_sso, metadata
from cairn.auth.federation.unlink import unlink
from cairn.auth.http import caller_of, context_of, json_response, parse_body, path_id, principal_of, read_form
from cairn.auth.model import chosen_role, parse_challenge
from cairn.auth.redirects import redirect_target
from cairn.auth.sessions import exchange_code
from cairn.kit import Problem

# What these parameters mean is ours to know; any other is passed on to the provider.
OURS = frozenset({
    "provider", "redirect_to", "scopes", "code_challenge", "code_challenge_method", "skip_http_redirect", "role",
    "apikey",
})  # fmt: skip


async def get_authorize(request: Request) -> Response:
    context, asked = context_of(request), request.query_params
    back_to = _back_to(context, request)
    try:
        await _not_too_often(request)
        address = await authorize(context, _departure(asked, back_to))
    except Problem as problem:
        if not _is_navigation(request):
            raise
        # A person looks at this window, and a page of JSON would be the end of it.
        return _sent_to(with_error(back_to, problem))
    if asked.get("skip_http_redirect") == "true":
        return json_response({"url": address})
    return _sent_to(address)


async def get_callback(request: Request) -> Response:
    context, told = context_of(request), request.query_params
    brought = Answer(*(told.get(name, "") for name in ("state", "code", "error", "error_description")))
    try:
        return _sent_to(await callback(context, brought, caller_of(request)))
    except BadState as unexpected:
        return _sent_to(with_error(context.settings.site_url, unexpected, error="invalid_request"), status=303)


async def get_link_authorize(request: Request) -> Response:
    context, asked = context_of(request), request.query_params
    await _not_too_often(request)
    departure = _departure(asked, _back_to(context, request))
    address = await authorize_linking(context, principal_of(request), departure)
    if asked.get("skip_http_redirect") == "true":
        return json_response({"url": address})
    return _sent_to(address)


async def delete_identity(request: Request) -> Response:
    principal = principal_of(request)
    await unlink(context_of(request), principal, path_id(request, "identity_id", IdentityIdInvalid), caller_of(request))
    return json_response({})


async def pkce_grant(request: Request) -> Response:
    body = await parse_body(request, ExchangeBody)
    granted = await exchange_code(
        context_of(request), body.auth_code or "", body.code_verifier or "", caller_of(request)
    )
    return json_response(session_json(granted))


async def id_token_grant(request: Request) -> Response:
    body = await parse_body(request, IdTokenBody)
    proof = Proof(
        body.provider or body.issuer or "", body.id_token or "", body.nonce or None, body.access_token or None
    )
    linking = principal_of(request) if body.link_identity else None
    return json_response(
        session_json(await sign_in_with_id_token(context_of(request), proof, caller_of(request), linking))
    )


async def post_sso(request: Request) -> Response:
    context, body = context_of(request), await parse_body(request, SsoBody)
    await limits.check_caller(context, caller_of(request), "sso", context.settings.rate_limit_sso)
    asked = body.redirect_to or request.query_params.get("redirect_to")
    departure = SsoDeparture(
        back_to=redirect_target(asked, context.settings),
        provider_id=body.provider_id or "",
        domain=body.domain or "",
        challenge=parse_challenge(body.code_challenge, body.code_challenge_method),
    )
    address = await begin_sso(context, departure)
    return json_response({"url": address}) if body.skip_http_redirect else _sent_to(address, status=303)


async def post_acs(request: Request) -> Response:
    context, raw = context_of(request), await read_form(request)
    form = dict(parse_qsl(raw))
    try:
        address = await finish_sso(
            context, form.get("SAMLResponse", ""), form.get("RelayState", ""), caller_of(request)
        )
    except BadState as unexpected:
        address = with_error(context.settings.site_url, unexpected, error="invalid_request")
    return _sent_to(address, status=303)


async def get_saml_metadata(request: Request) -> Response:
    return Response(metadata(context_of(request)), media_type="application/samlmetadata+xml")


def _departure(asked: Mapping[str, str], back_to: str) -> Departure:
    return Departure(
        provider=asked.get("provider", ""),
        back_to=back_to,
        challenge=parse_challenge(asked.get("code_challenge"), asked.get("code_challenge_method")),
        scopes=asked.get("scopes", ""),
        role=chosen_role({"role": asked.get("role") or None}),
        extra={name: value for name, value in asked.items() if name not in OURS},
    )


async def _not_too_often(request: Request) -> None:
    context = context_of(request)
    await limits.check_caller(context, caller_of(request), "authorize", context.settings.rate_limit_authorize)


def _back_to(context: AuthContext, request: Request) -> str:
    asked = request.query_params.get("redirect_to") or request.headers.get("redirect_to")
    return redirect_target(asked, context.settings)


def _is_navigation(request: Request) -> bool:
    return request.headers.get("sec-fetch-mode") == "navigate"


def _sent_to(address: str, status: int = 302) -> Response:
    return RedirectResponse(address, status, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})


ROUTES = [
    Route("/authorize", get_authorize, methods=["GET"]),
    Route("/callback", get_callback, methods=["GET"]),
    Route("/user/identities/authorize", get_link_authorize, methods=["GET"]),
    Route("/user/identities/{identity_id}", delete_identity, methods=["DELETE"]),
    Route("/sso", post_sso, methods=["POST"]),
    Route("/sso/saml/acs", post_acs, methods=["POST"]),
    Route("/sso/saml/metadata", get_saml_metadata, methods=["GET"]),
]
