"""`save-webhook` adds or changes an endpoint that receives each newly signed waiver."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.parameters import parse_parameters
from cairn.functions.webhook_call import webhook_company_id
from cairn.integrations import Kind


class _Parameters(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    # The id is None for a new endpoint. The kind of an existing endpoint cannot be changed.
    id: UUID | None = None
    kind: Kind = "webhook"
    name: str = Field("", max_length=80)
    url: str = Field(max_length=2000)
    # Whether answers to sensitive questions are sent. None keeps what was chosen; at first they are not sent.
    send_sensitive: bool | None = None


async def save_webhook(call: Call) -> Response:
    """Returns the id and, for a new endpoint, its secret, which cannot be read later."""
    parameters = parse_parameters(call.body, _Parameters)
    company_id = await webhook_company_id(call)
    sender, name, url = call.context.webhook_sender, parameters.name, parameters.url
    if parameters.id is not None:
        await integrations.change_endpoint(
            sender, company_id, parameters.id, name, url, send_sensitive=parameters.send_sensitive
        )
        return JSONResponse({"id": str(parameters.id)})
    endpoint = await integrations.register_endpoint(
        sender, company_id, parameters.kind, name, url, send_sensitive=bool(parameters.send_sensitive)
    )
    return JSONResponse({"id": str(endpoint.id), "secret": endpoint.secret}, headers={"Cache-Control": "no-store"})
