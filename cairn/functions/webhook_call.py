"""Parses the calls with which a company manages its webhooks."""

from uuid import UUID

from pydantic import BaseModel

from cairn.functions.call import Call
from cairn.functions.company import require_active_company
from cairn.functions.errors import OnlyCompaniesConnectServices
from cairn.functions.parameters import parse_parameters


class _EndpointParameters(BaseModel):
    id: UUID


async def webhook_company_id(call: Call) -> UUID:
    return (await require_active_company(call, OnlyCompaniesConnectServices)).company_id


async def parse_endpoint_call(call: Call) -> tuple[UUID, UUID]:
    """Returns the id of the caller's company and the id of the endpoint that the call is about."""
    endpoint_id = parse_parameters(call.body, _EndpointParameters).id
    return await webhook_company_id(call), endpoint_id
