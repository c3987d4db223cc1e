"""Measures who reaches what, for every table, view, function, bucket and channel of the running product."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from cairn.db import Connection, Database
from cairn.functions.gateway import FUNCTIONS
from tests.factories import make_session, png, record_sending, sign
from tests.people import Person
from tests.realtime.client import connected
from tests.rest.matrix_callers import CALLERS, Callers
from tests.rest.sample_rows import MARKER, list_exposed_relations, sample_id
from tests.rest.test_rights import argument_by_type, list_functions
from tests.waivers.forms.sample_forms import open_session, sign_form

Row = dict[str, str]
"""The outcomes, by caller."""

NOTHING, REFUSED = "-", "refused"
COUNTS = ("exact", "planned", "estimated")


@dataclass(frozen=True, slots=True)
class Target:
    """The running product, the callers, and Rosa, whose data they try to reach."""

    clients: Mapping[str, httpx.AsyncClient]
    """Each caller has a network of its own, because some functions are limited for each network."""
    callers: Callers
    admin: Connection
    database: Database
    rosa: Person

    def shows_data(self, text: str) -> bool:
        """Checks for the content of Rosa's rows. The id of a row does not count, because the caller has sent it."""
        return MARKER in text or str(self.rosa.company) in text or "Rio Rafting" in text

    async def call(self, method: str, path: str, caller: str, **options: Any) -> httpx.Response:
        headers = {**self.callers.headers[caller], **options.pop("headers", {})}
        return await self.clients[caller].request(method, path, headers=headers, **options)


async def measure_relations(target: Target) -> dict[str, Row]:
    """For each table and view: how many rows of Rosa's company and how many other rows the caller reads and counts."""
    return {
        relation.name: {caller: await _read_rows(target, relation.name, caller) for caller in CALLERS}
        for relation in await list_exposed_relations(target.admin)
    }


async def _read_rows(target: Target, relation: str, caller: str) -> str:
    path = f"/rest/v1/{relation}?select=*"
    response = await target.call("GET", path, caller)
    totals = set()
    for count in COUNTS:
        counted = await target.call("HEAD", path, caller, headers={"Prefer": f"count={count}"})
        totals.add(counted.headers.get("content-range", "").rpartition("/")[2])
    if response.status_code in (401, 403):
        assert totals == {""}, (relation, caller, totals)
        return REFUSED
    rows = response.json()
    assert response.status_code == 200, response.text
    assert totals == {str(len(rows))}, f"{caller} counts more of {relation} than they read: {totals}"
    of_company = sum(target.shows_data(json.dumps(row, ensure_ascii=False)) for row in rows)
    parts = [str(of_company)] if of_company else []
    if len(rows) > of_company:
        parts.append(f"{len(rows) - of_company} other")
    return " + ".join(parts) or NOTHING


async def measure_writes(target: Target) -> dict[str, Row]:
    """For each table and view: what the privileges of each database role allow. Policies restrict it further."""
    rows = await target.admin.fetch("""
        select c.relname as name, role,
               has_any_column_privilege(role, c.oid, 'insert') as insert,
               has_any_column_privilege(role, c.oid, 'update') as update,
               has_table_privilege(role, c.oid, 'delete') as delete
          from pg_class c join pg_namespace n on n.oid = c.relnamespace,
               unnest(array['anon', 'authenticated', 'service_role']) as role
         where n.nspname = 'public' and c.relkind in ('r', 'v', 'm', 'f', 'p') order by c.relname, role
    """)
    table: dict[str, Row] = {}
    for row in rows:
        verbs = [verb for verb in ("insert", "update", "delete") if row[verb]]
        table.setdefault(row["name"], {})[row["role"]] = ", ".join(verbs) or NOTHING
    return table


async def measure_sql_functions(target: Target) -> dict[str, Row]:
    """For each SQL function, called with the ids of Rosa's rows: the status, and whether her data was returned."""
    table: dict[str, Row] = {}
    for function in await list_functions(target.admin):
        by_type = argument_by_type(sample_id("waivers.sessions"))
        arguments = dict(zip(function["names"] or (), map(by_type, function["types"]), strict=False))
        # Text arguments are left out, because a search without a term finds every row.
        arguments = {name: value for name, value in arguments.items() if value != "%"}
        signature = f"{function['name']}({', '.join(function['types'])})"
        table[signature] = {
            caller: _outcome(
                target, await target.call("POST", f"/rest/v1/rpc/{function['name']}", caller, json=arguments)
            )
            for caller in CALLERS
        }
    return table


async def measure_http_functions(target: Target) -> dict[str, Row]:
    """For each function of `/functions/v1`, called with the ids of Rosa's rows: the status and the kind of response."""
    waiver = str(
        await target.admin.fetchval("select id from waivers.signed where session_id = $1", target.callers.sessions[1])
    )
    endpoint, delivery = (sample_id(f"integrations.{table}") for table in ("endpoints", "deliveries"))
    session = str(target.callers.sessions[0])
    body = {"waiver_id": waiver, "session_id": session, "sessionId": session, "delivery": delivery, "id": endpoint}
    body |= {"to": "stranger@example.com", "subject": "Hi", "body": "Hi", "message": "Hi", "provider": "server"}
    body |= {"url": "https://example.com/hook", "plan": "Basic"}
    table: dict[str, Row] = {}
    for name in sorted(FUNCTIONS):
        # The calls run concurrently, because some functions wait for the worker, which is not running.
        calls = [target.call("POST", f"/functions/v1/{name}", caller, json=body) for caller in CALLERS]
        responses = zip(CALLERS, await asyncio.gather(*calls), strict=True)
        table[name] = {caller: _outcome(target, response) for caller, response in responses}
    return table


