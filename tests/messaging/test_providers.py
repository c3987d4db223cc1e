"""A company's mail, as its own provider receives it."""

import base64
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from cairn.kit import EndpointRefused, check_endpoint
from cairn.messaging import Attachment, MailNotSent, MailRefused, MessagingSettings
from cairn.messaging.configuration import Configuration
from cairn.messaging.errors import MailMisconfigured
from cairn.messaging.mailers import company_mailer
from cairn.messaging.mailers.custom import CustomMailer
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY, Providers, certificate_for, running_providers
from tests.messaging.test_emails import LINK, letter

PDF = Attachment("Río.pdf", "application/pdf", bytes(range(256)))
STOP = "https://waivers.example/reminders/stop/254ee2e0-f4d3-402b-8297-3a27ca62af27"
KEYS = {"resend": RESEND_KEY, "sendgrid": SENDGRID_KEY}
LOOPBACK = MessagingSettings(endpoint_networks=(ip_network("127.0.0.0/8"),))


def at(place: Providers, **more: Any) -> MessagingSettings:
    return MessagingSettings(resend_url=place.url, sendgrid_url=place.url, **more)


def own(provider: Any, **more: Any) -> Configuration:
    return Configuration(provider, **{"api_key": KEYS.get(provider), "sender_email": "trips@rio.example", **more})


@pytest.mark.accept("MAIL-07")
async def test_resend_gets_a_whole_letter_and_its_id_is_the_receipt() -> None:
    mail = letter(attachment=PDF, attachment_type="pdf", unsubscribe_url=STOP)
    async with running_providers() as place:
        receipt = await company_mailer(own("resend"), at(place)).send(mail)
        again = await company_mailer(own("resend"), at(place)).send(mail)

    [taken] = place.taken
    assert (receipt.status, receipt.message_id) == ("delivered", place.ids[str(mail.id)])
    assert again == receipt, "the same mail under the same key goes out once"
    assert taken["from"] == "Rio Rafting <trips@rio.example>"
    assert (taken["to"], taken["reply_to"]) == (["gil@example.com"], "rosa@rio-rafting.example")
    assert taken["subject"] == "Please sign: River trip Waiver"
    assert LINK in taken["text"]
    assert f'href="{LINK}"' in taken["html"]
    assert taken["headers"]["List-Unsubscribe"] == f"<{STOP}>"
    assert taken["headers"]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    [attached] = taken["attachments"]
    assert (attached["filename"], attached["content_type"]) == ("Río.pdf", "application/pdf")
    assert base64.b64decode(attached["content"]) == PDF.content


@pytest.mark.accept("MAIL-08")
async def test_sendgrid_gets_a_whole_letter_and_its_id_is_the_receipt() -> None:
    mail = letter(attachment=PDF, attachment_type="pdf", unsubscribe_url=STOP)
    async with running_providers() as place:
        receipt = await company_mailer(own("sendgrid"), at(place)).send(mail)

    [taken] = place.taken
    assert (receipt.status, receipt.message_id) == ("delivered", "sg-14c5d75ce93")
    assert taken["personalizations"] == [{"to": [{"email": "gil@example.com"}]}]
    assert taken["from"] == {"email": "trips@rio.example", "name": "Rio Rafting"}
    assert taken["reply_to"] == {"email": "rosa@rio-rafting.example"}
    plain, page = taken["content"]
    assert LINK in plain["value"]
    assert f'href="{LINK}"' in page["value"]
    assert taken["headers"]["List-Unsubscribe"] == f"<{STOP}>"
    assert taken["tracking_settings"]["click_tracking"] == {"enable": False}, "the signing link leads where it says"
    [attached] = taken["attachments"]
    assert (attached["filename"], attached["disposition"]) == ("Río.pdf", "attachment")
    assert base64.b64decode(attached["content"]) == PDF.content


@pytest.mark.accept("MAIL-20")
@pytest.mark.parametrize(
    ("provider", "answer", "reason", "kind"),
    [
        ("resend", Response(status_code=503), "Failed to send email: 503", MailNotSent),
        ("resend", Response(status_code=422), "Failed to send email: 422", MailRefused),
        ("resend", JSONResponse({"message": "Invalid `to` field."}, 422), "Invalid `to` field.", MailRefused),
        ("resend", JSONResponse({"error": {"message": "Paused"}}), "Paused", MailNotSent),
        ("resend", Response(status_code=200), "No response data from email service", MailNotSent),
        ("resend", JSONResponse({"id": None}), "No response data from email service", MailNotSent),
        ("sendgrid", Response(status_code=500), "Failed to send email: 500", MailNotSent),
        ("sendgrid", JSONResponse({"errors": "none"}, 413), "Failed to send email: 413", MailRefused),
        (
            "sendgrid",
            JSONResponse({"errors": [{"message": "No"}, {"message": "never"}]}, 400),
            "No; never",
            MailRefused,
        ),
        ("sendgrid", Response(status_code=202), "No response data from email service", MailNotSent),
    ],
)
async def test_a_failure_has_one_of_the_known_reasons_or_the_providers_own_words(
    provider: str, answer: Response, reason: str, kind: type[MailNotSent]
) -> None:
    async with running_providers() as place:
        place.answer = answer
        with pytest.raises(MailNotSent) as refused:
            await company_mailer(own(provider), at(place)).send(letter())

    assert (str(refused.value), refused.type) == (reason, kind)


