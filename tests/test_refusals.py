"""Every refusal that SQL can raise has the code, SQLSTATE and message that its package lists in refusals.sql."""

import json
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Connection, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign, signature_data_url
from tests.people import Person
from tests.refusals import ListedRefusal, Scene, listed_refusals
from tests.refused_waiver_acts import REFUSED_WAIVER_ACTS


@pytest_asyncio.fixture
async def scene(database: Database, admin: Connection, rosa: Person, gil: Person) -> Scene:
    return Scene(database, admin, rosa, gil, await make_session(database, rosa))


async def sign_beyond_the_storage_quota(scene: Scene) -> None:
    await sign(scene.database, scene.session_id)
    await scene.run(SERVICE, "select waivers.measure_storage(1)")
    await sign(scene.database, scene.session_id)


async def sign_a_session_too_often(scene: Scene) -> None:
    for _ in range(21):
        await sign(scene.database, scene.session_id)


async def set_an_unknown_time_zone(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "update companies set time_zone = 'Europe/Oz'")


async def allow_an_address_that_complained(scene: Scene) -> None:
    await scene.admin.execute(
        """
        insert into messaging.suppressions (scope, company_id, address, reason)
        values ('company', $1, 'gil@example.com', 'complaint')
        """,
        scene.rosa.company,
    )
    await scene.run(scene.rosa.principal, "select allow_address_again('gil@example.com')")


async def change_a_suspended_company(scene: Scene) -> None:
    await scene.run(SERVICE, "update companies set suspended_at = now()")
    await scene.run(scene.rosa.principal, "update companies set link_days = 7")


async def sign_for_a_suspended_company(scene: Scene) -> None:
    await scene.run(SERVICE, "update companies set suspended_at = now()")
    await sign(scene.database, scene.session_id)


async def set_two_reply_addresses(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "update companies set reply_to = 'a@b.example, c@d.example'")


async def use_an_address_as_the_company_name(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "update companies set name = 'Rio <rosa@rio.example>'")


async def use_a_brand_as_the_sender_name(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "update companies set sender_name = 'PayPal Support'")


async def exceed_the_basic_limit(scene: Scene) -> None:
    await scene.admin.execute(
        """
        with customer as (
            insert into billing.customers (provider, reference, company_id) values ('sandbox', 'c', $1) returning id
        )
        insert into billing.subscriptions (customer_id, reference, plan, status, as_of)
        select id, 's', 'basic', 'active', now() from customer
        """,
        scene.rosa.company,
    )
    await scene.use_up_monthly_limit()


async def exceed_the_free_limit(scene: Scene) -> None:
    await scene.use_up_monthly_limit()


async def enable_realtime_for_another_table(scene: Scene) -> None:
    await scene.run(ANON, "select enable_realtime_for_table('emails')")


async def publish_under_another_name(scene: Scene) -> None:
    await scene.admin.execute("select realtime.publish('waivers.signed', known_as => 'public.others')")


async def broadcast_from_a_statement_trigger(scene: Scene) -> None:
    await scene.run(
        SERVICE, "select realtime.broadcast_changes('t', 'e', 'INSERT', 't', 'public', row(1), row(1), 'STATEMENT')"
    )


async def unseal_a_bucket(scene: Scene) -> None:
    await scene.run(SERVICE, "update storage.buckets set sealed = false where id = 'signed-waivers'")


async def delete_a_stored_object(scene: Scene) -> None:
    await scene.admin.execute(
        """
        with blob as (insert into storage.blobs (sealed) values (true) returning version)
        insert into storage.objects (bucket_id, name, version) select 'signed-waivers', 'a.pdf', version from blob
        """
    )
    await scene.run(SERVICE, "delete from storage.objects")


async def create_a_template_with_a_long_text(scene: Scene) -> None:
    await make_template(scene.database, scene.rosa, content="- a\n" * 2001)


async def create_a_template_without_a_name(scene: Scene) -> None:
    await make_template(scene.database, scene.rosa, name="  ")


async def create_too_many_templates(scene: Scene) -> None:
    await scene.run(
        scene.rosa.principal, "insert into waiver_templates (name) select 'T' from generate_series(1, 1001)"
    )


async def save_a_template_after_saving_too_much_text(scene: Scene) -> None:
    await scene.run(
        scene.rosa.principal,
        "insert into waiver_templates (name, content) select 'T', repeat('x', 99000) from generate_series(1, 250)",
    )
    await make_template(scene.database, scene.rosa)


