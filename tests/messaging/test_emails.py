"""Mail as a real SMTP server receives it."""

import socket
from typing import Any
from uuid import uuid4

import pytest

from cairn.messaging import Attachment, Email, MailNotSent, MailRefused, MessagingSettings, SmtpSettings, choose_mailer
from cairn.messaging.send_email import log_excerpt
from tests.mail_server import html, plain, running_mail_server

LINK = "http://127.0.0.1:8000/waivers/sign/session/254ee2e0-f4d3-402b-8297-3a27ca62af27"


def letter(**changes: Any) -> Email:
    words: dict[str, Any] = {
        "recipient": "gil@example.com",
        "subject": "Please sign: River trip Waiver",
        "body": f"Hello Gil,\n\nplease sign before Saturday.\n\n{LINK}\n\nSee you on the river",
        "action": "Review and sign",
        "sender_name": "Rio Rafting",
        "reply_to": "rosa@rio-rafting.example",
        **changes,
    }
    return Email(id=uuid4(), **words)


async def test_the_same_words_arrive_as_plain_text_and_html() -> None:
    async with running_mail_server() as office:
        receipt = await choose_mailer(MessagingSettings(smtp=office.settings)).send(letter())

    [received] = office.emails
    assert receipt.status == "delivered"
    assert received["Message-ID"] == receipt.message_id
    assert received["To"] == "gil@example.com"
    assert received["From"] == "Rio Rafting <waivers@localhost>"
    assert received["Reply-To"] == "rosa@rio-rafting.example"
    assert received["Subject"] == "Please sign: River trip Waiver"
    assert LINK in plain(received)
    assert f'href="{LINK}"' in html(received)
    assert "Review and sign" in html(received)


async def test_what_is_attached_arrives_byte_for_byte() -> None:
    drawing = Attachment("Río.pdf", "application/pdf", bytes(range(256)))
    async with running_mail_server() as office:
        await choose_mailer(MessagingSettings(smtp=office.settings)).send(letter(attachment=drawing))

    [received] = office.emails[0].iter_attachments()
    assert (received.get_filename(), received.get_content_type()) == ("Río.pdf", "application/pdf")
    assert received.get_content() == drawing.content
    assert LINK in plain(office.emails[0])


@pytest.mark.accept("MAIL-19")
async def test_what_people_type_never_becomes_markup() -> None:
    hostile = "<script>alert(1)</script> & \"quotes\" <a href='http://evil.example/'>click</a>"
    async with running_mail_server() as office:
        mail = letter(body=f"Hello {hostile},\n\n{hostile}\n\n{LINK}", sender_name=hostile)
        await choose_mailer(MessagingSettings(smtp=office.settings)).send(mail)

    page = html(office.emails[0])
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "href='http" not in page


async def test_a_line_break_in_a_name_adds_no_header() -> None:
    async with running_mail_server() as office:
        with pytest.raises(ValueError, match="linefeed"):
            mail = letter(sender_name="Rio\r\nBcc: everyone@example.com")
            await choose_mailer(MessagingSettings(smtp=office.settings)).send(mail)

    assert office.emails == []


@pytest.mark.parametrize(
    ("answer", "problem"), [("550 No such person", MailRefused), ("451 Come back later", MailNotSent)]
)
async def test_a_refusal_is_told_in_the_server_s_own_words(answer: str, problem: type[MailNotSent]) -> None:
    async with running_mail_server() as office:
        office.answer = answer
        with pytest.raises(MailNotSent, match=answer[4:]) as refused:
            await choose_mailer(MessagingSettings(smtp=office.settings)).send(letter())

    assert refused.type is problem


async def test_a_mail_server_that_is_not_there_may_be_tried_again() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings = SmtpSettings(host="127.0.0.1", port=free.getsockname()[1], security="none", timeout_seconds=2)

        with pytest.raises(MailNotSent, match="could not be reached") as lost:
            await choose_mailer(MessagingSettings(smtp=settings)).send(letter())

    assert lost.type is MailNotSent


async def test_without_a_mail_server_the_mail_is_kept_and_says_so() -> None:
    receipt = await choose_mailer(MessagingSettings()).send(letter())

    assert receipt.status == "kept"


@pytest.mark.accept("MAIL-14")
def test_the_log_shows_the_start_of_a_mail_and_none_of_its_links_or_codes() -> None:
    shown = log_excerpt(f"Hello Gil, {LINK} 123456, " + "word " * 100)

    assert len(shown) == 150
    assert shown.startswith("Hello Gil, [link] [code], word")
