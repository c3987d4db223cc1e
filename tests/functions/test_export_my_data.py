"""A person exports everything that is stored about their email address."""

import io
import json
import re
import zipfile
from typing import Any

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database, Principal
from cairn.waivers import DocumentContext
from tests.factories import make_session, sign
from tests.functions.conftest import SignAndSeal
from tests.people import Person, sign_up, signed_in
from tests.waivers.acts import cancel, correct_recipient, history, hold, revoke

EMAIL, NAME, PHONE = "zebulon@example.org", "Zebulon Quist", "15550123456"

# Maps each table that names the person to a file of the export. The file lists each row about the person once.
FILES = {
    "auth.users": "account",
    "auth.identities": "identities",
    "auth.mfa_factors": "second_factors",
    "auth.sessions": "sign_ins",
    "auth.audit_log": "account_history",
    "public.profiles": "profile",
    "public.push_subscriptions": "push_subscriptions",
    "public.emails": "emails",
    "public.text_messages": "text_messages",
    "public.notifications": "notifications_of_companies",
    "messaging.suppressions": "addresses_without_emails",
    "storage.objects": "uploaded_files",
    "inquiries.messages": "messages_to_support",
    "billing.trials": "trial",
    "billing.customers": "payers",
    "billing.checkouts": "orders",
    "billing.counted_sendings": "counted_sendings",
    "waivers.sessions": "invitations",
    "public.sent_waivers": "sendings",
    "waivers.reminder_refusals": "unwanted_reminders",
    "waivers.erasure_requests": "erasure_requests",
    "public.bookings": "bookings",
    # The export has a file for each signed waiver.
    "waivers.signed": "waivers",
}
# These tables also name the person. Each value says why the export has no list of the table's rows.
NOT_LISTED = {
    "waivers.audit_events": "the history is part of each invitation and each waiver",
    "jobs.events": "these copies of changed rows are deleted after a day",
    "realtime.messages": "these copies of changed rows are deleted after a day",
    "procrastinate_jobs": "finished jobs are deleted",
}

# Adds rows whose creation through the product would take many steps. `$user` and other values are replaced by literals.
ROWS_SQL = """
update auth.users set phone = $phone, phone_confirmed_at = now() where id = $user;
insert into auth.identities (user_id, provider, provider_id) values ($user, 'google', 'g1');
insert into auth.mfa_factors (user_id, friendly_name, factor_type, secret) values ($user, 'app', 'totp', 'a secret');
insert into auth.audit_log (user_id, act, ip) values ($user, 'login', '203.0.113.9');
insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
select $user, id, 'https://push.example/1', repeat('a', 87), repeat('b', 22) from auth.sessions where user_id = $user;
insert into public.emails (company_id, session_id, recipient, subject, body)
values ($company, $session, initcap($email), 'Sign', 'https://secret.example');
insert into public.emails (company_id, session_id, recipient, subject, body)
values ($company, $session, 'ann@example.org', 'Sign', 'Sent to the wrong person');
insert into public.text_messages (recipient, body, kind) values ($phone, 'code 123456', 'code');
insert into public.text_messages (recipient, body, kind, company_id, session_id)
values ($phone, 'Sign', 'message', $company, $session);
insert into public.notifications (company_id, title, message, about)
values ($company, 'Signed', $name || ' signed', $waiver);
insert into messaging.suppressions (scope, address, reason) values ('service', $email, 'bounce');
with blob as (insert into storage.blobs (sealed) values (false) returning version)
insert into storage.objects (bucket_id, name, owner, owner_id, version)
select 'profile-pictures', $user || '/me.png', $user, $user, version from blob;
insert into inquiries.messages (kind, name, email) values ('contact', 'Z', initcap($email));
insert into inquiries.messages (kind, name, email, user_id) values ('support', 'Z', 'z@work.example', $user);
insert into billing.trials (user_id) values ($user) on conflict do nothing;
insert into billing.customers (provider, reference, user_id, email) values ('sandbox', 'c1', $user, $email);
insert into billing.checkouts (provider, amount_cents, description, user_id) values ('sandbox', 2000, 'Basic', $user);
insert into public.sent_waivers
    (company_id, session_id, template_id, template_name, template_content, recipient_name, recipient_email)
values ($company, $session, 't', 'River trip', '', $name, initcap($email));
insert into waivers.erasure_requests (company_id, user_id, email) values ($company, $user, $email);
insert into waivers.reminder_refusals (company_id, email) values ($company, $email);
insert into public.activities (id, company_id, name) values ($session, $company, 'Half-day rafting');
insert into public.trips (id, company_id, activity_id, starts_at) values ($session, $company, $session, now());
insert into public.bookings (company_id, trip_id, contact_name, contact_email, party_size)
values ($company, $session, $name, initcap($email), 2);
"""


@pytest_asyncio.fixture
async def zebulon(database: Database) -> Person:
    return await sign_up(database, EMAIL, NAME, company=None)


