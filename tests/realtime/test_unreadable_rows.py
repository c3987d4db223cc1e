"""14A3 in docs/security.md: a row that the server cannot parse is skipped, and live updates go on."""

import logging
import time

import pytest

from cairn.kit import counts
from cairn.realtime import stored_json
from tests.people import Person
from tests.realtime.client import Client
from tests.realtime.conftest import TokenFor
from tests.realtime.test_private import own_topic
from tests.realtime.test_rows import Execute, execute_as_admin

__all__ = ["execute_as_admin"]

CREATE_BOATS = """
create table public.boats (name text primary key, details jsonb);
alter table public.boats enable row level security;
create policy "everyone reads boats" on public.boats for select to anon using (true);
grant select on public.boats to anon, service_role;
select realtime.publish('public.boats');
"""
BOATS = {"event": "*", "schema": "public", "table": "boats"}
DEEP_LIST = "[" * 2000 + "]" * 2000


def unreadable_rows() -> int:
    return counts().get(("realtime_unreadable_rows",), 0)


@pytest.mark.parametrize("details", ["1e5000", f"[1, {'9' * 4400}]", DEEP_LIST], ids=["exponent", "digits", "depth"])
async def test_14a3_changes_after_a_row_that_cannot_be_parsed_are_delivered(
    client: Client, execute_as_admin: Execute, details: str, caplog: pytest.LogCaptureFixture
) -> None:
    stored_json._log_once.cache_clear()
    counted_before = unreadable_rows()
    await execute_as_admin(CREATE_BOATS)
    await client.watch(None, BOATS)
    await execute_as_admin(f"insert into boats values ('Secret', '{details}'), ('Puffin', '1')")
    await execute_as_admin("update boats set details = '2' where name = 'Secret'")
    await execute_as_admin(f"update boats set details = '{details}' where name = 'Secret'")
    await execute_as_admin("insert into boats values ('Heron', null)")

    changes = [(await client.next_change())["data"] for _ in range(3)]

    assert [change["record"] for change in changes] == [
        {"name": "Puffin", "details": 1},
        {"name": "Secret", "details": 2},
        {"name": "Heron", "details": None},
    ]
    assert changes[1]["old_record"] == {"name": "Secret"}, "only the key of the old row is sent"
    assert unreadable_rows() > counted_before
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ["a row of public.boats cannot be parsed, so its changes are not sent to subscribers"]


async def test_14a3_messages_after_one_that_cannot_be_parsed_are_replayed_and_delivered(
    client: Client, execute_as_admin: Execute, rosa: Person, token_for: TokenFor
) -> None:
    topic = own_topic(rosa)

    async def send_two(readable_payload: str) -> None:
        for payload in ('{"water": 1e5000}', readable_payload):
            await execute_as_admin(
                f"select realtime.send('{payload}', 'news', '{topic.removeprefix('realtime:')}', true)"
            )

    await send_two('{"water": 1}')
    replay = {"since": int(time.time() * 1000) - 60_000, "limit": 3}
    await client.join(topic=topic, token=token_for(rosa), private=True, broadcast={"replay": replay})
    await send_two('{"water": 2}')

    received = [(await client.receive())["payload"]["payload"] for _ in range(2)]
    assert received == [{"water": 1}, {"water": 2}]
