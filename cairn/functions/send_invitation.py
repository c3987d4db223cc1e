"""`send-invitation` sends the link of a waiver to someone who signs it on their own phone.

A guest sends it to an adult whom they have added to their own waiver. Anyone who has the link of a waiver can do that.
Therefore a message has only our own text, each adult gets one email and one text message, the number of messages is
limited for each network and company, and they do not count as sent waivers of the company.

A company sends the link from its own device to the guardian of a minor. That does count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID, uuid4

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.billing import PlanLimitReached, covered_waivers, exempt_session, message_quota, within_allowance
from cairn.db import SERVICE, Connection
from cairn.functions.call import Call
from cairn.functions.company import require_active_company
from cairn.functions.errors import (
    InvitationAlreadySent,
    InvitationNotFound,
    InvitationNotPossible,
    ParametersInvalid,
    PhoneNumberInvalid,
    RecipientInvalid,
    TextsNotOffered,
    TooManyInvitations,
    WaiverEmailedTooOften,
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
    SessionToSend,
    has_max_email_events,
    invitation,
    lock_session_to_send,
    record_invited_email,
    signing_link,
    text_invitation,
)

_BUTTON_LABEL = text("Review and sign")
_DAY, _MONTH = timedelta(days=1), timedelta(days=30)
_GUEST_SHARE_DIVISOR = 4
"""Guests may send a quarter of what the company may send in a day, and in a month a quarter of its plan's waivers."""


class _Parameters(BaseModel):
    session_id: UUID
    """The session of the guest who calls. Its id is the secret that proves the right to send."""
    invited_session_id: UUID | None = None
    """The session of the adult. Without it, the company of `session_id` sends the link of that session."""
    email: str = Field("", max_length=320)
    phone: str = Field("", max_length=40)


async def send_invitation(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    if bool(parameters.email) == bool(parameters.phone):
        raise ParametersInvalid(field="email", reason="give either an email address or a phone number")
    sending_company = None if parameters.invited_session_id else (await require_active_company(call)).company_id
    with _neutral_refusals():
        await (_send_email if parameters.email else _send_text)(call, parameters, sending_company)
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


async def _send_email(call: Call, parameters: _Parameters, sending_company: UUID | None) -> None:
    try:
        recipient = valid_address(parameters.email.strip())
    except ValueError as error:
        raise RecipientInvalid(reason=str(error)) from error
    settings = call.context.messaging
    async with call.database.acting_as(SERVICE) as connection:
        session, company_id = await _session_to_send(connection, parameters, sending_company)
        status = await sending_status(connection, settings, company_id)
        quota = await message_quota(connection, company_id, settings.emails)
        if sending_company is None:
            if session.has_email:
                raise InvitationAlreadySent
            limit = Limit(f"invitations of {company_id}", _guest_share(quota.per_company), _DAY)
            await _count_for_guest(connection, call, session.id, company_id, limit)
        if await has_max_email_events(connection, session.id):
            raise WaiverEmailedTooOften
        refusal = await take_email(connection, settings, status, CountedEmail(recipient, quota, call.network))
        if refusal is not None:
            raise refusal
        await record_invited_email(connection, session.id, recipient)
        content = await invitation(connection, session.id)
        link = signing_link(call.documents.site_url, session.id)
        email = _make_email(content, recipient, link, session.company_name, status)
        await add_email(
            connection, email, company_id=company_id, session_id=session.id,
            keep_retrying=True, stays_local=not status.leaves_the_server,
        )  # fmt: skip


async def _send_text(call: Call, parameters: _Parameters, sending_company: UUID | None) -> None:
    settings = call.context.messaging
    if not settings.offers_texts:
        raise TextsNotOffered
    number = parse_phone_number(parameters.phone)
    if number is None:
        raise PhoneNumberInvalid
    async with call.database.acting_as(SERVICE) as connection:
        session, company_id = await _session_to_send(connection, parameters, sending_company)
        if sending_company is None:
            if session.has_text:
                raise InvitationAlreadySent
            limit = Limit(f"texted invitations of {company_id}", _guest_share(settings.texts.per_day), _DAY)
            await _count_for_guest(connection, call, session.id, company_id, limit)
        status = await sending_status(connection, settings, company_id)
        message = text_invitation(call.documents.site_url, company_id, session.company_name, session.id, number)
        text_id = await queue_guest_text(connection, message, settings.texts, status, call.network)
        state = await text_state(connection, text_id)
    # The transaction is committed first, so that the company sees why the message was not sent.
    if state.status == "failed":
        raise InvitationNotPossible


async def _session_to_send(
    connection: Connection, parameters: _Parameters, sending_company: UUID | None
) -> tuple[SessionToSend, UUID]:
    """Returns the session whose link is sent, and its company. Raises a Problem if the link must not be sent."""
    session_id, invited_id = parameters.session_id, parameters.invited_session_id
    session = await lock_session_to_send(
        connection, invited_id or session_id, invited_by=session_id if invited_id else None, company_id=sending_company
    )
    if session is None or session.state != "pending":
        raise InvitationNotFound
    if session.company_id is None or session.is_suspended:
        raise InvitationNotPossible
    return session, session.company_id


def _guest_share(max_of_company: int) -> int:
    return max(1, max_of_company // _GUEST_SHARE_DIVISOR)


async def _count_for_guest(
    connection: Connection, call: Call, session_id: UUID, company_id: UUID, limit_of_company: Limit
) -> None:
    """Counts a message that a guest sends. It does not count as a sent waiver of the company."""
    per_network = call.context.messaging.emails.invitations_per_network
    limits = [Limit(f"invitations from {call.network}", per_network, _DAY), limit_of_company]
    covered = await covered_waivers(connection, company_id)
    if covered is not None:
        limits.append(Limit(f"invitations in a month of {company_id}", _guest_share(covered), _MONTH))
    await exempt_session(connection, session_id, company_id)
    for limit in limits:
        wait_seconds = await take(connection, limit)
        if wait_seconds is not None:
            raise TooManyInvitations(retry_after_seconds=round(wait_seconds))


def _make_email(content: Invitation, recipient: str, link: str, company_name: str, status: SendingStatus) -> Email:
    """A guest may have chosen the name of the recipient, so it is left out if it may be a message."""
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
