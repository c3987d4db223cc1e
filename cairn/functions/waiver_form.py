"""`waiver-form` returns the interactive PDF of a session or a template.

If the body is a filled form, the function returns the answers in it instead.
"""

from dataclasses import asdict
from uuid import UUID

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.errors import ParametersInvalid
from cairn.functions.parameters import download, is_file, parse_parameters
from cairn.limits import larger_network_of
from cairn.waivers import interactive_form_for_session, interactive_form_for_template, parse_filled_form


class _Parameters(BaseModel):
    session_id: UUID | None = None
    template_id: str | None = Field(None, max_length=100)


async def waiver_form(call: Call) -> Response:
    call.limit_documents()
    network = larger_network_of(call.ip)
    if is_file(call.body):
        answers = asdict(await parse_filled_form(call.documents, call.body, network=network))
        return JSONResponse({**answers, "session_id": answers["session_id"] and str(answers["session_id"])})
    parameters = parse_parameters(call.body, _Parameters)
    if parameters.session_id is not None:
        return download(
            await interactive_form_for_session(
                call.database, call.documents, call.principal, parameters.session_id, network=network
            )
        )
    if parameters.template_id is None:
        raise ParametersInvalid(field="session_id", reason="give a session or a template")
    return download(
        await interactive_form_for_template(
            call.database, call.documents, call.principal, parameters.template_id, network=network
        )
    )
