"""Actions on waivers that the server refuses: cancelling, correcting, revoking, holding and erasing."""

from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

from tests.factories import SAMPLE_TEMPLATE_ID, sign
from tests.people import signed_in
from tests.refusals import Scene
from tests.waivers.forms import sample_forms
from tests.waivers.forms.inviting import invite


async def cancel_without_a_reason(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "select cancel_waiver($1, ' ')", scene.session_id)


async def cancel_with_a_long_reason(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "select cancel_waiver($1, $2)", scene.session_id, "x" * 501)


async def cancel_as_a_guest(scene: Scene) -> None:
    await scene.run(scene.gil.principal, "select cancel_waiver($1, 'Not coming')", scene.session_id)


async def cancel_twice(scene: Scene) -> None:
    for _ in range(2):
        await scene.run(scene.rosa.principal, "select cancel_waiver($1, 'Not coming')", scene.session_id)


async def cancel_after_the_signature(scene: Scene) -> None:
    await sign(scene.database, scene.session_id)
    await scene.run(scene.rosa.principal, "select cancel_waiver($1, 'Not coming')", scene.session_id)


async def sign_after_the_erasure(scene: Scene) -> None:
    waiver = await sign(scene.database, scene.session_id)
    async with scene.database.acting_as(scene.rosa.principal) as connection:
        await connection.execute("select erase_waiver($1, 'The guest asked for it')", waiver["id"])
    await sign(scene.database, scene.session_id)


async def cancel_the_public_link_of_a_template(scene: Scene) -> None:
    async with scene.database.acting_as(scene.rosa.principal) as connection:
        session_id: UUID = await connection.fetchval(
            "insert into waiver_sessions (template_id, status) values ($1, 'template_default') returning id",
            SAMPLE_TEMPLATE_ID,
        )
    await scene.run(scene.rosa.principal, "select cancel_waiver($1, 'Not used')", session_id)


async def correct_recipient(scene: Scene, name: str | None, email: str | None) -> None:
    await scene.run(scene.rosa.principal, "select correct_recipient($1, $2, $3)", scene.session_id, name, email)


async def correct_to_no_name(scene: Scene) -> None:
    await correct_recipient(scene, " ", "gil@example.com")


async def correct_to_an_incomplete_address(scene: Scene) -> None:
    await correct_recipient(scene, "Gil", "gil")


async def correct_to_a_long_name(scene: Scene) -> None:
    await correct_recipient(scene, "x" * 401, None)


async def correct_nothing(scene: Scene) -> None:
    await correct_recipient(scene, "Gil Okafor", "GIL@example.com")


async def correct_too_often(scene: Scene) -> None:
    async with scene.database.acting_as(scene.rosa.principal) as connection:
        session_id = scene.session_id
        for number in range(20):
            session_id = await connection.fetchval(
                "select correct_recipient($1, $2, null)", session_id, f"Gil {number}"
            )
    await scene.run(scene.rosa.principal, "select correct_recipient($1, 'Gil', null)", session_id)


async def revoke_an_unknown_waiver(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "select revoke_waiver($1, 'Wrong person')", uuid4())


async def revoke_twice(scene: Scene) -> None:
    waiver = await sign(scene.database, scene.session_id)
    for _ in range(2):
        await scene.run(scene.rosa.principal, "select revoke_waiver($1, 'Wrong person')", waiver["id"])


async def supersede_a_waiver_by_itself(scene: Scene) -> None:
    waiver = await sign(scene.database, scene.session_id)
    await scene.run(scene.rosa.principal, "select revoke_waiver($1, 'Signed again', $1)", waiver["id"])


async def act_on_a_signed_waiver(scene: Scene, *acts: str) -> None:
    waiver = await sign(scene.database, scene.session_id)
    for act in acts:
        await scene.run(scene.rosa.principal, f"select {act}($1, 'A claim was announced')", waiver["id"])


async def hold_twice(scene: Scene) -> None:
    await act_on_a_signed_waiver(scene, "hold_waiver", "hold_waiver")