@pytest.mark.parametrize(
    ("configuration", "reason"),
    [
        (Configuration("sendgrid"), "SendGrid API key not configured"),
        (Configuration("resend"), "Resend API key not configured"),
        (Configuration("custom"), "Custom email endpoint not configured"),
        (own("resend", api_key="re_somebody_elses"), "API key is invalid"),
        (own("sendgrid", api_key="SG.no"), "The provided authorization grant is invalid, expired, or revoked"),
    ],
)
async def test_what_the_company_can_mend_is_not_the_mails_fault(configuration: Configuration, reason: str) -> None:
    async with running_providers() as place:
        with pytest.raises(MailNotSent) as refused:
            await company_mailer(configuration, at(place)).send(letter())

    assert (str(refused.value), refused.type) == (reason, MailMisconfigured)


async def test_a_provider_that_is_not_there_may_be_tried_again() -> None:
    nowhere = MessagingSettings(resend_url="http://127.0.0.1:9", sendgrid_url="http://127.0.0.1:9")
    for provider, name in (("resend", "Resend"), ("sendgrid", "SendGrid")):
        with pytest.raises(MailNotSent, match=f"{name} could not be reached") as lost:
            await company_mailer(own(provider), nowhere).send(letter())
        assert lost.type is MailNotSent


async def leads_home(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.mark.accept("MAIL-09")
async def test_an_endpoint_of_ones_own_gets_the_mail_as_json_under_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is in no register of names: that the mail arrives shows that the checked address was used."""
    certificate = certificate_for("hooks.rio.example", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with running_providers(certificate) as place:
        url = place.url.replace("127.0.0.1", "hooks.rio.example") + "/hook?from=cairn"
        mailer = CustomMailer(Configuration("custom", custom_endpoint=url), LOOPBACK, leads_home)
        receipt = await mailer.send(letter())
        await mailer.send(letter(attachment=PDF, attachment_type="pdf"))

    link, pdf = place.taken
    assert (receipt.status, receipt.message_id) == ("delivered", "own-1")
    assert link == {
        "to": "gil@example.com",
        "subject": "Please sign: River trip Waiver",
        "body": letter().body,
        "attachmentType": "link",
    }
    assert pdf["attachmentType"] == "pdf"
    assert base64.b64decode(pdf["attachment"]["content"]) == PDF.content
    assert place.headers[0]["host"].startswith("hooks.rio.example:")


async def test_a_certificate_for_another_name_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certificate_for("somebody-else.example", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with running_providers(certificate) as place:
        url = place.url.replace("127.0.0.1", "hooks.rio.example") + "/hook"
        with pytest.raises(MailNotSent, match="could not be reached"):
            await CustomMailer(Configuration("custom", custom_endpoint=url), LOOPBACK, leads_home).send(letter())

    assert place.taken == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://hooks.example/", "must start with https"),
        ("ftp://hooks.example/", "must start with https"),
        ("https://", "not an address"),
        ("https://hooks.example:99999/", "not an address"),
        ("https://rosa:secret@hooks.example/", "user name or password"),
        ("https://127.0.0.1/", "private or loopback"),
        ("https://127.1.2.3:8443/", "private or loopback"),
        ("https://10.0.0.7/", "private or loopback"),
        ("https://192.168.1.1/", "private or loopback"),
        ("https://169.254.169.254/latest/meta-data", "private or loopback"),
        ("https://0.0.0.0/", "private or loopback"),
        ("https://100.64.0.1/", "private or loopback"),
        ("https://224.0.0.1/", "private or loopback"),
        ("https://[::1]/", "private or loopback"),
        ("https://[::ffff:10.0.0.7]/", "private or loopback"),
        ("https://[64:ff9b::a00:7]/", "private or loopback"),
        ("https://[2002:a00:7::1]/", "private or loopback"),
        ("https://[fd00::1]/", "private or loopback"),
        ("https://localhost/", "private or loopback"),
    ],
)
async def test_an_endpoint_never_leads_into_the_servers_own_network(url: str, reason: str) -> None:
    with pytest.raises(EndpointRefused, match=reason):
        await check_endpoint(url, ())


@pytest.mark.parametrize("addresses", [["93.184.215.14", "10.0.0.7"], ["10.0.0.7"], []])
async def test_one_forbidden_address_is_enough(addresses: list[str]) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return addresses

    with pytest.raises(EndpointRefused):
        await check_endpoint("https://hooks.example/", (), resolve)


async def test_a_name_that_leads_elsewhere_at_the_next_call_is_refused_then() -> None:
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])

    async def rebound(_host: str, _port: int) -> list[str]:
        return next(answers)

    url = "https://hooks.example/mail"
    assert (await check_endpoint(url, (), rebound)).address == "93.184.215.14"
    mailer = CustomMailer(Configuration("custom", custom_endpoint=url), MessagingSettings(), rebound)

    with pytest.raises(MailNotSent, match="private or loopback"):
        await mailer.send(letter())