async def change_too_many_templates(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "insert into waiver_templates (name) select 'T' from generate_series(1, 21)")
    await scene.run(scene.rosa.principal, "update waiver_templates set name = 'U'")


async def open_an_unknown_template(scene: Scene) -> None:
    await scene.run(ANON, "insert into waiver_sessions (template_id) values ('unknown')")


async def open_an_archived_template(scene: Scene) -> None:
    template = await make_template(scene.database, scene.rosa)
    await scene.run(scene.rosa.principal, "update waiver_templates set archived_at = now() where id = $1", template)
    await scene.run(ANON, "insert into waiver_sessions (template_id) values ($1)", template)


async def sign_an_empty_template(scene: Scene) -> None:
    template = await make_template(scene.database, scene.rosa, content=" ")
    await sign(scene.database, await make_session(scene.database, scene.rosa, template))


async def change_a_version(scene: Scene) -> None:
    await scene.admin.execute("update waiver_template_versions set name = 'Other'")


async def create_a_session_as_signed(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "insert into waiver_sessions (template_id, status) values ('t', 'signed')")


async def reuse_a_session_id(scene: Scene) -> None:
    await scene.run(
        scene.rosa.principal, "insert into waiver_sessions (id, template_id) values ($1, 'another')", scene.session_id
    )


async def sign_an_unknown_session(scene: Scene) -> None:
    await sign(scene.database, uuid4())


async def mark_a_session_as_signed(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "update waiver_sessions set status = 'signed'")


async def delete_a_session(scene: Scene) -> None:
    await scene.admin.execute("delete from waiver_sessions")


async def sign_the_default_session(scene: Scene) -> None:
    async with scene.database.acting_as(scene.rosa.principal) as connection:
        session_id: UUID = await connection.fetchval(
            "insert into waiver_sessions (template_id, status) values ($1, 'template_default') returning id",
            SAMPLE_TEMPLATE_ID,
        )
    await sign(scene.database, session_id)


async def send_as_a_visitor(scene: Scene) -> None:
    await scene.run(
        ANON, "insert into waiver_sessions (template_id, recipient_name) values ($1, 'Gil')", SAMPLE_TEMPLATE_ID
    )


async def remind_as_a_guest(scene: Scene) -> None:
    await scene.run(scene.gil.principal, "select send_reminders()")


async def sign_without_a_name(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, name=" ")


async def sign_with_text(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, signature="data:text/plain;base64,R2ls")


async def sign_with_a_large_picture(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, signature="data:image/png;base64," + "A" * 700_000)


async def sign_with_an_incomplete_address(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, signer_email="gil")


async def sign_with_two_addresses(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, signer_email="gil@example.com,ann@example.com")


async def sign_with_a_short_secret(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, document_secret="1234")


async def agree_to_an_unknown_text(scene: Scene) -> None:
    await sign(scene.database, scene.session_id, consent_version="1999-01")


async def sign_after_the_expiry(scene: Scene) -> None:
    await scene.admin.execute("update waivers.sessions set expires_at = '2026-01-01 12:00:00+00'")
    await sign(scene.database, scene.session_id)


async def reuse_a_waiver_id(scene: Scene) -> None:
    waiver = await sign(scene.database, scene.session_id)
    await sign(scene.database, scene.session_id, id=waiver["id"], signature=signature_data_url(b"\xff\x00\x00\xff"))


async def change_a_signed_waiver(scene: Scene) -> None:
    await sign(scene.database, scene.session_id)
    await scene.admin.execute("update waivers.signed set signer_name = 'Mallory'")


async def change_a_signed_head(scene: Scene) -> None:
    await scene.admin.execute(
        """
        insert into waivers.chain_heads (number, at, session_count, waiver_count, event_count, entry_count, root, hash,
                                         signature, certificate, wants_timestamp)
        values (1, now(), 0, 0, 0, 0, '', '', '', '', false)
        """
    )
    await scene.admin.execute("update waivers.chain_heads set number = 2")


async def sort_the_directory_by_an_unknown_order(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "select waiver_directory(sorted => 'sideways')")


