from starlette.requests import Request
from starlette.responses import Response

from cairn.auth import limits
from cairn.auth.bodies import factor_json, session_json
from cairn.auth.errors import FactorIdInvalid, UserIdInvalid
from cairn.auth.factors.bodies import CodeBody, EnrolBody, VerifyBody, challenge_json, enrolled_json
from cairn.auth.factors.challenge import create_challenge
from cairn.auth.factors.enrol import EnrolmentRequest, enrol
from cairn.auth.factors.recovery import create_codes, use_code
from cairn.auth.factors.remove import factors_of, remove_factor, remove_factor_as_admin
from cairn.auth.factors.verify import ChallengeResponse, verify
from cairn.auth.http import caller_of, context_of, json_response, parse_body, path_id, principal_of, require_admin
from cairn.db import Principal
from cairn.kit import Routes

# The first route that matches is used, so paths with `recovery_codes` come before those with a factor id in its place.
ROUTES = Routes()


@ROUTES.post("/factors")
async def post_factor(request: Request) -> Response:
    principal, body = await _rate_limited_principal(request), await parse_body(request, EnrolBody)
    enrolment = EnrolmentRequest(body.factor_type or "", body.friendly_name or "", body.issuer or "", body.phone or "")
    return json_response(enrolled_json(await enrol(context_of(request), principal, enrolment, caller_of(request))))


@ROUTES.post("/factors/recovery_codes")
async def post_recovery_codes(request: Request) -> Response:
    principal = await _rate_limited_principal(request)
    return json_response({"codes": await create_codes(context_of(request), principal, caller_of(request))})


@ROUTES.post("/factors/recovery_codes/verify")
async def post_recovery_code(request: Request) -> Response:
    principal, body = await _rate_limited_principal(request), await parse_body(request, CodeBody)
    return json_response(
        session_json(await use_code(context_of(request), principal, body.code or "", caller_of(request)))
    )


@ROUTES.delete("/factors/{factor_id}")
async def delete_factor(request: Request) -> Response:
    principal, factor_id = await _rate_limited_principal(request), path_id(request, "factor_id", FactorIdInvalid)
    await remove_factor(context_of(request), principal, factor_id, caller_of(request))
    return json_response({"id": str(factor_id)})


@ROUTES.post("/factors/{factor_id}/challenge")
async def post_challenge(request: Request) -> Response:
    """Ignores the body, because the path identifies the factor."""
    principal, factor_id = await _rate_limited_principal(request), path_id(request, "factor_id", FactorIdInvalid)
    return json_response(
        challenge_json(await create_challenge(context_of(request), principal, factor_id, caller_of(request)))
    )


@ROUTES.post("/factors/{factor_id}/verify")
async def post_verify(request: Request) -> Response:
    principal, factor_id = await _rate_limited_principal(request), path_id(request, "factor_id", FactorIdInvalid)
    body = await parse_body(request, VerifyBody)
    credential = (body.webauthn and body.webauthn.credential_response) or {}
    challenge_response = ChallengeResponse(body.challenge_id or "", body.code or "", credential)
    grant = await verify(context_of(request), principal, factor_id, challenge_response, caller_of(request))
    return json_response(session_json(grant))


@ROUTES.get("/admin/users/{user_id}/factors")
async def get_admin_factors(request: Request) -> Response:
    require_admin(request)
    factors = await factors_of(context_of(request), path_id(request, "user_id", UserIdInvalid))
    return json_response([factor_json(factor) for factor in factors])


@ROUTES.delete("/admin/users/{user_id}/factors/{factor_id}")
async def delete_admin_factor(request: Request) -> Response:
    require_admin(request)
    user_id, factor_id = path_id(request, "user_id", UserIdInvalid), path_id(request, "factor_id", FactorIdInvalid)
    return json_response(
        factor_json(await remove_factor_as_admin(context_of(request), user_id, factor_id, caller_of(request)))
    )


async def _rate_limited_principal(request: Request) -> Principal:
    """Returns the caller. Each request writes to the log of the account, so the requests of a network are limited."""
    principal, context = principal_of(request), context_of(request)
    await limits.check_caller_limit(context, caller_of(request), "factors", context.settings.rate_limit_factors)
    return principal
