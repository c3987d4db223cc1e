"""Cancelled and revoked waivers are reported to the windows of their company, and to no one else."""

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from tests.factories import make_session, sign
from tests.people import Person
from tests.realtime.conftest import OpenClient, TokenFor
from tests.waivers.acts import cancel, correct_recipient, revoke

SESSION_UPDATES = {"event": "UPDATE", "schema": "public", "table": "waiver_sessions"}
WAIVER_UPDATES = {"event": "UPDATE", "schema": "public", "table": "signed_waivers"}


async def test_a_cancelled_a_corrected_and_a_revoked_waiver_are_reported_to_their_company_only(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    mallory: Person,
    token_for: TokenFor,
    open_client: OpenClient,
) -> None:
    cancelled, corrected = await make_session(database, rosa), await make_session(database, rosa)
    waiver = await sign(database, await make_session(database, rosa))
    async with open_client() as owner, open_client() as rival, open_client() as visitor:
        await owner.watch(token_for(rosa), SESSION_UPDATES, WAIVER_UPDATES)
        await rival.watch(token_for(mallory), SESSION_UPDATES, WAIVER_UPDATES)
        await visitor.watch(None, SESSION_UPDATES, WAIVER_UPDATES)
        await cancel(database, rosa, cancelled)
        await correct_recipient(database, rosa, corrected, email="ana@example.com")
        await revoke(database, rosa, waiver["id"])
        notifier.notify()

        changes = [(await owner.next_change())["data"] for _ in range(3)]
        assert await rival.receives_nothing()
        assert await visitor.receives_nothing()

    assert [change["record"]["id"] for change in changes] == [str(cancelled), str(corrected), str(waiver["id"])]
    assert [change["record"].get("status") for change in changes] == ["cancelled", "cancelled", None]
    assert changes[2]["record"]["revoked_at"] is not None
