"""The invitation that a company can send before its address is confirmed."""

from uuid import uuid4

import pytest

from cairn.waivers.invitation import _CLOSING, _LINK_SENTENCE, _PDF_SENTENCE, _SUBJECT, Invitation, standard_email
from tests.structure.tree import ROOT

SITE = "https://waivers.example"
INVITED = Invitation(uuid4(), "River trip", "Gil Okafor", has_sample_name=True)
LINK = f"http://localhost:8000/waivers/sign/session/{INVITED.session_id}"


def dialog_body(link: str = LINK, message: str = "", *, as_pdf: bool = False) -> str:
    """Returns the text that the send dialog writes, with `message` after the greeting."""
    body = INVITED.body(link, as_pdf=as_pdf)
    return body.replace("\n\n", f"\n\n{message}\n\n", 1)


@pytest.mark.parametrize("as_pdf", [False, True])
def test_the_invitation_of_the_send_dialog_is_accepted_with_the_link_of_this_site(as_pdf: bool) -> None:
    text = standard_email(INVITED, SITE, "Please sign: River trip Waiver", dialog_body(as_pdf=as_pdf), as_pdf=as_pdf)

    assert text is not None
    assert text[0] == "Please sign: River trip Waiver"
    assert f"\n\n{SITE}/waivers/sign/session/{INVITED.session_id}\n\n" in text[1]


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Please sign: River trip Waiver", dialog_body(message="Bring cash.")),
        ("You have won", dialog_body()),
        ("Please sign: River trip Waiver", dialog_body(link=f"{LINK}?evil")),
        ("Please sign: River trip Waiver", dialog_body(link=f"http://x.example/waivers/sign/session/{uuid4()}")),
        ("Please sign: River trip Waiver", dialog_body(as_pdf=True)),
    ],
    # The bodies contain random ids, so they cannot be part of the name.
    ids=["an added message", "another subject", "a changed link", "a link to another site", "the text about the PDF"],
)
def test_any_other_text_is_not_the_invitation(subject: str, body: str) -> None:
    assert standard_email(INVITED, SITE, subject, body, as_pdf=False) is None


def test_the_send_dialog_writes_the_same_sentences() -> None:
    source = (ROOT / "web/app/features/sending/model.ts").read_text("utf-8")

    for text in (_SUBJECT, _LINK_SENTENCE, _PDF_SENTENCE, _CLOSING):
        assert text.replace("{template_name}", "${template.name}") in source