def _outcome(target: Target, response: httpx.Response) -> str:
    assert response.status_code < 500, response.text
    if response.status_code in (401, 403):
        return REFUSED
    kind = response.headers.get("content-type", "")
    if kind.startswith(("application/pdf", "application/zip")):
        return f"{response.status_code} file"
    if target.shows_data(response.text):
        return f"{response.status_code} data"
    # A single number, for example a count.
    return f"{response.status_code}: {response.text}" if response.text.isdigit() else str(response.status_code)


async def measure_buckets(target: Target) -> dict[str, Row]:
    """For each bucket: what a caller may do with the objects in Rosa's folder."""
    buckets = await target.admin.fetch("select id from storage.buckets where id !~ 'Rio Rafting' order by id")
    return {
        bucket["id"]: {caller: await _use_bucket(target, bucket["id"], caller) for caller in CALLERS}
        for bucket in buckets
    }


async def _use_bucket(target: Target, bucket: str, caller: str) -> str:
    is_waiver = bucket == "signed-waivers"
    folder = f"{target.rosa.company if is_waiver else target.rosa.id}"
    kind = {"Content-Type": "application/pdf" if is_waiver else "image/png"}
    used, moved, new = (f"{folder}/{uuid4()}.{'pdf' if is_waiver else 'png'}" for _ in range(3))
    for name in (used, moved):
        path = f"/storage/v1/object/{bucket}/{name}"
        assert (await target.call("POST", path, "service", content=png(), headers=kind)).status_code == 200
    move = {"bucketId": bucket, "sourceKey": moved, "destinationKey": f"{folder}/{uuid4()}"}
    attempts: dict[str, tuple[str, str, dict[str, Any]]] = {
        "list": ("POST", f"object/list/{bucket}", {"json": {"prefix": folder, "limit": 100, "offset": 0}}),
        "read": ("GET", f"object/authenticated/{bucket}/{used}", {}),
        "read by public URL": ("GET", f"object/public/{bucket}/{used}", {}),
        "sign a URL": ("POST", f"object/sign/{bucket}/{used}", {"json": {"expiresIn": 60}}),
        "add": ("POST", f"object/{bucket}/{new}", {"content": png(), "headers": kind}),
        "replace": ("PUT", f"object/{bucket}/{used}", {"content": png(), "headers": kind}),
        "move": ("POST", "object/move", {"json": move}),
        "delete": ("DELETE", f"object/{bucket}/{used}", {}),
    }
    allowed = []
    for verb, (method, path, options) in attempts.items():
        response = await target.call(method, f"/storage/v1/{path}", caller, **options)
        assert response.status_code < 500, response.text
        if response.status_code == 200 and response.content != b"[]":
            allowed.append(verb)
    return ", ".join(allowed) or NOTHING


async def measure_channels(target: Target, address: str) -> dict[str, Row]:
    """For each published table: who receives changes. For the private channel of Rosa's company: who may join."""
    triggers = await target.admin.fetch(
        "select encode(tgargs, 'escape') as arguments from pg_trigger where tgname = 'note_change'"
    )
    # The arguments are the names of the schema and the table for clients, separated by NUL.
    tables = sorted(trigger["arguments"].split("\\000")[1] for trigger in triggers)
    table = {f"changes of {name}": await _receive_changes(target, address, name) for name in tables}
    topic = f"realtime:company:{target.rosa.company}"
    table["private channel of the company"] = {
        caller: await _join_private(target, address, topic, caller) for caller in CALLERS
    }
    return table


async def _receive_changes(target: Target, address: str, table: str) -> Row:
    row: Row = {}
    async with AsyncExitStack() as open_sockets:
        sockets = {}
        for caller in CALLERS:
            connection = connected(address, target.callers.headers[caller]["apikey"])
            socket = await open_sockets.enter_async_context(connection)
            change = {"event": "*", "schema": "public", "table": table}
            await socket.join(change, token=target.callers.tokens[caller])
            is_subscribed = (await socket.receive())["payload"]["status"] == "ok"
            row[caller] = NOTHING if is_subscribed else REFUSED
            sockets[caller] = socket
        await _change_published_rows(target)
        await sockets["owner"].next_change(timeout_seconds=20)
        for caller, socket in sockets.items():
            if caller == "owner" or not await socket.receives_nothing(0.2):
                row[caller] = "receives"
    return row


async def _change_published_rows(target: Target) -> None:
    session = await make_session(target.database, target.rosa)
    await record_sending(target.database, target.rosa, session)
    await sign(target.database, session)
    with_form = await open_session(target.database, target.rosa, {"questions": []})
    await sign_form(target.database, with_form)
    for change in (
        "notifications set read = not read",
        "waiver_templates set name = name || '.'",
        "activities set name = name || '.'",
        "trips set note = note || '.'",
        "bookings set reference = reference || '.'",
        "checkins set checked_in_at = now()",
    ):
        await target.admin.execute(f"update {change} where company_id = $1", target.rosa.company)
    # After a write through the API, the server looks for changes at once.
    written = await target.call(
        "PATCH", f"/rest/v1/companies?id=eq.{target.rosa.company}", "owner", json={"link_days": 9}
    )
    assert written.status_code == 204, written.text


async def _join_private(target: Target, address: str, topic: str, caller: str) -> str:
    async with connected(address, target.callers.headers[caller]["apikey"]) as socket:
        reply = await socket.join(topic=topic, token=target.callers.tokens[caller], private=True)
        return "joins" if reply["status"] == "ok" else REFUSED