async def hold_too_often(scene: Scene) -> None:
    await act_on_a_signed_waiver(scene, *["hold_waiver", "release_hold"] * 20, "hold_waiver")


async def release_without_a_hold(scene: Scene) -> None:
    await act_on_a_signed_waiver(scene, "release_hold")


async def erase_on_hold(scene: Scene) -> None:
    await act_on_a_signed_waiver(scene, "hold_waiver", "erase_waiver")


async def erase_twice(scene: Scene) -> None:
    await act_on_a_signed_waiver(scene, "erase_waiver", "erase_waiver")


async def erase_with_the_name_as_reason(scene: Scene) -> None:
    waiver = await sign(scene.database, scene.session_id)
    await scene.run(scene.rosa.principal, "select erase_waiver($1, 'Gil Okafor wants it')", waiver["id"])


async def request_erasure(scene: Scene, company: UUID, note: str = "") -> None:
    await sign(scene.database, scene.session_id)
    await scene.run(await signed_in(scene.database, scene.gil), "select request_erasure($1, $2)", company, note)


async def request_with_an_address_that_is_not_proven(scene: Scene) -> None:
    await scene.run(scene.gil.principal, "select request_erasure($1)", scene.rosa.company)


async def request_with_a_long_note(scene: Scene) -> None:
    await request_erasure(scene, scene.rosa.company, "x" * 1001)


async def request_to_a_company_without_a_waiver_of_the_guest(scene: Scene) -> None:
    await request_erasure(scene, uuid4())


ANSWER = "select answer_erasure_request((select id from erasure_requests where status = 'open'), false, 'A claim')"


async def request_too_often(scene: Scene) -> None:
    for _ in range(4):
        await request_erasure(scene, scene.rosa.company)
        await scene.run(scene.rosa.principal, ANSWER)


async def answer_an_unknown_request(scene: Scene) -> None:
    await scene.run(scene.rosa.principal, "select answer_erasure_request($1, false, 'A claim')", uuid4())


async def answer_twice(scene: Scene) -> None:
    await request_erasure(scene, scene.rosa.company)
    await scene.run(scene.rosa.principal, ANSWER)
    # The first answer has changed the status of the request from open to refused.
    await scene.run(scene.rosa.principal, ANSWER.replace("'open'", "'refused'"))


async def invite_too_many_adults(scene: Scene) -> None:
    session_id = await sample_forms.open_session(scene.database, scene.rosa)
    for _ in range(11):
        await invite(scene.database, session_id)


# Maps each code to an action that causes the refusal.
REFUSED_WAIVER_ACTS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "waiver_cancelled": cancel_twice,
    "link_erased": sign_after_the_erasure,
    "waiver_already_signed": cancel_after_the_signature,
    "waiver_already_revoked": revoke_twice,
    "waiver_not_found": revoke_an_unknown_waiver,
    "newer_waiver_not_found": supersede_a_waiver_by_itself,
    "changing_needs_company": cancel_as_a_guest,
    "template_link_not_changeable": cancel_the_public_link_of_a_template,
    "reason_required": cancel_without_a_reason,
    "reason_too_long": cancel_with_a_long_reason,
    "recipient_required": correct_to_no_name,
    "recipient_email_incomplete": correct_to_an_incomplete_address,
    "recipient_name_too_long": correct_to_a_long_name,
    "recipient_unchanged": correct_nothing,
    "waiver_replaced_too_often": correct_too_often,
    "too_many_adults_invited": invite_too_many_adults,
    "waiver_already_held": hold_twice,
    "waiver_held_too_often": hold_too_often,
    "waiver_not_held": release_without_a_hold,
    "waiver_is_held": erase_on_hold,
    "waiver_already_erased": erase_twice,
    "reason_names_the_signer": erase_with_the_name_as_reason,
    "address_not_proven": request_with_an_address_that_is_not_proven,
    "note_too_long": request_with_a_long_note,
    "nothing_to_erase": request_to_a_company_without_a_waiver_of_the_guest,
    "too_many_erasure_requests": request_too_often,
    "erasure_request_not_found": answer_an_unknown_request,
    "erasure_request_answered": answer_twice,
}
