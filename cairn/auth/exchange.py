"""The last step of PKCE: the code from the address bar and the verifier from the browser's store become a session."""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from cairn.auth import store
from cairn.auth.desk import Desk
from cairn.auth.errors import SignInBanned
from cairn.auth.errors_by_mail import BadCodeVerifier, FlowStateExpired, FlowStateNotFound
from cairn.auth.grant import Grant, open_session
from cairn.auth.model import Caller, Flow
from cairn.kit import now

FLOW_LIFETIME = timedelta(minutes=5)
# Providers' flows are recorded as `oauth`; everything else came by mail.
METHODS = {"oauth": "oauth", "sso/saml": "sso/saml"}


async def exchange_code(desk: Desk, auth_code: str, code_verifier: str, caller: Caller) -> Grant:
    async with desk.transaction() as conn:
        flow = await store.take_flow(conn, _uuid(auth_code))
        if flow is None or flow.user_id is None:
            raise FlowStateNotFound
        moment = now()
        if moment - flow.auth_code_issued_at > FLOW_LIFETIME:
            raise FlowStateExpired
        if not answers(flow, code_verifier):
            raise BadCodeVerifier
        person = await store.person_by_id(conn, flow.user_id)
        if person is None:
            raise FlowStateNotFound
        if person.is_banned(moment):
            raise SignInBanned
        await store.drop_flow(conn, flow.id)
        await store.note(conn, "login", person.id, caller, method=f"pkce {flow.authentication_method}")
        method = METHODS.get(flow.authentication_method, "otp")
        granted = await open_session(desk, conn, person, method=method, caller=caller, now=moment)
    return with_provider_tokens(granted, flow)


def answers(flow: Flow, verifier: str) -> bool:
    """Whether this is what the challenge was made of."""
    if flow.code_challenge is None:
        return False
    answer = verifier.encode()
    if flow.code_challenge_method == "s256":
        answer = urlsafe_b64encode(sha256(answer).digest()).rstrip(b"=")
    return hmac.compare_digest(answer, flow.code_challenge.encode())


def with_provider_tokens(granted: Grant, flow: Flow) -> Grant:
    return replace(granted, provider_token=flow.provider_token, provider_refresh_token=flow.provider_refresh_token)


def _uuid(code: str) -> UUID:
    try:
        return UUID(code)
    except ValueError as malformed:
        raise FlowStateNotFound from malformed
