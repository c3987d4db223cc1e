"""`save-webhook`: a company names an address that is told of each signed waiver, or changes one."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.parameters import asked
from cairn.integrations import Kind


class _Asked(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    # Empty for a new one. An old one keeps its kind.
    id: UUID | None = None
    kind: Kind = "webhook"
    name: str = Field("", max_length=80)
    url: str = Field(max_length=2000)


async def save_webhook(call: Call) -> Response:
    """A new one is answered with its secret, which is told here and nowhere else."""
    wanted = asked(call.body, _Asked)
    company = (await connecting_company(call)).company_id
    webhook_sender = call.tools.webhook_sender
    if wanted.id is not None:
        await integrations.change(webhook_sender, company, wanted.id, wanted.name, wanted.url)
        return JSONResponse({"id": str(wanted.id)})
    made = await integrations.register(webhook_sender, company, wanted.kind, wanted.name, wanted.url)
    return JSONResponse({"id": str(made.id), "secret": made.secret}, headers={"Cache-Control": "no-store"})
