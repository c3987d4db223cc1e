"""D9, F8, 16B6: strangers who use up the storage quota of a company keep out neither its guests nor the company itself.

17B4: a signature counts with what is stored about it, and signed samples have a limit of their own.

D9, F8, 16B6 and 17B4 are findings in docs/security.md.
"""

import json
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from cairn.waivers import DocumentContext, WaiverSettings, measure_storage
from tests.abuse.pictures import picture
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, record_sending, sign
from tests.people import Person
from tests.waivers.forms.sample_forms import make_template as make_template_with_form

QUOTA = WaiverSettings(daily_bytes_per_company=530_000)
STRANGER, GUEST, TABLET = "203.0.113.66", "198.51.100.7", "198.51.100.80"
REFUSAL = "Too many waivers were signed here today"


async def open_session(database: Database, template_id: str, ip: str) -> UUID:
    """Opens a session as the signing page of a template does."""
    session_id = uuid4()
    async with database.acting_as(ANON, {"request.ip": ip}) as connection:
        await connection.execute(
            "insert into waiver_sessions (id, template_id) values ($1, $2)", session_id, template_id
        )
    return session_id


async def use_up_quota(database: Database, template_id: str, *, ips: list[str], count: int = 8) -> None:
    """Stores `count` thirds of the quota with large signatures, which come from these addresses in turn.

    Each of them counts with its 100,000 bytes and the 75,000 bytes of every signature without a document.
    """
    for number in range(count):
        ip = ips[number % len(ips)]
        await sign(database, await open_session(database, template_id, ip), ip=ip, signature=picture(100_000))
    await measure_storage(database, QUOTA)


async def test_d9_a_network_that_uses_up_the_quota_keeps_out_only_itself(database: Database, rosa: Person) -> None:
    template_id = await make_template(database, rosa)
    session_id = await open_session(database, template_id, STRANGER)
    await use_up_quota(database, template_id, ips=[STRANGER])

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await sign(database, session_id, ip=STRANGER)
    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, template_id, STRANGER)
    await sign(database, await open_session(database, template_id, GUEST), ip=GUEST)
    await sign(database, session_id, ip=GUEST, signature=picture(100_000))


async def test_d9_the_company_can_still_send_waivers(database: Database, rosa: Person) -> None:
    await use_up_quota(database, await make_template(database, rosa), ips=[STRANGER])

    session_id = await make_session(database, rosa)
    await record_sending(database, rosa, session_id)

    await sign(database, session_id, ip=GUEST)


async def test_d9_sessions_count_for_the_network_that_opened_them(database: Database, rosa: Person) -> None:
    template_id = await make_template(database, rosa, content="I ride. " * 10_000)
    for _ in range(14):
        await open_session(database, template_id, STRANGER)
    await measure_storage(database, QUOTA)

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, template_id, STRANGER)
    await open_session(database, template_id, GUEST)


async def test_d9_the_networks_of_one_ipv6_customer_count_together(database: Database, rosa: Person) -> None:
    """Each /64 network has stored less than 5 % of the quota, but the /48 network around them has used it up."""
    template_id = await make_template(database, rosa)
    for number in range(50):
        ip = f"2001:db8:1:{number}::7"
        await sign(database, await open_session(database, template_id, ip), ip=ip)
    await measure_storage(database, WaiverSettings(daily_bytes_per_company=1_600_000))

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, template_id, "2001:db8:1:ffff::7")
    await open_session(database, template_id, "2001:db8:2::7")


@pytest.mark.parametrize("ip", ["", "unknown"])
async def test_d9_without_a_known_network_the_quota_holds_for_everyone(
    database: Database, rosa: Person, ip: str
) -> None:
    template_id = await make_template(database, rosa)
    await use_up_quota(database, template_id, ips=["unknown"])

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, template_id, ip)


async def test_d9_samples_have_the_same_rule(database: Database, admin: Connection) -> None:
    sample_id = await admin.fetchval("select id from waiver_templates where company_id is null limit 1")
    await use_up_quota(database, sample_id, ips=[STRANGER])

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, sample_id, STRANGER)
    await open_session(database, sample_id, GUEST)


async def test_f8_the_tablet_of_a_large_company_still_works_after_a_stranger_has_used_up_the_quota(
    database: Database, rosa: Person
) -> None:
    """The tablet has stored more than 5 % of the quota, but without the stranger everything fits into the quota."""
    template_id = await make_template(database, rosa)
    for _ in range(2):
        await sign(database, await open_session(database, template_id, TABLET), ip=TABLET, signature=picture(40_000))
    await use_up_quota(database, template_id, ips=[STRANGER])

    await sign(database, await open_session(database, template_id, TABLET), ip=TABLET)
    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, template_id, STRANGER)


async def test_f8_the_network_of_the_company_works_even_if_each_of_many_strangers_has_stored_less_than_the_company(
    database: Database, rosa: Person
) -> None:
    template_id = await make_template(database, rosa)
    async with database.acting_as(rosa.principal, {"request.ip": TABLET}) as connection:
        await connection.execute("insert into waiver_sessions (template_id) values ($1)", template_id)
    for _ in range(2):
        await sign(database, await open_session(database, template_id, TABLET), ip=TABLET, signature=picture(100_000))
    await use_up_quota(database, template_id, ips=[f"203.0.113.{number}" for number in range(60, 68)])

    await sign(database, await open_session(database, template_id, TABLET), ip=TABLET)


