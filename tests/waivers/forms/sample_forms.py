"""A form for families with sample answers, and functions that save it in a template and sign it."""

import json
from datetime import date
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import ANON, Database
from tests.factories import make_session, signature_data_url
from tests.people import Person

FAMILY_FORM: dict[str, Any] = {
    "covers": {"signer": True, "minors": {"most": 3, "own_signature_from_age": 16}, "age_of_majority": 18},
    "questions": [
        {"key": "emergency", "kind": "emergency_contact", "label": "Emergency contact", "required": True},
        {
            "key": "asthma",
            "kind": "yes_no",
            "label": "Do you have asthma?",
            "asked_of": "participant",
            "required": True,
            "sensitive": True,
            "flag": {"when": "yes", "text": "Asthma"},
        },
        {
            "key": "inhaler",
            "kind": "yes_no",
            "label": "Do you carry an inhaler?",
            "asked_of": "participant",
            "show_if": {"question": "asthma", "is": True},
        },
        {
            "key": "swims",
            "kind": "one_of",
            "label": "How well do you swim?",
            "asked_of": "minor",
            "options": [{"value": "well", "label": "Well"}, {"value": "badly", "label": "Not well"}],
            "flag": {"when": {"one_of": ["badly"]}, "text": "Cannot swim well"},
        },
    ],
}
TEXT = "I, [PARTICIPANT NAME], ride."
EMERGENCY = {"name": "Ana Okafor", "phone": "+1 555 0100", "relationship": "sister"}
GUARDIAN = {"relationship": "mother", "has_authority": True}


def years_ago(years: int) -> str:
    """Returns a birth date. It is at most the 28th, because 29 February does not exist in every year."""
    today = date.today()
    return today.replace(year=today.year - years, day=min(today.day, 28)).isoformat()


def minor(age: int = 8, **changes: object) -> dict[str, Any]:
    return {
        "name": "Mia Okafor",
        "birth_date": years_ago(age),
        "kind": "minor",
        "answers": {"asthma": False, "swims": "well"},
        **changes,
    }


async def make_template(database: Database, owner: Person, form: object, content: str = TEXT) -> str:
    async with database.acting_as(owner.principal) as connection:
        template_id: str = await connection.fetchval(
            "insert into waiver_templates (name, content, form) values ('River trip', $1, $2) returning id",
            content,
            json.dumps(form),
        )
    return template_id


async def open_session(database: Database, owner: Person, form: object = None, content: str = TEXT) -> UUID:
    return await make_session(database, owner, await make_template(database, owner, form or FAMILY_FORM, content))


async def sign_form(database: Database, session_id: UUID, **columns: object) -> asyncpg.Record:
    """Signs as a guest. `columns` are `answers`, `participants`, `guardian`, `initials` and other columns."""
    values = {
        name: value if value is None or name in ("id", "document_secret") else json.dumps(value)
        for name, value in columns.items()
    }
    names = "".join(f", {name}" for name in values)
    parameters = "".join(f", ${number}" for number in range(3, len(values) + 3))
    async with database.acting_as(ANON) as connection:
        row = await connection.fetchrow(
            f"""
            insert into signed_waivers (session_id, signer_name, signer_email, signature{names})
            values ($1, 'Gil Okafor', 'gil@example.com', $2{parameters})
            returning *
            """,
            session_id,
            signature_data_url(),
            *values.values(),
        )
    assert row is not None
    return row