@pytest_asyncio.fixture
async def people(database: Database, rosa: Person, gil: Person, zebulon: Person) -> dict[str, Principal]:
    return {
        "rosa": await signed_in(database, rosa),
        "gil": gil.principal,
        "zebulon": await signed_in(database, zebulon),
        "anon": Principal("anon", {}),
    }


async def export(client: httpx.AsyncClient, caller: str) -> httpx.Response:
    return await client.post("/export-my-data", json={}, headers={"Authorization": f"Bearer {caller}"})


async def exported_files(client: httpx.AsyncClient, caller: str) -> dict[str, bytes]:
    response = await export(client, caller)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/zip")
    assert response.headers["content-disposition"] == 'attachment; filename="my data.zip"'
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(files: dict[str, bytes], name: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(files[f"{name}.json"])
    return listed


@pytest.mark.accept("TRUE-18")
async def test_a_person_gets_each_record_and_its_sealed_document(
    client: httpx.AsyncClient, database: Database, rosa: Person, sign_and_seal: SignAndSeal
) -> None:
    waiver, document = await sign_and_seal(name=NAME, signer_email=EMAIL, time_zone="Asia/Tokyo")
    await hold(database, rosa, waiver["id"], "Our lawyer wants it")

    files = await exported_files(client, "zebulon")

    [record] = [json.loads(content) for name, content in files.items() if re.fullmatch(r"waivers/.*\.json", name)]
    [pdf] = [content for name, content in files.items() if name.endswith(".pdf")]
    assert pdf == document
    assert (record["signer_name"], record["company_name"], record["time_zone"]) == (NAME, "Rio Rafting", "Asia/Tokyo")
    assert (record["signature"], record["content"]) == (waiver["signature"], waiver["content"])
    assert [event["title"] for event in record["history"]] == [
        "Signed", "Document sealed", "Email written", "Put on legal hold",
    ]  # fmt: skip
    assert EMAIL in files["README.txt"].decode()
    listed_files = {name.removesuffix(".json") for name in files if "/" not in name} - {"README.txt"}
    assert [name for name in listed_files if f"{name}.json" not in files["README.txt"].decode()] == []
    # What an employee did stays with the company.
    assert b"Our lawyer" not in b"".join(files.values())
    assert str(rosa.id).encode() not in b"".join(files.values())
    # The company sees the download in the history.
    name, details = (await history(database, rosa, waiver["session_id"]))[-1]
    assert (name, details["access"]) == ("document.downloaded", "signer")


async def test_17l4_the_export_does_not_tell_why_the_company_revoked_the_waiver(
    client: httpx.AsyncClient, database: Database, rosa: Person, sign_and_seal: SignAndSeal
) -> None:
    """17L4 in docs/security.md: the reason is not shown to the signer anywhere else either."""
    waiver, _ = await sign_and_seal(name=NAME, signer_email=EMAIL)
    await revoke(database, rosa, waiver["id"], "He lied about his age")

    files = await exported_files(client, "zebulon")

    [record] = [json.loads(content) for name, content in files.items() if re.fullmatch(r"waivers/.*\.json", name)]
    assert record["revoked_at"] is not None
    assert b"lied about" not in b"".join(files.values())


@pytest_asyncio.fixture
async def rows_about_zebulon(
    database: Database,
    admin: Connection,
    people: dict[str, Principal],  # noqa: ARG001 - one of the rows belongs to a session of Zebulon
    rosa: Person,
    mallory: Person,
    zebulon: Person,
    sign_and_seal: SignAndSeal,
) -> None:
    """Stores at least one row about Zebulon in every table that can name a person."""
    await sign_and_seal(name=NAME, signer_email=EMAIL)
    sessions = [await make_session(database, owner, name=NAME, email=EMAIL) for owner in (rosa, rosa, mallory, rosa)]
    await cancel(database, rosa, sessions[1])
    await sign(database, sessions[2], name="Ann Hill", signer_email="ann@example.org")
    waiver = await sign(database, sessions[3], name=NAME, signer_email=EMAIL)
    values = {
        "user": zebulon.id, "company": rosa.company, "session": sessions[0], "waiver": waiver["id"], "email": EMAIL,
        "name": NAME, "phone": PHONE,
    }  # fmt: skip
    await admin.execute(re.sub(r"\$(\w+)", lambda parameter: f"'{values[parameter[1]]}'", ROWS_SQL))


async def count_rows_about(admin: Connection, zebulon: Person) -> dict[str, int]:
    """Returns how many rows of each table contain the person's address, name, phone number or user id."""
    tables = await admin.fetch(
        """
        select format('%I.%I', n.nspname, c.relname) as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname !~ '^pg_|^information_schema$'
        """
    )
    texts = [EMAIL, NAME.lower(), PHONE, str(zebulon.id)]
    counts = {}
    for (table,) in tables:
        counts[table] = await admin.fetchval(
            f"select count(*) from {table} t where exists (select from unnest($1::text[]) x"
            " where position(x in lower(t::text)) > 0)",
            texts,
        )
    return {table: count for table, count in counts.items() if count > 0}


@pytest.mark.accept("TRUE-18")
@pytest.mark.usefixtures("rows_about_zebulon")
async def test_the_export_has_everything_that_the_database_has(
    client: httpx.AsyncClient, admin: Connection, zebulon: Person
) -> None:
    stored = await count_rows_about(admin, zebulon)

    files = await exported_files(client, "zebulon")

    assert set(stored) - set(NOT_LISTED) == set(FILES)
    exported = {table: len(rows(files, name)) for table, name in FILES.items() if name != "waivers"}
    exported["waivers.signed"] = len([name for name in files if name.startswith("waivers/") and name.endswith(".json")])
    assert exported == {table: count for table, count in stored.items() if table in FILES}


@pytest.mark.usefixtures("rows_about_zebulon")
async def test_the_export_has_no_secret_and_nothing_of_other_people(
    client: httpx.AsyncClient, admin: Connection, zebulon: Person
) -> None:
    await admin.execute("update auth.users set encrypted_password = 'a hash' where id = $1", zebulon.id)

    files = await exported_files(client, "zebulon")

    content = b"".join(content for name, content in files.items() if not name.endswith(".pdf"))
    secrets = [b"a hash", b"a secret", b"code 123456", b"secret.example", b"a" * 80, b"b" * 22]
    assert [text for text in [*secrets, b"ann@example.org", b"Ann Hill", b"gil@example.com"] if text in content] == []
    assert rows(files, "account")[0]["has_password"] is True


async def test_the_uploaded_picture_is_exported(
    client: httpx.AsyncClient, admin: Connection, documents: DocumentContext, zebulon: Person
) -> None:
    path = f"{zebulon.id}/me.png"
    await documents.storage.put("profile-pictures", path, b"a picture", content_type="image/png")
    await admin.execute("update storage.objects set owner = $1 where name = $2", zebulon.id, path)

    files = await exported_files(client, "zebulon")

    assert files["uploaded files/1 me.png"] == b"a picture"


async def test_an_erased_waiver_and_a_missing_document_do_not_stop_the_export(
    client: httpx.AsyncClient, admin: Connection, documents: DocumentContext, rosa: Person, sign_and_seal: SignAndSeal
) -> None:
    waivers = [(await sign_and_seal(name=NAME, signer_email=EMAIL))[0] for _ in range(2)]
    await documents.erase(f"{rosa.company}/{waivers[0]['id']}.pdf")
    await admin.execute("update waivers.signed set erased_at = now() where id = $1", waivers[1]["id"])

    files = await exported_files(client, "zebulon")

    names = sorted(name.rpartition(str(waivers[0]["id"]))[2] for name in files if name.startswith("waivers/"))
    assert names == [" document.txt", ".json"]


async def test_the_third_export_within_minutes_is_refused(client: httpx.AsyncClient) -> None:
    responses = [await export(client, "zebulon") for _ in range(3)]

    assert [response.status_code for response in responses] == [200, 200, 429]
    assert responses[2].json()["code"] == "too_many_exports"
    assert responses[2].json()["error"] == "You have just downloaded your data. Please try again in 5 minutes."
    assert int(responses[2].headers["retry-after"]) > 0
    # Other people are not limited by this.
    assert (await export(client, "rosa")).status_code == 200


@pytest.mark.parametrize("caller", ["anon", "gil"])
async def test_without_a_proven_address_nothing_is_exported(
    client: httpx.AsyncClient, database: Database, rosa: Person, caller: str
) -> None:
    """Gil's session does not prove that he reads the emails to his address."""
    await sign(database, await make_session(database, rosa))

    response = await export(client, caller)

    assert (response.status_code, response.json()["code"]) == (403, "address_not_proven")


async def test_the_owner_of_a_company_gets_nothing_about_its_guests(
    client: httpx.AsyncClient, sign_and_seal: SignAndSeal
) -> None:
    """Rosa exports what is stored about herself, not what her guests have signed."""
    await sign_and_seal(name=NAME, signer_email=EMAIL)

    files = await exported_files(client, "rosa")

    assert EMAIL.encode() not in b"".join(files.values())
    assert [name for name in files if name.startswith("waivers/")] == []


async def test_the_export_of_a_wrong_recipient_does_not_name_the_corrected_link(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    """Anyone who knows the id of a session can open its link."""
    wrong_session = await make_session(database, rosa, name=NAME, email=EMAIL)
    right_session = await correct_recipient(database, rosa, wrong_session, "Gil Okafor", "gil@example.com")

    files = await exported_files(client, "zebulon")

    assert [row["id"] for row in rows(files, "invitations")] == [str(wrong_session)]
    assert [name for name, content in files.items() if str(right_session).encode() in content] == []
