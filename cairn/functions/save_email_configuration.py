"""`save-email-configuration`: a company chooses through whom its mail goes."""

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from cairn.functions.call import Call
from cairn.functions.company import calling_company
from cairn.functions.email_configuration import email_configuration
from cairn.functions.parameters import asked
from cairn.messaging import Provider, save_configuration


class _Asked(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    provider: Provider
    # Keys are printable and have no blanks, so that one can be a header.
    api_key: str = Field("", alias="apiKey", max_length=500, pattern=r"^[\x21-\x7e]*$")
    custom_endpoint: str = Field("", alias="customEndpoint", max_length=2000)
    sender_email: str = Field("", alias="senderEmail", max_length=320)


async def save_email_configuration(call: Call) -> Response:
    """Answers as it now is, without the key."""
    wanted = asked(call.body, _Asked)
    company = await calling_company(call)
    await save_configuration(
        call.database,
        call.tools.mail_key_box,
        call.tools.messaging,
        company.company_id,
        wanted.provider,
        api_key=wanted.api_key,
        custom_endpoint=wanted.custom_endpoint,
        sender_email=wanted.sender_email,
    )
    return await email_configuration(call)
