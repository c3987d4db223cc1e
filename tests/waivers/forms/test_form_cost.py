"""14A4 in docs/security.md: the answers of a minor are checked quickly, whatever the signer has answered.

Signing requests share a few database connections, so slow requests would keep other guests from signing.
"""

import json

import pytest

from cairn.db import Connection

pytestmark = pytest.mark.timing

# Together with `agrees` and the six photos, these are 100 questions, which is the limit of a form.
MINOR_QUESTION_COUNT = 93

FORM = {
    "questions": [
        {"key": "agrees", "kind": "yes_no", "label": "Do you agree?"},
        *(
            {
                "key": f"sure{number}",
                "kind": "yes_no",
                "label": "Sure?",
                "asked_of": "minor",
                "show_if": {"question": "agrees", "is": True},
            }
            for number in range(MINOR_QUESTION_COUNT)
        ),
    ],
}
ANSWERS = {f"sure{number}": True for number in range(MINOR_QUESTION_COUNT)}
# Together, these photos almost reach the size limit of a request without an account.
PHOTOS = {f"photo{number}": "data:image/jpeg;base64,/9j/" + "A" * 290_000 for number in range(6)}
MEASURE_TEN_CHECKS = """
    create function pg_temp.milliseconds(form jsonb, answers jsonb, shared_answers jsonb) returns float
        language plpgsql as $$
    declare
        began_at timestamptz := clock_timestamp();
    begin
        for turn in 1 .. 10 loop
            perform waivers.check_answers(form, answers, shared_answers, 0, '2026-05-01');
        end loop;
        return 1000 * extract(epoch from clock_timestamp() - began_at);
    end
    $$
"""


async def test_14a4_photos_of_the_signer_do_not_slow_down_checking_the_answers_of_minors(admin: Connection) -> None:
    await admin.execute(MEASURE_TEN_CHECKS)

    async def milliseconds(shared_answers: object) -> float:
        values = [json.dumps(value) for value in (FORM, ANSWERS, shared_answers)]
        query = "select pg_temp.milliseconds($1::jsonb, $2::jsonb, $3::jsonb)"
        return min([float(await admin.fetchval(query, *values)) for _ in range(3)])

    without_photos = await milliseconds({"agrees": True})
    with_photos = await milliseconds({"agrees": True, **PHOTOS})

    # Before the fix, all answers of the signer were copied for each question, which took six times as long.
    assert with_photos < 2.2 * without_photos


async def test_the_rules_of_an_answer_are_inlined_because_a_call_for_each_answer_would_be_slow(
    admin: Connection,
) -> None:
    plan = await admin.fetchval(
        """
        explain (verbose, costs off, format json)
        select waivers.clean_answer(question, answer, now()::date)
          from (select '{"kind": "short_text"}'::jsonb as question, '"A few words"'::jsonb as answer offset 0) asked
        """
    )

    assert "jsonb_typeof" in plan
    assert "clean_answer" not in plan
    assert "clean_string" not in plan
