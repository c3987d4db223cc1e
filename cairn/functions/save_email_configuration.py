"""`save-email-configuration` saves which provider sends the company's email."""

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from cairn.functions.call import Call
from cairn.functions.company import require_active_company
from cairn.functions.email_configuration import email_configuration
from cairn.functions.parameters import parse_parameters
from cairn.messaging import Provider, save_configuration


class _Parameters(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    provider: Provider
    # The key must consist of printable characters without spaces, because it is sent in a header.
    api_key: str = Field("", alias="apiKey", max_length=500, pattern=r"^[\x21-\x7e]*$")
    report_key: str = Field("", alias="reportKey", max_length=500)
    custom_endpoint: str = Field("", alias="customEndpoint", max_length=2000)
    sender_email: str = Field("", alias="senderEmail", max_length=320)


async def save_email_configuration(call: Call) -> Response:
    """Returns the new configuration, without the keys."""
    parameters = parse_parameters(call.body, _Parameters)
    user = await require_active_company(call)
    await save_configuration(
        call.database,
        call.context.provider_key_box,
        call.context.messaging,
        user.company_id,
        parameters.provider,
        api_key=parameters.api_key,
        custom_endpoint=parameters.custom_endpoint,
        sender_email=parameters.sender_email,
        report_key=parameters.report_key,
    )
    return await email_configuration(call)
