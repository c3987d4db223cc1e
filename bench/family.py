"""Compares signing a waiver for a family of four, with twenty answers each, with signing one that only has a text."""

import json
from collections.abc import Iterator
from datetime import date
from statistics import median
from typing import Any

import asyncpg

from bench import load
from bench.load import CLIENT_COUNT
from bench.row import Row
from bench.server import Server
from bench.sign import INSERT_SESSIONS_TO_SIGN, random_signature, signing_requests

SESSION_COUNT = 8_000
ROUND_COUNT = 3
QUESTION_COUNT = 20
CHILD_COUNT = 3
ANSWERS = {"yes_no": True, "short_text": "A few words about it", "number": 42, "date": "2026-05-01"}
FORM: dict[str, Any] = {
    "covers": {"signer": True, "minors": {"most": CHILD_COUNT}},
    "questions": [
        {
            "key": f"{kind}_{number}", "kind": kind, "label": f"Question {number}", "asked_of": "participant",
            "required": True,
        }
        for number in range(QUESTION_COUNT // len(ANSWERS))
        for kind in ANSWERS
    ],
}  # fmt: skip
ADD_FORM = "update waivers.sessions set form = $1 where id = any ($2::uuid[])"


async def measure(server: Server, company_id: str, seconds: int) -> Row:
    image = random_signature()
    family_sessions = await _open_sessions(server, company_id, with_form=True)
    text_sessions = await _open_sessions(server, company_id, with_form=False)
    requests = {
        "family": signing_requests(server, family_sessions, image, **_family()),
        "text": signing_requests(server, text_sessions, image),
    }
    await server.settle()
    rates: dict[str, list[float]] = {name: [] for name in requests}
    for _ in range(ROUND_COUNT):
        for name, next_request in requests.items():
            rate = await load.measure_rate(server.port, CLIENT_COUNT, seconds / ROUND_COUNT, next_request, 201)
            rates[name].append(rate)
    family_rate, text_rate = median(rates["family"]), median(rates["text"])
    details = (
        f"{family_rate:.0f} a second, text only {text_rate:.0f}; medians of {ROUND_COUNT}, {CLIENT_COUNT} clients, "
        f"{QUESTION_COUNT} answers for each of {CHILD_COUNT + 1} people"
    )
    return Row("sign for a family of four", family_rate / text_rate, goal=0.5, unit="of a text only", details=details)


async def _open_sessions(server: Server, company_id: str, *, with_form: bool) -> Iterator[str]:
    connection = await asyncpg.connect(server.db_url)
    session_ids = [row["id"] for row in await connection.fetch(INSERT_SESSIONS_TO_SIGN, company_id, SESSION_COUNT)]
    if with_form:
        await connection.execute(ADD_FORM, json.dumps(FORM), session_ids)
    await connection.close()
    return iter(map(str, session_ids))


def _family() -> dict[str, Any]:
    answers = {question["key"]: ANSWERS[question["kind"]] for question in FORM["questions"]}
    birth_date = f"{date.today().year - 8}-01-01"
    children = [
        {"name": f"Child {number}", "birth_date": birth_date, "kind": "minor", "answers": answers}
        for number in range(CHILD_COUNT)
    ]
    guardian = {"relationship": "mother", "has_authority": True}
    return {"answers": answers, "participants": children, "guardian": guardian}
