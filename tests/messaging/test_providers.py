"""The mail provider of a company receives the emails of the company.

12L5 is a finding in docs/security.md.
"""

import base64
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from cairn.kit import EndpointNotAllowed, check_endpoint, create_ssl_context
from cairn.messaging import Attachment, MailNotSent, MailRefused, MessagingSettings
from cairn.messaging.configuration import Configuration
from cairn.messaging.errors import MailMisconfigured, MailUnanswered
from cairn.messaging.mailers import company_mailer
from cairn.messaging.mailers.custom import CustomMailer
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY, FakeProviders, certificate_for, running_providers
from tests.messaging.test_emails import LINK, make_email

PDF = Attachment("Río.pdf", "application/pdf", bytes(range(256)))
UNSUBSCRIBE_URL = "https://waivers.example/reminders/stop/254ee2e0-f4d3-402b-8297-3a27ca62af27"
KEYS = {"resend": RESEND_KEY, "sendgrid": SENDGRID_KEY}
ALLOW_LOOPBACK = MessagingSettings(endpoint_networks=(ip_network("127.0.0.0/8"),))
TrustCertificate = Callable[[str], Path]


def settings_with(providers: FakeProviders) -> MessagingSettings:
    return MessagingSettings(resend_url=providers.url, sendgrid_url=providers.url)


def make_configuration(provider: Any, **changes: Any) -> Configuration:
    return Configuration(provider, **{"api_key": KEYS.get(provider), "sender_email": "trips@rio.example", **changes})


@pytest.mark.accept("MAIL-07")
async def test_resend_receives_the_whole_email_and_the_receipt_has_its_id() -> None:
    email = make_email(attachment=PDF, attachment_type="pdf", unsubscribe_url=UNSUBSCRIBE_URL)
    async with running_providers() as providers:
        receipt = await company_mailer(make_configuration("resend"), settings_with(providers)).send(email)
        second_receipt = await company_mailer(make_configuration("resend"), settings_with(providers)).send(email)

    [email_body] = providers.accepted_emails
    assert (receipt.status, receipt.message_id) == ("delivered", providers.accepted_ids[str(email.id)])
    assert second_receipt == receipt, "Resend sends an email once per idempotency key"
    assert email_body["from"] == "Rio Rafting <trips@rio.example>"
    assert (email_body["to"], email_body["reply_to"]) == (["gil@example.com"], "rosa@rio-rafting.example")
    assert email_body["subject"] == "Please sign: River trip Waiver"
    assert LINK in email_body["text"]
    assert f'href="{LINK}"' in email_body["html"]
    assert email_body["headers"]["List-Unsubscribe"] == f"<{UNSUBSCRIBE_URL}>"
    assert email_body["headers"]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    [attachment] = email_body["attachments"]
    assert (attachment["filename"], attachment["content_type"]) == ("Río.pdf", "application/pdf")
    assert base64.b64decode(attachment["content"]) == PDF.content


@pytest.mark.accept("MAIL-08")
async def test_sendgrid_receives_the_whole_email_and_the_receipt_has_its_id() -> None:
    email = make_email(attachment=PDF, attachment_type="pdf", unsubscribe_url=UNSUBSCRIBE_URL)
    async with running_providers() as providers:
        receipt = await company_mailer(make_configuration("sendgrid"), settings_with(providers)).send(email)

    [email_body] = providers.accepted_emails
    assert (receipt.status, receipt.message_id) == ("delivered", "sg-14c5d75ce93")
    assert email_body["personalizations"] == [{"to": [{"email": "gil@example.com"}]}]
    assert email_body["from"] == {"email": "trips@rio.example", "name": "Rio Rafting"}
    assert email_body["reply_to"] == {"email": "rosa@rio-rafting.example"}
    plain_part, html_part = email_body["content"]
    assert LINK in plain_part["value"]
    assert f'href="{LINK}"' in html_part["value"]
    assert email_body["headers"]["List-Unsubscribe"] == f"<{UNSUBSCRIBE_URL}>"
    assert email_body["tracking_settings"]["click_tracking"] == {"enable": False}, (
        "the signing link must not be replaced"
    )
    [attachment] = email_body["attachments"]
    assert (attachment["filename"], attachment["disposition"]) == ("Río.pdf", "attachment")
    assert base64.b64decode(attachment["content"]) == PDF.content


