"""The database and the browser agree on which signing requests fit a form: both check the 2,000 requests of cases.json.

`web/app/lib/waiver-form/cases.test.ts` checks the browser. After a change of the rules, write the results of the
database with `WRITE_FORM_CASES=1 pytest tests/waivers/forms/test_browser_agrees.py`, and review each changed line.
"""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cairn.db import Connection
from tests.people import Person
from tests.waivers.forms.random_cases import REQUEST_COUNT, random_cases, to_lines

CASES = Path(__file__).parent / "cases.json"

# Checks a signing request as the trigger does, on the day of its case, and stores nothing.
CREATE_CHECK = """
    create function accounts.check_request(form jsonb, content text, day text, columns jsonb, company uuid) returns text
        language plpgsql as $$
    declare
        waiver  waivers.signed;
        session waivers.sessions;
        request public.signed_waivers := jsonb_populate_record(null::public.signed_waivers, columns);
    begin
        perform set_config('cases.today', day, false);
        perform waivers.check_form(form);
        waiver.id := gen_random_uuid();
        waiver.company_id := company;
        waiver.signer_name := 'Gil Okafor';
        session.form := form;
        session.template_content := content;
        perform waivers.sign_form(waiver, session, request);
        raise exception 'valid';
    exception when others then
        return sqlerrm;
    end $$;
    create or replace function accounts.today(company uuid) returns date
        language sql stable return current_setting('cases.today')::date;
"""


def to_refusal(message: str) -> dict[str, Any] | None:
    if message == "valid":
        return None
    error = json.loads(message)
    return {"code": error["code"], **error["details"]}


async def cases_with_refusals(admin: Connection, company: object) -> list[dict[str, Any]]:
    await admin.execute(CREATE_CHECK)
    cases = []
    for case in random_cases():
        rows = await admin.fetch(
            "select accounts.check_request($1, $2, $3, request, $5) from jsonb_array_elements($4) request",
            json.dumps(case["form"]), case["content"], case["today"], json.dumps(case["requests"]), company,
        )  # fmt: skip
        refusals = [to_refusal(row[0]) for row in rows]
        requests = [
            {**request, "refusal": refusal} for request, refusal in zip(case["requests"], refusals, strict=True)
        ]
        cases.append({**case, "requests": requests})
    return cases


@pytest.mark.accept("FORM-01")
async def test_the_database_refuses_the_stored_requests_with_the_stored_codes(admin: Connection, rosa: Person) -> None:
    cases = await cases_with_refusals(admin, rosa.company)
    if os.environ.get("WRITE_FORM_CASES"):
        CASES.write_text(to_lines(cases), "utf-8")
    assert json.loads(CASES.read_text("utf-8")) == cases


def test_the_cases_cover_every_refusal_and_many_valid_requests() -> None:
    requests = [request for case in json.loads(CASES.read_text("utf-8")) for request in case["requests"]]
    counts = Counter(request["refusal"]["code"] if request["refusal"] else "valid" for request in requests)

    assert len(requests) == REQUEST_COUNT
    assert counts["valid"] >= REQUEST_COUNT / 4
    assert {*counts} == {
        "valid", "answer_required", "answer_invalid", "answer_not_asked", "question_unknown", "signer_is_minor",
        "participants_not_covered", "participant_required", "too_many_participants", "participant_name_required",
        "participant_birth_date_required", "participant_is_adult", "participant_too_young", "participant_too_old",
        "participant_signature_required", "participant_signature_not_asked", "guardian_required", "guardian_not_asked",
        "initials_required", "initials_not_asked",
    }  # fmt: skip