async def test_f8_a_stranger_who_moves_from_network_to_network_gains_less_each_time(
    database: Database, rosa: Person
) -> None:
    """Each of the eight networks has stored a third of the quota. Most of them are refused."""
    template_id = await make_template(database, rosa)
    ips = [f"203.0.113.{number}" for number in range(60, 68)]
    await use_up_quota(database, template_id, ips=ips)

    accepted = 0
    for ip in ips:
        try:
            await open_session(database, template_id, ip)
            accepted += 1
        except asyncpg.PostgresError:
            pass

    assert accepted == 2


PHOTO_FORM = {"questions": [{"key": "face", "kind": "photo", "label": "A photo"}]}
PHOTO = json.dumps({"face": "data:image/jpeg;base64,/9j/" + "A" * 150_000})


@pytest.mark.parametrize("count", [4, 8])
async def test_16b6_a_family_with_a_photo_signs_after_a_stranger_has_used_up_the_quota(
    database: Database, rosa: Person, count: int
) -> None:
    template_id = await make_template_with_form(database, rosa, PHOTO_FORM)
    session_id = await open_session(database, template_id, STRANGER)
    await use_up_quota(database, template_id, ips=[STRANGER], count=count)

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await sign(database, session_id, ip=STRANGER, answers=PHOTO)
    await sign(database, await open_session(database, template_id, GUEST), ip=GUEST, answers=PHOTO)


async def test_16b6_between_once_and_twice_the_quota_the_stranger_can_only_store_small_signatures(
    database: Database, rosa: Person
) -> None:
    template_id = await make_template(database, rosa)
    await use_up_quota(database, template_id, ips=[STRANGER], count=4)

    await sign(database, await open_session(database, template_id, STRANGER), ip=STRANGER)


async def sign_in_person(database: Database, owner: Person, template_id: str, ip: str) -> None:
    """Signs with a photo on a device on which the company is signed in."""
    session_id = await make_session(database, owner, template_id, ip=ip)
    await sign(database, session_id, by=owner.principal, ip=ip, answers=PHOTO)


@pytest.mark.parametrize("ip", [TABLET, STRANGER, "unknown"])
async def test_16b6_guests_sign_with_a_photo_on_the_device_of_the_company_whatever_strangers_have_stored(
    database: Database, rosa: Person, ip: str
) -> None:
    template_id = await make_template_with_form(database, rosa, PHOTO_FORM)
    await use_up_quota(database, template_id, ips=[STRANGER], count=13)

    await sign_in_person(database, rosa, template_id, ip)


async def test_16b6_above_four_times_the_quota_guests_can_only_store_small_signatures(
    database: Database, rosa: Person
) -> None:
    """This protects the disk from a stranger with any number of networks."""
    template_id = await make_template_with_form(database, rosa, PHOTO_FORM)
    await use_up_quota(database, template_id, ips=[f"203.0.113.{number}" for number in range(60, 73)], count=13)
    session_id = await open_session(database, template_id, GUEST)

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await sign(database, session_id, ip=GUEST, answers=PHOTO)
    await sign(database, session_id, ip=GUEST)


async def test_16b6_what_is_signed_on_devices_of_the_company_has_a_limit_too(
    database: Database, rosa: Person, mallory: Person
) -> None:
    template_id = await make_template_with_form(database, mallory, PHOTO_FORM)
    for _ in range(5):
        await sign_in_person(database, mallory, template_id, TABLET)
    session_id = await make_session(database, mallory, template_id)
    await measure_storage(database, QUOTA)

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await sign(database, session_id, by=mallory.principal, ip=TABLET, answers=PHOTO)
    await sign(database, await make_session(database, rosa), by=rosa.principal, ip=TABLET)


async def test_17b4_a_small_signature_counts_with_more_than_its_document(
    admin: Connection, documents: DocumentContext, rosa: Person, sealed_waiver_id: UUID
) -> None:
    document = await documents.find(f"{rosa.company}/{sealed_waiver_id}.pdf")

    counted_bytes = await admin.fetchval("select waivers.bytes_of_signature(w) from waivers.signed w")

    assert document is not None
    assert counted_bytes > len(document)


@pytest.mark.parametrize(("ip", "next_ip"), [(STRANGER, STRANGER), ("2001:db8:1:2::7", "2001:db8:1:3::7")])
async def test_17b4_a_network_signs_a_limited_number_of_samples_in_a_day(
    database: Database, admin: Connection, rosa: Person, ip: str, next_ip: str
) -> None:
    await sign_template(database, SAMPLE_TEMPLATE_ID, ip)
    # As if the network had signed all samples of a day.
    await admin.execute(
        "update limits.buckets set full_at = now() + interval '1 day' where bucket like 'signed samples of %'"
    )

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await sign_template(database, SAMPLE_TEMPLATE_ID, next_ip)
    await sign_template(database, SAMPLE_TEMPLATE_ID, GUEST)
    await sign_template(database, await make_template(database, rosa), next_ip)


async def sign_template(database: Database, template_id: str, ip: str) -> None:
    await sign(database, await open_session(database, template_id, ip), ip=ip)