@pytest.mark.accept("MAIL-20")
@pytest.mark.parametrize(
    ("provider", "response", "reason", "error_type"),
    [
        ("resend", Response(status_code=503), "Failed to send email: 503", MailNotSent),
        ("resend", Response(status_code=422), "Failed to send email: 422", MailRefused),
        (
            "resend",
            JSONResponse({"message": "No such\nfield."}, 422),
            "Failed to send email: 422 (No such field.)",
            MailRefused,
        ),
        ("resend", JSONResponse({"error": {"message": "Paused"}}), "Failed to send email: 200 (Paused)", MailNotSent),
        ("resend", Response(status_code=200), "No response data from email service", MailUnanswered),
        ("resend", JSONResponse({"id": None}), "No response data from email service", MailUnanswered),
        ("sendgrid", Response(status_code=500), "Failed to send email: 500", MailNotSent),
        ("sendgrid", JSONResponse({"errors": "none"}, 413), "Failed to send email: 413", MailRefused),
        (
            "sendgrid",
            JSONResponse({"errors": [{"message": "No"}, {"message": "never"}]}, 400),
            "Failed to send email: 400 (No; never)",
            MailRefused,
        ),
        ("sendgrid", Response(status_code=202), "No response data from email service", MailUnanswered),
    ],
)
async def test_the_reason_of_a_failure_ends_with_the_message_of_the_provider_in_brackets(
    provider: str, response: Response, reason: str, error_type: type[MailNotSent]
) -> None:
    async with running_providers() as providers:
        providers.response = response
        with pytest.raises(MailNotSent) as error:
            await company_mailer(make_configuration(provider), settings_with(providers)).send(make_email())

    assert (str(error.value), error.type) == (reason, error_type)


@pytest.mark.accept("MAIL-20")
@pytest.mark.parametrize(
    ("configuration", "reason"),
    [
        (Configuration("sendgrid"), "SendGrid API key not configured"),
        (Configuration("resend"), "No response data from email service (Resend API key not configured)"),
        (Configuration("custom"), "Custom email endpoint not configured"),
        (
            Configuration("custom", custom_endpoint="https://127.0.0.1/"),
            "Custom email endpoint not configured (The endpoint must not lead to a private or loopback address.)",
        ),
        (make_configuration("resend", api_key="re_wrong"), "Failed to send email: 401 (API key is invalid)"),
        (
            make_configuration("sendgrid", api_key="SG.no"),
            "Failed to send email: 401 (The provided authorization grant is invalid, expired, or revoked)",
        ),
    ],
)
async def test_a_wrong_configuration_is_reported_as_misconfigured(configuration: Configuration, reason: str) -> None:
    async with running_providers() as providers:
        with pytest.raises(MailNotSent) as error:
            await company_mailer(configuration, settings_with(providers)).send(make_email())

    assert (str(error.value), error.type) == (reason, MailMisconfigured)


@pytest.mark.accept("MAIL-20")
async def test_an_email_may_be_retried_if_its_provider_is_unreachable() -> None:
    settings = MessagingSettings(resend_url="http://127.0.0.1:9", sendgrid_url="http://127.0.0.1:9")
    for provider, name in (("resend", "Resend"), ("sendgrid", "SendGrid")):
        with pytest.raises(MailNotSent) as error:
            await company_mailer(make_configuration(provider), settings).send(make_email())
        reason = f"No response data from email service ({name} could not be reached.)"
        assert (str(error.value), error.type) == (reason, MailNotSent)


