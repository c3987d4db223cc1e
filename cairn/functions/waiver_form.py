"""`waiver-form`: the interactive PDF of a session or a template; or, given a filled one, what was written into it."""

from dataclasses import asdict
from uuid import UUID

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.errors import ParametersInvalid
from cairn.functions.parameters import asked, download, is_file
from cairn.waivers import form_for_session, form_for_template, parse_filled_form


class _Asked(BaseModel):
    session_id: UUID | None = None
    template_id: str | None = Field(None, max_length=100)


async def waiver_form(call: Call) -> Response:
    if is_file(call.body):
        answers = asdict(await parse_filled_form(call.body))
        return JSONResponse({**answers, "session_id": answers["session_id"] and str(answers["session_id"])})
    wanted = asked(call.body, _Asked)
    if wanted.session_id is not None:
        return download(await form_for_session(call.database, call.documents, call.principal, wanted.session_id))
    if wanted.template_id is None:
        raise ParametersInvalid(field="session_id", reason="name a session or a template")
    return download(await form_for_template(call.database, call.documents, call.principal, wanted.template_id))
