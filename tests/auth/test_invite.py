import pytest

from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, fragment, json_of, refusal

BEA = "bea@rio-rafting.example"


@pytest.mark.accept("AUTH-26")
async def test_an_invited_user_signs_in_and_chooses_a_password(visitor: Visitor, mailbox: Mailbox) -> None:
    invited = json_of(await visitor.admin("POST", "/invite", {"email": BEA, "data": {"name": "Bea Lindt"}}))
    assert invited["invited_at"]
    assert invited["user_metadata"] == {"name": "Bea Lindt"}
    assert "email_confirmed_at" not in invited

    session = fragment(await visitor.follow_email_link((await mailbox.newest(BEA)).path))
    json_of(await visitor.change(session, password="nine rapids before noon"))

    signed_in = json_of(await visitor.sign_in(BEA))
    assert signed_in["user"]["email_confirmed_at"]
    assert signed_in["user"]["id"] == invited["id"]


async def test_a_second_invitation_replaces_the_first_until_one_is_accepted(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.admin("POST", "/invite", {"email": BEA})
    first = await mailbox.newest(BEA)
    await visitor.admin("POST", "/invite", {"email": BEA})
    second = await mailbox.newest(BEA)

    assert refusal(await visitor.verify("invite", token_hash=first.token_hash)) == (403, "otp_expired")
    assert json_of(await visitor.verify("invite", token_hash=second.token_hash))
    assert refusal(await visitor.admin("POST", "/invite", {"email": BEA})) == (422, "email_exists")
    assert refusal(await visitor.admin("POST", "/invite", {})) == (400, "validation_failed")
