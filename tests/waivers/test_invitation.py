"""Before its address is confirmed, a company can send only the invitation that the send dialog writes."""

from uuid import uuid4

import pytest

from cairn.waivers.invitation import _CLOSING, _SENTENCE, _SUBJECT, Invitation, standard_email
from tests.structure.tree import ROOT

SITE = "https://waivers.example"
INVITATION = Invitation(uuid4(), "River trip", "Gil Okafor", has_sample_name=True)
LINK = f"http://localhost:8000/waivers/sign/session/{INVITATION.session_id}"


def dialog_body(link: str = LINK, message: str = "") -> str:
    """Returns the text that the send dialog writes, with `message` after the greeting."""
    body = INVITATION.body(link)
    return body.replace("\n\n", f"\n\n{message}\n\n", 1)


def test_the_invitation_of_the_send_dialog_is_accepted_with_the_link_of_this_site() -> None:
    text = standard_email(INVITATION, SITE, "Please sign: River trip Waiver", dialog_body())

    assert text is not None
    assert text[0] == "Please sign: River trip Waiver"
    assert f"\n\n{SITE}/waivers/sign/session/{INVITATION.session_id}\n\n" in text[1]


@pytest.mark.parametrize(
    ("name", "old_name", "new_greeting"),
    [("Gil Okafor", "Gil Okafor", "Hi Gil,"), ("Call 1 888 555 0100", "guest", "Hi,"), (None, "", "Hi,")],
)
def test_a_text_with_the_earlier_greeting_is_accepted_and_greets_as_today(
    name: str | None, old_name: str, new_greeting: str
) -> None:
    """A waiver that was sent with version 0.1 is sent again with the text of its first email."""
    invitation = Invitation(INVITATION.session_id, "River trip", name, has_sample_name=True)
    first_line, rest = invitation.body(LINK).split("\n\n", 1)
    assert first_line == new_greeting or name == "Call 1 888 555 0100"

    text = standard_email(invitation, SITE, "Please sign: River trip Waiver", f"Hello {old_name},\n\n{rest}")

    assert text is not None
    assert text[1].startswith(f"{new_greeting}\n\nPlease read")
    assert standard_email(invitation, SITE, "Please sign: River trip Waiver", f"Hello Mallory,\n\n{rest}") is None


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Please sign: River trip Waiver", dialog_body(message="Bring cash.")),
        ("You have won", dialog_body()),
        ("Please sign: River trip Waiver", dialog_body(link=f"{LINK}?evil")),
        ("Please sign: River trip Waiver", dialog_body(link=f"http://x.example/waivers/sign/session/{uuid4()}")),
        ("Please sign: River trip Waiver", dialog_body().replace("Please read and sign", "See the attached PDF of")),
    ],
    # The bodies contain random ids, so they cannot be part of the names of the tests.
    ids=["an added message", "another subject", "a changed link", "a link to another site", "a text about a PDF"],
)
def test_any_other_text_is_not_the_invitation(subject: str, body: str) -> None:
    assert standard_email(INVITATION, SITE, subject, body) is None


def test_the_send_dialog_writes_the_same_sentences() -> None:
    source = (ROOT / "web/app/features/sending/model.ts").read_text("utf-8")

    for text in (_SUBJECT, _SENTENCE, _CLOSING):
        assert str(text).replace("{template_name}", "${template.name}") in source
