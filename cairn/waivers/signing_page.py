"""Reads the data of the signing page as JSON text, with the privileges of an anonymous visitor."""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.kit import Problem, frozen_dataclass
from cairn.waivers import store


@frozen_dataclass
class SessionData:
    """`json` is the text that the page reads."""

    json: str
    has_form: bool = False
    is_signed: bool = False
    is_erased: bool = False
    """True if all signatures of the session were erased."""


class CompanyNotAccepting(Problem):
    status, code = 403, "company_not_accepting"
    message = "{company} does not accept signatures at present. Please contact the company."


async def session_data(database: Database, session_id: str) -> SessionData | None:
    """Returns None if there is no such session."""
    async with database.acting_as(ANON, _exact_id(session_id), read_only=True) as connection:
        session = await store.session_to_sign(connection, session_id)
        consent = await store.consent_text(connection)
    if session is None:
        return None
    content = f'"kind":"session","session":{session["session"]},"consent":{consent}'
    if session["status"] != "signed":
        if session["is_suspended"]:
            raise CompanyNotAccepting(company=session["company_name"])
        return SessionData(f"{{{content}}}", has_form=session["has_form"])
    # Anyone with the link reads this, so it is only the time and the first name.
    async with database.acting_as(SERVICE, read_only=True) as connection:
        first_signature = await store.first_signature(connection, session_id)
    data = f'{{{content},"first_signature":{first_signature or "null"}}}'
    return SessionData(data, session["has_form"], is_signed=True, is_erased=first_signature is None)


@frozen_dataclass
class TemplateData:
    json: str
    has_form: bool
    websites: Sequence[str] = ()
    """The websites that the company of the template allows to embed the page in a frame."""


async def template_data(database: Database, template_id: str, company_id: UUID | None) -> TemplateData | None:
    """`company_id` comes from the link. Only a sample template needs it, because it belongs to no company."""
    async with database.acting_as(ANON, _exact_id(template_id), read_only=True) as connection:
        template = await store.template_to_sign(connection, template_id, company_id)
        if template is None:
            return None
        return TemplateData(await _template_json(connection, template), template["has_form"])


async def embedded_template_data(database: Database, template_id: str, company_id: UUID | None) -> TemplateData | None:
    async with database.acting_as(ANON, _exact_id(template_id), read_only=True) as connection:
        template = await store.template_to_sign(connection, template_id, company_id)
        if template is None:
            return None
        websites = await store.embedding_websites(connection, template["company"])
        return TemplateData(await _template_json(connection, template), template["has_form"], websites or ())


async def _template_json(connection: Connection, template: dict[str, Any]) -> str:
    name = await store.company_name(connection, template["company"])
    if template["is_suspended"]:
        raise CompanyNotAccepting(company=name)
    consent = await store.consent_text(connection)
    company_id = json.dumps(None if template["company"] is None else str(template["company"]))
    company = f'"company_name":{json.dumps(name)},"company":{company_id}'
    return f'{{"kind":"template","template":{template["template"]},{company},"consent":{consent}}}'


def _exact_id(row_id: str) -> dict[str, str]:
    """Row security shows a session or template to an anonymous visitor only if the request names its exact id."""
    return {"request.eq": json.dumps({"id": row_id})}
