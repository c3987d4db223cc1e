"""8E2: someone who has the database cannot make the audit blind by replacing the functions with which it checks.

8E2 is a finding in docs/security.md.
"""

import re
from pathlib import Path

import pytest

from cairn.audit import report_replaced_functions
from cairn.db import Connection, replaced_functions
from cairn.waivers import EVIDENCE_FILES

CHECK_THAT_FINDS_NOTHING = """
    create or replace function waivers.broken_evidence(only_session uuid default null, only_company uuid default null)
        returns table (session_id uuid, waiver_id uuid, event_id bigint, reason text)
        language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$ begin end $$
"""
OTHER_HASH = """
    create or replace function waivers.field_hash(field text) returns bytea language sql stable
        return sha256(convert_to('the same for all', 'UTF8'))
"""
OTHER_SHA256 = """
    create function public.sha256(bytea) returns bytea language sql immutable return pg_catalog.sha256('');
    set search_path = public, pg_catalog;
    create or replace function waivers.field_hash(field text) returns bytea language sql stable
        return sha256(convert_to(coalesce(field, ''), 'UTF8'));
"""


async def test_8e2_the_functions_of_this_version_are_accepted(admin: Connection, admin_url: str) -> None:
    before = await admin.fetchval("select array_agg(xmin::text || ctid::text order by oid) from pg_proc")

    assert await replaced_functions(admin_url, EVIDENCE_FILES) == []

    assert await admin.fetchval("select array_agg(xmin::text || ctid::text order by oid) from pg_proc") == before


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (CHECK_THAT_FINDS_NOTHING, "waivers.broken_evidence"),
        (OTHER_HASH, "waivers.field_hash"),
        (OTHER_SHA256, "waivers.field_hash"),
        ("alter function waivers.heads_around_events set search_path = 'public'", "waivers.heads_around_events"),
        ("drop function waivers.successors", "waivers.successors"),
    ],
)
async def test_8e2_a_replaced_function_is_reported_instead_of_a_result(
    admin: Connection, admin_url: str, change: str, name: str
) -> None:
    await admin.execute(change)
    reported: list[str] = []

    assert await report_replaced_functions(admin_url, reported.append)

    assert reported == [
        f"WRONG  The function {name} in the database is not the one of this version of Cairn.",
        "Nothing was checked. See docs/operations.md for how to restore the functions.",
    ]


def test_8e2_every_function_that_the_check_calls_is_in_a_checked_file() -> None:
    bodies: dict[str, str] = {}
    checked: set[str] = set()
    for file in Path("cairn/waivers/sql").glob("*.sql"):
        for definition in re.split(r"^create or replace function ", file.read_text(), flags=re.MULTILINE)[1:]:
            name, body = definition.split("(", 1)
            bodies[name] = body
            if str(file) in EVIDENCE_FILES:
                checked.add(name)

    called: set[str] = set()
    to_read = ["waivers.broken_evidence"]
    while to_read:
        name = to_read.pop()
        called.add(name)
        to_read += (set(re.findall(r"\bwaivers\.[a-z_0-9]+(?=\()", bodies[name])) & bodies.keys()) - called

    assert len(called) > 20
    assert called <= checked
