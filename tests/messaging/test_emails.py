"""Emails are sent to a real SMTP server. An error says why an email was not sent and whether a retry may succeed."""

import socket
from typing import Any
from uuid import uuid4

import pytest
from lxml import html

from cairn.messaging import Attachment, Email, MailNotSent, MailRefused, MessagingSettings, SmtpSettings, server_mailer
from tests.mail_server import html_body, plain_body, running_mail_server

UNSUBSCRIBE_URL = "https://waivers.example/reminders/stop/254ee2e0-f4d3-402b-8297-3a27ca62af27"
LINK = "http://127.0.0.1:8000/waivers/sign/session/254ee2e0-f4d3-402b-8297-3a27ca62af27"


def make_email(**changes: Any) -> Email:
    fields: dict[str, Any] = {
        "recipient": "gil@example.com",
        "subject": "Please sign: River trip Waiver",
        "body": f"Hello Gil,\n\nplease sign before Saturday.\n\n{LINK}\n\nSee you on the river",
        "action": "Review and sign",
        "sender_name": "Rio Rafting",
        "reply_to": "rosa@rio-rafting.example",
        **changes,
    }
    return Email(id=uuid4(), **fields)


async def test_an_email_arrives_as_plain_text_and_html() -> None:
    async with running_mail_server() as mail_server:
        receipt = await server_mailer(MessagingSettings(smtp=mail_server.settings)).send(make_email())

    [received] = mail_server.emails
    assert receipt.status == "delivered"
    assert received["Message-ID"] == receipt.message_id
    assert received["To"] == "gil@example.com"
    assert received["From"] == "Rio Rafting <waivers@localhost>"
    assert received["Reply-To"] == "rosa@rio-rafting.example"
    assert received["Subject"] == "Please sign: River trip Waiver"
    assert LINK in plain_body(received)
    assert f'href="{LINK}"' in html_body(received)
    assert "Review and sign" in html_body(received)


async def test_an_attachment_arrives_unchanged() -> None:
    attachment = Attachment("Río.pdf", "application/pdf", bytes(range(256)))
    async with running_mail_server() as mail_server:
        await server_mailer(MessagingSettings(smtp=mail_server.settings)).send(make_email(attachment=attachment))

    [received] = mail_server.emails[0].iter_attachments()
    assert (received.get_filename(), received.get_content_type()) == ("Río.pdf", "application/pdf")
    assert received.get_content() == attachment.content
    assert LINK in plain_body(mail_server.emails[0])


@pytest.mark.accept("MAIL-19")
@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "</td></tr></table><h1>Pay here</h1>",
        "\"><b>bold</b> & 'single' <!-- comment",
        "&lt;i&gt; stays as it was typed",
    ],
)
@pytest.mark.parametrize("place", ["{}", "{}, see {link}", "see {link} {}", "first line\n{}\nlast line", "Hello {},"])
async def test_user_text_never_becomes_markup(hostile: str, place: str) -> None:
    """The email has the elements and attributes of one with a harmless text, and shows the text as it was typed."""
    pages = []
    async with running_mail_server() as mail_server:
        for text in (hostile, "harmless"):
            block = place.replace("{}", text).replace("{link}", LINK)
            email = make_email(
                body=f"{block}\n\n{LINK}\n\n{block}", sender_name=text, subject=text, unsubscribe_url=UNSUBSCRIBE_URL
            )
            await server_mailer(MessagingSettings(smtp=mail_server.settings)).send(email)
        pages = [html.document_fromstring(html_body(email)) for email in mail_server.emails]

    hostile_page, harmless_page = pages
    assert structure_of(hostile_page) == structure_of(harmless_page)
    assert hostile_page.xpath("string(//title)") == hostile
    shown_text = str(hostile_page.xpath("string()"))
    assert shown_text.count(hostile) >= 4, "in the title, as the sender, and in both paragraphs"


def structure_of(page: html.HtmlElement) -> list[tuple[object, dict[str, str]]]:
    """Returns all elements and comments in order, with their attributes."""
    return [(element.tag, dict(element.attrib)) for element in page.iter()]


async def test_an_email_with_a_line_break_in_a_name_is_not_sent() -> None:
    """A line break would add a header to the email."""
    async with running_mail_server() as mail_server:
        with pytest.raises(ValueError, match="linefeed"):
            email = make_email(sender_name="Rio\r\nBcc: everyone@example.com")
            await server_mailer(MessagingSettings(smtp=mail_server.settings)).send(email)

    assert mail_server.emails == []


@pytest.mark.accept("MAIL-20")
@pytest.mark.parametrize(
    ("reply", "reason", "error_type"),
    [
        ("550 No such person", "Failed to send email: 550 (No such person)", MailRefused),
        ("451 Come back later", "Failed to send email: 451 (Come back later)", MailNotSent),
    ],
)
async def test_an_error_contains_the_reply_of_the_mail_server(
    reply: str, reason: str, error_type: type[MailNotSent]
) -> None:
    async with running_mail_server() as mail_server:
        mail_server.reply = reply
        with pytest.raises(MailNotSent) as error:
            await server_mailer(MessagingSettings(smtp=mail_server.settings)).send(make_email())

    assert (str(error.value), error.type) == (reason, error_type)


async def test_an_email_may_be_retried_if_the_mail_server_is_unreachable() -> None:
    with socket.socket() as not_listening:
        not_listening.bind(("127.0.0.1", 0))
        settings = SmtpSettings(
            host="127.0.0.1", port=not_listening.getsockname()[1], security="none", timeout_seconds=2
        )

        with pytest.raises(MailNotSent, match="could not be reached") as error:
            await server_mailer(MessagingSettings(smtp=settings)).send(make_email())

    # A subclass would mean that a retry is pointless, or that the email may have been delivered.
    assert error.type is MailNotSent


async def test_an_email_has_the_status_kept_if_no_mail_server_is_configured() -> None:
    receipt = await server_mailer(MessagingSettings()).send(make_email())

    assert receipt.status == "kept"
