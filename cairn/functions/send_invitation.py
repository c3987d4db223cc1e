"""`send-invitation` sends an adult the link of their own waiver, for the guest who has added them to another one.

Anyone who has the link of a waiver can call it. Therefore a message has only our own text, each adult gets one email
and one text message, and the number of messages is limited for each network and company.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID, uuid4

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.billing import PlanLimitReached, message_quota, within_allowance
from cairn.db import SERVICE, Connection
from cairn.functions.call import Call
from cairn.functions.errors import (
    InvitationAlreadySent,
    InvitationNotFound,
    InvitationNotPossible,
    ParametersInvalid,
    PhoneNumberInvalid,
    RecipientInvalid,
    TextsNotOffered,
    TooManyInvitations,
)
from cairn.functions.parameters import parse_parameters
from cairn.kit import valid_address
from cairn.limits import Limit, take
from cairn.messaging import (
    CountedEmail,
    Email,
    MailLimitReached,
    SendingStatus,
    add_email,
    neutral_sender_name,
    parse_phone_number,
    queue_guest_text,
    sending_status,
    take_email,
    text_state,
)
from cairn.translations import text
from cairn.waivers import (
    Invitation,
    InvitedSession,
    invitation,
    lock_invited_session,
    record_invited_email,
    signing_link,
    text_invitation,
)

_BUTTON_LABEL = text("Review and sign")
_DAY = timedelta(days=1)
_GUEST_SHARE_DIVISOR = 4
"""Guests may send a quarter of a company's messages, so that no stranger can use up all of them."""


class _Parameters(BaseModel):
    session_id: UUID
    """The session of the guest who calls. Its id is the secret that proves the right to send."""
    invited_session_id: UUID
    email: str = Field("", max_length=320)
    phone: str = Field("", max_length=40)


async def send_invitation(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    if bool(parameters.email) == bool(parameters.phone):
        raise ParametersInvalid(field="email", reason="give either an email address or a phone number")
    with _neutral_refusals():
        await (_send_email if parameters.email else _send_text)(call, parameters)
    call.notifier.notify()
    return JSONResponse({"status": "sending"}, 202)


@contextmanager
def _neutral_refusals() -> Iterator[None]:
    """A guest need not know about the plan and the limits of the company. They can still show the link."""
    try:
        with within_allowance():
            yield
    except (PlanLimitReached, MailLimitReached) as error:
        raise InvitationNotPossible from error


async def _send_email(call: Call, parameters: _Parameters) -> None:
    try:
        recipient = valid_address(parameters.email.strip())
    except ValueError as error:
        raise RecipientInvalid(reason=str(error)) from error
    settings = call.context.messaging
    async with call.database.acting_as(SERVICE) as connection:
        invited, company_id = await _invited_session(connection, parameters)
        if invited.has_email:
            raise InvitationAlreadySent
        status = await sending_status(connection, settings, company_id)
        quota = await message_quota(connection, company_id, settings.emails)
        await _count(connection, call, Limit(f"invitations of {company_id}", _guest_share(quota.per_company), _DAY))
        refusal = await take_email(connection, settings, status, CountedEmail(recipient, quota, call.network))
        if refusal is not None:
            raise refusal
        await record_invited_email(connection, parameters.invited_session_id, recipient)
        content = await invitation(connection, parameters.invited_session_id)
        link = signing_link(call.documents.site_url, parameters.invited_session_id)
        email = _make_email(content, recipient, link, invited.company_name, status)
        await add_email(
            connection, email, company_id=company_id, session_id=parameters.invited_session_id,
            keep_retrying=True, stays_local=not status.leaves_the_server,
        )  # fmt: skip


async def _send_text(call: Call, parameters: _Parameters) -> None:
    settings = call.context.messaging
    if not settings.offers_texts:
        raise TextsNotOffered
    number = parse_phone_number(parameters.phone)
    if number is None:
        raise PhoneNumberInvalid
    async with call.database.acting_as(SERVICE) as connection:
        invited, company_id = await _invited_session(connection, parameters)
        if invited.has_text:
            raise InvitationAlreadySent
        await _count(
            connection, call, Limit(f"texted invitations of {company_id}", _guest_share(settings.texts.per_day), _DAY)
        )
        status = await sending_status(connection, settings, company_id)
        message = text_invitation(
            call.documents.site_url, company_id, invited.company_name, parameters.invited_session_id, number
        )
        text_id = await queue_guest_text(connection, message, settings.texts, status, call.network)
        state = await text_state(connection, text_id)
    # The transaction is committed first, so that the company sees why the message was not sent.
    if state.status == "failed":
        raise InvitationNotPossible


async def _invited_session(connection: Connection, parameters: _Parameters) -> tuple[InvitedSession, UUID]:
    """Returns the session of the adult and its company. Raises a Problem if its link must not be sent."""
    invited = await lock_invited_session(connection, parameters.invited_session_id, parameters.session_id)
    if invited is None or invited.state != "pending":
        raise InvitationNotFound
    if invited.company_id is None or invited.is_suspended:
        raise InvitationNotPossible
    return invited, invited.company_id


def _guest_share(max_of_company: int) -> int:
    return max(1, max_of_company // _GUEST_SHARE_DIVISOR)


async def _count(connection: Connection, call: Call, limit_of_company: Limit) -> None:
    per_network = call.context.messaging.emails.invitations_per_network
    for limit in (Limit(f"invitations from {call.network}", per_network, _DAY), limit_of_company):
        wait_seconds = await take(connection, limit)
        if wait_seconds is not None:
            raise TooManyInvitations(retry_after_seconds=round(wait_seconds))


def _make_email(content: Invitation, recipient: str, link: str, company_name: str, status: SendingStatus) -> Email:
    """The guest chose the name of the adult, so it is left out if it may be a message."""
    neutral = content.with_neutral_names()
    shown = neutral if status.is_restricted else content.with_recipient(neutral.recipient_name)
    return Email(
        id=uuid4(),
        recipient=recipient,
        subject=shown.subject,
        body=shown.body(link),
        action=str(_BUTTON_LABEL),
        sender_name=neutral_sender_name(company_name) if status.is_restricted else company_name,
    )
