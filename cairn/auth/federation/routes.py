from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from cairn.auth import limits
from cairn.auth.bodies import session_json
from cairn.auth.callback_urls import with_error
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadState, IdentityIdInvalid
from cairn.auth.federation.authorize import AuthorizeRequest, authorize, authorize_linking
from cairn.auth.federation.bodies import ExchangeBody, IdTokenBody, SsoBody
from cairn.auth.federation.callback import CallbackParameters, callback
from cairn.auth.federation.id_token import IdTokenRequest, sign_in_with_id_token
from cairn.auth.federation.sso import SsoRequest, check_saml_enabled, finish_sso, our_saml_metadata, start_sso
from cairn.auth.federation.unlink import unlink
from cairn.auth.http import caller_of, context_of, json_response, parse_body, path_id, principal_of, read_form
from cairn.auth.model import parse_challenge, parse_role
from cairn.auth.redirects import redirect_target
from cairn.auth.sessions import exchange_code
from cairn.kit import Problem, Routes

ROUTES = Routes()

# A response from an identity provider is signed XML with certificates, so it can be large.
MAX_SAML_BYTES = 1_000_000
# These parameters belong to our own API. All others are passed on to the provider.
OWN_PARAMETERS = frozenset({
    "provider", "redirect_to", "scopes", "code_challenge", "code_challenge_method", "skip_http_redirect", "role",
    "apikey",
})  # fmt: skip


@ROUTES.get("/authorize")
async def get_authorize(request: Request) -> Response:
    context, query = context_of(request), request.query_params
    redirect_to = _redirect_target(context, request)
    try:
        await _check_rate_limit(request)
        url = await authorize(context, _authorize_request(query, redirect_to))
    except Problem as problem:
        if not _is_navigation(request):
            raise
        # The user would see JSON in the browser window, so the browser is sent back to the application with the error.
        return _redirect(with_error(redirect_to, problem))
    if query.get("skip_http_redirect") == "true":
        return json_response({"url": url})
    return _redirect(url)


@ROUTES.get("/callback")
async def get_callback(request: Request) -> Response:
    context, query = context_of(request), request.query_params
    parameters = CallbackParameters(
        state=query.get("state", ""),
        code=query.get("code", ""),
        error=query.get("error", ""),
        error_description=query.get("error_description", ""),
    )
    try:
        return _redirect(await callback(context, parameters, caller_of(request)))
    except BadState as error:
        return _redirect(with_error(context.settings.site_url, error, error="invalid_request"), status=303)


@ROUTES.get("/user/identities/authorize")
async def get_link_authorize(request: Request) -> Response:
    context, query = context_of(request), request.query_params
    await _check_rate_limit(request)
    authorize_request = _authorize_request(query, _redirect_target(context, request))
    url = await authorize_linking(context, principal_of(request), authorize_request)
    if query.get("skip_http_redirect") == "true":
        return json_response({"url": url})
    return _redirect(url)


@ROUTES.delete("/user/identities/{identity_id}")
async def delete_identity(request: Request) -> Response:
    principal = principal_of(request)
    await unlink(context_of(request), principal, path_id(request, "identity_id", IdentityIdInvalid), caller_of(request))
    return json_response({})


async def pkce_grant(request: Request) -> Response:
    body = await parse_body(request, ExchangeBody)
    grant = await exchange_code(context_of(request), body.auth_code or "", body.code_verifier or "", caller_of(request))
    return json_response(session_json(grant))


async def id_token_grant(request: Request) -> Response:
    body = await parse_body(request, IdTokenBody)
    token_request = IdTokenRequest(
        body.provider or body.issuer or "", body.id_token or "", body.nonce or None, body.access_token or None
    )
    link_to = principal_of(request) if body.link_identity else None
    return json_response(
        session_json(await sign_in_with_id_token(context_of(request), token_request, caller_of(request), link_to))
    )


@ROUTES.post("/sso")
async def post_sso(request: Request) -> Response:
    context, body = context_of(request), await parse_body(request, SsoBody)
    await limits.check_caller_limit(context, caller_of(request), "sso", context.settings.rate_limit_sso)
    target = body.redirect_to or request.query_params.get("redirect_to")
    sso_request = SsoRequest(
        redirect_to=redirect_target(target, context.settings),
        provider_id=body.provider_id or "",
        domain=body.domain or "",
        challenge=parse_challenge(body.code_challenge, body.code_challenge_method),
    )
    url = await start_sso(context, sso_request)
    return json_response({"url": url}) if body.skip_http_redirect else _redirect(url, status=303)


@ROUTES.post("/sso/saml/acs")
async def post_acs(request: Request) -> Response:
    context = context_of(request)
    check_saml_enabled(context)
    form = await read_form(request, MAX_SAML_BYTES)
    try:
        url = await finish_sso(context, form.get("SAMLResponse", ""), form.get("RelayState", ""), caller_of(request))
    except BadState as error:
        url = with_error(context.settings.site_url, error, error="invalid_request")
    return _redirect(url, status=303)


@ROUTES.get("/sso/saml/metadata")
async def get_saml_metadata(request: Request) -> Response:
    return Response(our_saml_metadata(context_of(request)), media_type="application/samlmetadata+xml")


def _authorize_request(query: Mapping[str, str], redirect_to: str) -> AuthorizeRequest:
    return AuthorizeRequest(
        provider=query.get("provider", ""),
        redirect_to=redirect_to,
        challenge=parse_challenge(query.get("code_challenge"), query.get("code_challenge_method")),
        scopes=query.get("scopes", ""),
        role=parse_role({"role": query.get("role") or None}),
        extra_parameters={name: value for name, value in query.items() if name not in OWN_PARAMETERS},
    )


async def _check_rate_limit(request: Request) -> None:
    context = context_of(request)
    await limits.check_caller_limit(context, caller_of(request), "authorize", context.settings.rate_limit_authorize)


def _redirect_target(context: AuthContext, request: Request) -> str:
    target = request.query_params.get("redirect_to") or request.headers.get("redirect_to")
    return redirect_target(target, context.settings)


def _is_navigation(request: Request) -> bool:
    return request.headers.get("sec-fetch-mode") == "navigate"


def _redirect(url: str, status: int = 302) -> Response:
    return RedirectResponse(url, status, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
