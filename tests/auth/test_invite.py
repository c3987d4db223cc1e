import pytest

from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, error_of, json_of, redirect_fragment

BEA = "bea@rio-rafting.example"


@pytest.mark.accept("AUTH-26")
async def test_an_invited_user_signs_in_and_chooses_a_password(visitor: Visitor, mailbox: Mailbox) -> None:
    user = json_of(await visitor.admin("POST", "/invite", {"email": BEA, "data": {"name": "Bea Lindt"}}))
    assert user["invited_at"]
    assert user["user_metadata"] == {"name": "Bea Lindt"}
    assert "email_confirmed_at" not in user

    session = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(BEA)).path))
    json_of(await visitor.change(session, password="nine rapids before noon"))

    session_after_sign_in = json_of(await visitor.sign_in(BEA))
    assert session_after_sign_in["user"]["email_confirmed_at"]
    assert session_after_sign_in["user"]["id"] == user["id"]


async def test_a_second_invitation_replaces_the_first_until_one_is_accepted(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.admin("POST", "/invite", {"email": BEA})
    first = await mailbox.newest(BEA)
    await visitor.admin("POST", "/invite", {"email": BEA})
    second = await mailbox.newest(BEA)

    assert error_of(await visitor.verify("invite", token_hash=first.token_hash)) == (403, "otp_expired")
    assert json_of(await visitor.verify("invite", token_hash=second.token_hash))
    assert error_of(await visitor.admin("POST", "/invite", {"email": BEA})) == (422, "email_exists")
    assert error_of(await visitor.admin("POST", "/invite", {})) == (400, "validation_failed")
