"""`send-email`: a company writes to a guest, by text message too if it gave a number, and hears what became of it."""

from typing import Literal
from uuid import UUID, uuid4

from email_validator import EmailNotValidError, validate_email
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from cairn.accounts import CompanyPerson
from cairn.billing import within_allowance
from cairn.db import SERVICE, Connection
from cairn.functions.call import Call
from cairn.functions.company import calling_company
from cairn.functions.errors import (
    EmailParametersInvalid,
    EmailParametersMissing,
    NumberInvalid,
    PdfNeedsSession,
    RecipientInvalid,
    SessionNotYours,
    TextNeedsSession,
    TextsNotOffered,
)
from cairn.functions.outcome import outcome
from cairn.messaging import Email, GuestText, add_email, read_number, text_guest
from cairn.waivers import FORM_SOURCE, owns_session, text_invitation

_BUTTON = "Review and sign"


class _Asked(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    to: str = Field("", max_length=320)
    subject: str = Field("", max_length=500)
    body: str = Field("", max_length=50_000)
    attachment_type: Literal["link", "pdf"] = Field("link", alias="attachmentType")
    session_id: UUID | None = Field(None, alias="sessionId")
    phone: str = Field("", max_length=40)


async def send_email(call: Call) -> Response:
    asked = _parse(call.body)
    sender = await calling_company(call)
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        await _check_session(connection, asked, sender)
    email, text = _email(asked, sender), _text(call, asked, sender)
    with within_allowance():
        text_id = await _ask_for(call, email, text, asked, sender)
    return await outcome(call, email.id, text_id)


async def _ask_for(
    call: Call, email: Email, text: GuestText | None, asked: _Asked, sender: CompanyPerson
) -> UUID | None:
    """The id of the text message, if there is one."""
    async with call.database.acting_as(SERVICE) as connection:
        await add_email(
            connection, email, company_id=sender.company_id, session_id=asked.session_id,
            attachment_type=asked.attachment_type, attachment=_attachment(asked),
        )  # fmt: skip
        return None if text is None else await text_guest(connection, text, call.tools.messaging.texts)


def _parse(body: bytes) -> _Asked:
    try:
        asked = _Asked.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise EmailParametersInvalid(field=field, reason=first["msg"]) from error
    if not (asked.to and asked.subject and asked.body):
        raise EmailParametersMissing
    if asked.attachment_type == "pdf" and asked.session_id is None:
        raise PdfNeedsSession
    return asked


async def _check_session(connection: Connection, asked: _Asked, sender: CompanyPerson) -> None:
    if asked.session_id and not await owns_session(connection, asked.session_id, sender.company_id):
        raise SessionNotYours


def _attachment(asked: _Asked) -> tuple[str, UUID] | None:
    if asked.attachment_type == "link" or asked.session_id is None:
        return None
    return FORM_SOURCE, asked.session_id


def _email(asked: _Asked, sender: CompanyPerson) -> Email:
    try:
        recipient = validate_email(asked.to, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError as error:
        raise RecipientInvalid(reason=str(error)) from error
    return Email(
        id=uuid4(),
        recipient=recipient,
        # A header is one line; what was typed on several becomes one.
        subject=" ".join(asked.subject.split()),
        body=asked.body,
        action=_BUTTON,
        sender_name=sender.company_name or None,
        reply_to=sender.email,
    )


def _text(call: Call, asked: _Asked, sender: CompanyPerson) -> GuestText | None:
    if not asked.phone:
        return None
    if not call.tools.messaging.offers_texts:
        raise TextsNotOffered
    if asked.session_id is None:
        raise TextNeedsSession
    number = read_number(asked.phone)
    if number is None:
        raise NumberInvalid
    return text_invitation(call.documents.site_url, sender.company_id, sender.company_name, asked.session_id, number)