# Maps each code to an action that causes the refusal.
REFUSED_ACTIONS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "time_zone_unknown": set_an_unknown_time_zone,
    "address_complained": allow_an_address_that_complained,
    "company_suspended": change_a_suspended_company,
    "company_not_accepting": sign_for_a_suspended_company,
    "reply_to_not_single": set_two_reply_addresses,
    "sender_name_has_address": use_an_address_as_the_company_name,
    "sender_name_is_brand": use_a_brand_as_the_sender_name,
    "basic_limit_reached": exceed_the_basic_limit,
    "free_limit_reached": exceed_the_free_limit,
    "realtime_not_available": enable_realtime_for_another_table,
    "publish_needs_only_inserts": publish_under_another_name,
    "broadcast_needs_row_trigger": broadcast_from_a_statement_trigger,
    "bucket_protection_is_final": unseal_a_bucket,
    "object_is_final": delete_a_stored_object,
    "template_name_required": create_a_template_without_a_name,
    "template_too_long": create_a_template_with_a_long_text,
    "template_limit_reached": create_too_many_templates,
    "template_quota_reached": save_a_template_after_saving_too_much_text,
    "too_many_templates_changed": change_too_many_templates,
    "template_not_found": open_an_unknown_template,
    "template_archived": open_an_archived_template,
    "template_empty": sign_an_empty_template,
    "version_is_final": change_a_version,
    "session_status_invalid": create_a_session_as_signed,
    "session_id_taken": reuse_a_session_id,
    "session_not_found": sign_an_unknown_session,
    "session_not_signed": mark_a_session_as_signed,
    "session_not_deletable": delete_a_session,
    "session_is_template_default": sign_the_default_session,
    "sending_needs_company": send_as_a_visitor,
    "reminding_needs_company": remind_as_a_guest,
    "signature_required": sign_without_a_name,
    "signature_not_png": sign_with_text,
    "signature_too_large": sign_with_a_large_picture,
    "signer_email_incomplete": sign_with_an_incomplete_address,
    "email_address_not_single": sign_with_two_addresses,
    "document_secret_too_short": sign_with_a_short_secret,
    "consent_text_not_found": agree_to_an_unknown_text,
    "waiver_expired": sign_after_the_expiry,
    "session_signed_too_often": sign_a_session_too_often,
    "waiver_id_taken": reuse_a_waiver_id,
    "storage_quota_reached": sign_beyond_the_storage_quota,
    "waiver_is_final": change_a_signed_waiver,
    "head_is_final": change_a_signed_head,
    "directory_filter_unknown": sort_the_directory_by_an_unknown_order,
    **REFUSED_WAIVER_ACTS,
}


# The refusals of forms are written differently, see tests/waivers/forms.
OTHER_REFUSALS = [refusal for refusal in listed_refusals() if refusal.sqlstate != "PGRST"]


@pytest.mark.parametrize("listed_refusal", OTHER_REFUSALS, ids=lambda listed_refusal: listed_refusal.code)
async def test_a_refusal_has_its_code_state_and_message(scene: Scene, listed_refusal: ListedRefusal) -> None:
    with pytest.raises(asyncpg.PostgresError) as error:
        await REFUSED_ACTIONS[listed_refusal.code](scene)

    refusal = json.loads(error.value.detail or "")
    assert (refusal["code"], error.value.sqlstate) == (listed_refusal.code, listed_refusal.sqlstate)
    expected = listed_refusal.message
    for name, value in refusal["parameters"].items():
        expected = expected.replace("{" + name + "}", str(value))
    assert error.value.message == expected
    assert "{" not in expected


async def test_a_refusal_contains_its_parameters(scene: Scene) -> None:
    with pytest.raises(asyncpg.PostgresError) as zone_error:
        await set_an_unknown_time_zone(scene)
    with pytest.raises(asyncpg.PostgresError) as expiry_error:
        await sign_after_the_expiry(scene)

    # The browser relies on how PostgreSQL writes jsonb.
    assert zone_error.value.detail == '{"code": "time_zone_unknown", "parameters": {"time_zone": "Europe/Oz"}}'
    assert json.loads(expiry_error.value.detail or "")["parameters"] == {"expires_at": "2026-01-01T12:00:00+00:00"}


async def test_an_unlisted_code_is_an_error(admin: Connection) -> None:
    with pytest.raises(asyncpg.NoDataFoundError):
        await admin.execute("select waivers.refuse('unlisted')")