@pytest.fixture
def trust_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TrustCertificate]:
    """Yields a function that creates the certificate of a server and makes clients trust it."""

    def create(host: str) -> Path:
        certificate = certificate_for(host, tmp_path)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        create_ssl_context.cache_clear()
        return certificate

    yield create
    create_ssl_context.cache_clear()


def custom_mailer(providers: FakeProviders) -> CustomMailer:
    url = providers.url.replace("127.0.0.1", "hooks.rio.example") + "/hook?from=cairn"
    return CustomMailer(Configuration("custom", custom_endpoint=url), ALLOW_LOOPBACK, resolve_to_loopback)


async def resolve_to_loopback(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.mark.accept("MAIL-09")
async def test_a_custom_endpoint_receives_the_email_as_json(trust_certificate: TrustCertificate) -> None:
    """The host name is not in DNS, so the email can only arrive at the address that was checked."""
    async with running_providers(trust_certificate("hooks.rio.example")) as providers:
        mailer = custom_mailer(providers)
        receipt = await mailer.send(make_email())
        await mailer.send(make_email(attachment=PDF, attachment_type="pdf"))

    link_email, pdf_email = providers.accepted_emails
    assert (receipt.status, receipt.message_id) == ("delivered", "custom-1")
    assert link_email == {
        "to": "gil@example.com",
        "subject": "Please sign: River trip Waiver",
        "body": make_email().body,
        "attachmentType": "link",
    }
    assert pdf_email["attachmentType"] == "pdf"
    assert base64.b64decode(pdf_email["attachment"]["content"]) == PDF.content
    assert providers.headers[0]["host"].startswith("hooks.rio.example:")


@pytest.mark.parametrize(
    ("body", "message_id"), [('{"id": "a\\u0000\\ud800b"}', "ab"), ("[" * 60_000, None), ('{"id": {}}', None)]
)
async def test_12l5_an_odd_response_of_a_custom_endpoint_is_no_error(
    trust_certificate: TrustCertificate, body: str, message_id: str | None
) -> None:
    """12L5: an email whose endpoint responded like this was sent again, and then counted as failed."""
    email = make_email()
    async with running_providers(trust_certificate("hooks.rio.example")) as providers:
        providers.response = Response(body)
        receipt = await custom_mailer(providers).send(email)

    assert receipt.status == "delivered"
    assert receipt.message_id == (message_id or str(email.id))


async def test_a_certificate_for_another_host_is_rejected(trust_certificate: TrustCertificate) -> None:
    async with running_providers(trust_certificate("other.example")) as providers:
        with pytest.raises(MailNotSent, match="could not be reached"):
            await custom_mailer(providers).send(make_email())

    assert providers.accepted_emails == []


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
async def test_an_endpoint_that_is_not_a_public_https_address_is_refused(url: str, reason: str) -> None:
    with pytest.raises(EndpointNotAllowed, match=reason):
        await check_endpoint(url, ())


@pytest.mark.parametrize("addresses", [["93.184.215.14", "10.0.0.7"], ["10.0.0.7"], []])
async def test_an_endpoint_is_refused_if_any_of_its_addresses_is_private_or_it_has_none(addresses: list[str]) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return addresses

    with pytest.raises(EndpointNotAllowed):
        await check_endpoint("https://hooks.example/", (), resolve)


async def test_a_host_that_later_resolves_to_a_private_address_is_refused() -> None:
    lookups = iter([["93.184.215.14"], ["127.0.0.1"]])

    async def resolve_differently(_host: str, _port: int) -> list[str]:
        return next(lookups)

    url = "https://hooks.example/mail"
    assert (await check_endpoint(url, (), resolve_differently)).address == "93.184.215.14"
    mailer = CustomMailer(Configuration("custom", custom_endpoint=url), MessagingSettings(), resolve_differently)

    with pytest.raises(MailNotSent, match="private or loopback"):
        await mailer.send(make_email())
