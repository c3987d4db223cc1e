"""`send-email` sends an email from a company to a guest, and a text message if there is a phone number.

The response contains the outcome. A client that got no response repeats its request with the same `idempotencyKey`:
nothing is sent again, and the response contains the outcome of the first request.
"""

from dataclasses import replace
from typing import Literal
from uuid import UUID, uuid4, uuid5

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from cairn.accounts import CompanyPerson
from cairn.billing import message_quota, within_allowance
from cairn.db import SERVICE, Connection
from cairn.functions.call import Call
from cairn.functions.company import require_active_company
from cairn.functions.email_outcome import email_outcome
from cairn.functions.errors import (
    EmailParametersInvalid,
    EmailParametersMissing,
    MessageNeedsConfirmedAddress,
    PdfNeedsConfirmedAddress,
    PdfNeedsSession,
    PhoneNumberInvalid,
    RecipientInvalid,
    SessionNotYours,
    TextNeedsSession,
    TextsNotOffered,
    WaiverEmailedTooOften,
    WaiverLinkExpired,
    WaiverWasCancelled,
)
from cairn.functions.parameters import check_characters, parse_json
from cairn.kit import first_wrong_field, valid_address
from cairn.messaging import (
    CountedEmail,
    Email,
    GuestText,
    add_email,
    email_exists,
    lock_email,
    neutral_sender_name,
    newest_text_id,
    parse_phone_number,
    queue_guest_text,
    sending_status,
    take_email,
)
from cairn.translations import text
from cairn.waivers import FORM_SOURCE, has_max_email_events, invitation, session_status, standard_email, text_invitation

_BUTTON_LABEL = text("Review and sign")


class _Parameters(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    to: str = Field("", max_length=320)
    subject: str = Field("", max_length=500)
    body: str = Field("", max_length=50_000)
    attachment_type: Literal["link", "pdf"] = Field("link", alias="attachmentType")
    session_id: UUID | None = Field(None, alias="sessionId")
    phone: str = Field("", max_length=40)
    idempotency_key: UUID | None = Field(None, alias="idempotencyKey")


async def send_email(call: Call) -> Response:
    parameters = _parse(call.body)
    sender = await require_active_company(call)
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        await _check_session(connection, parameters, sender)
    email, text = _make_email(parameters, sender), _make_text(call, parameters, sender)
    with within_allowance():
        text_id = await _queue(call, email, text, parameters, sender)
    return await email_outcome(call, email.id, text_id)


async def _queue(
    call: Call, email: Email, text: GuestText | None, parameters: _Parameters, sender: CompanyPerson
) -> UUID | None:
    """Queues both messages and returns the id of the text message, if there is one."""
    settings = call.context.messaging
    async with call.database.acting_as(SERVICE) as connection:
        if parameters.idempotency_key is not None:
            # If a request is sent twice at the same time, the second waits here until the first has queued the email.
            await lock_email(connection, email.id)
            if await email_exists(connection, email.id):
                return await _earlier_text_id(connection, text)
        status = await sending_status(connection, settings, sender.company_id)
        if status.is_restricted:
            email = await _with_standard_text(connection, email, parameters, call.documents.site_url)
        quota = await message_quota(connection, sender.company_id, settings.emails)
        refusal = await take_email(connection, settings, status, CountedEmail(email.recipient, quota, call.network))
        if refusal is not None:
            raise refusal
        if parameters.session_id is not None and await has_max_email_events(connection, parameters.session_id):
            raise WaiverEmailedTooOften
        await add_email(
            connection, email, company_id=sender.company_id, session_id=parameters.session_id,
            attachment_type=parameters.attachment_type, attachment=_attachment_source(parameters),
            stays_local=not status.leaves_the_server,
        )  # fmt: skip
        if text is None:
            return None
        return await queue_guest_text(connection, text, settings.texts, status, call.network)


async def _earlier_text_id(connection: Connection, text: GuestText | None) -> UUID | None:
    return None if text is None else await newest_text_id(connection, text.session_id)


async def _with_standard_text(connection: Connection, email: Email, parameters: _Parameters, site_url: str) -> Email:
    """A company that has not confirmed its address sends our standard text, and so cannot spread its own."""
    if parameters.session_id is None:
        raise MessageNeedsConfirmedAddress
    if parameters.attachment_type == "pdf":
        # The PDF contains the text of the company.
        raise PdfNeedsConfirmedAddress
    invited = await invitation(connection, parameters.session_id)
    text = standard_email(invited, site_url, email.subject, email.body)
    if text is None:
        raise MessageNeedsConfirmedAddress
    subject, body = text
    return replace(email, subject=subject, body=body, sender_name=neutral_sender_name(email.sender_name))


def _parse(body: bytes) -> _Parameters:
    try:
        parameters = parse_json(body, _Parameters)
    except ValidationError as error:
        wrong = first_wrong_field(error)
        raise EmailParametersInvalid(field=wrong.name() or "body", reason=wrong.reason) from error
    check_characters(parameters)
    if not (parameters.to and parameters.subject and parameters.body):
        raise EmailParametersMissing
    if parameters.attachment_type == "pdf" and parameters.session_id is None:
        raise PdfNeedsSession
    return parameters


async def _check_session(connection: Connection, parameters: _Parameters, sender: CompanyPerson) -> None:
    """Refuses the session of another company, and one whose link the guest could not use."""
    if parameters.session_id is None:
        return
    status = await session_status(connection, parameters.session_id, sender.company_id)
    if status is None:
        raise SessionNotYours
    if status == "expired":
        raise WaiverLinkExpired
    if status == "cancelled":
        raise WaiverWasCancelled


def _attachment_source(parameters: _Parameters) -> tuple[str, UUID] | None:
    if parameters.attachment_type == "link" or parameters.session_id is None:
        return None
    return FORM_SOURCE, parameters.session_id


def _make_email(parameters: _Parameters, sender: CompanyPerson) -> Email:
    try:
        recipient = valid_address(parameters.to)
    except ValueError as error:
        raise RecipientInvalid(reason=str(error)) from error
    return Email(
        id=_email_id(parameters, sender),
        recipient=recipient,
        # A header is one line, so line breaks become spaces.
        subject=" ".join(parameters.subject.split()),
        body=parameters.body,
        action=str(_BUTTON_LABEL),
        sender_name=sender.company_name or None,
        reply_to=sender.email,
    )


def _email_id(parameters: _Parameters, sender: CompanyPerson) -> UUID:
    """Returns the same id for each repetition of a request.

    The id is a hash, so that no one can choose the id of another email, for example of the copy that a signer gets.
    """
    if parameters.idempotency_key is None:
        return uuid4()
    return uuid5(parameters.idempotency_key, f"email of {sender.company_id} about {parameters.session_id}")


def _make_text(call: Call, parameters: _Parameters, sender: CompanyPerson) -> GuestText | None:
    if not parameters.phone:
        return None
    if not call.context.messaging.offers_texts:
        raise TextsNotOffered
    if parameters.session_id is None:
        raise TextNeedsSession
    number = parse_phone_number(parameters.phone)
    if number is None:
        raise PhoneNumberInvalid
    site_url = call.documents.site_url
    return text_invitation(site_url, sender.company_id, sender.company_name, parameters.session_id, number)
