"""The signatures and the events of Resend and SendGrid, and the replies of mail servers, are read correctly.

The signed examples were published by Svix and SendGrid with their own libraries.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from cairn.kit import Problem, now
from cairn.messaging import ReportSettings
from cairn.messaging.errors import ReportMalformed, ReportTooOld, ReportUnsigned
from cairn.messaging.mailers.smtp_reply import rejects_address
from cairn.messaging.suppression.resend import read_resend_reports, verify_svix_signature
from cairn.messaging.suppression.sendgrid import read_sendgrid_reports, verify_sendgrid_signature
from tests.messaging.signed_reports import (
    RESEND_REPORT_KEY,
    SENDGRID_REPORT_KEY,
    resend_event,
    sendgrid_events,
    sign_resend,
    sign_sendgrid,
)

SVIX_KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SVIX_BODY = b'{"test": 2432232314}'
SVIX_HEADERS = {
    "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "svix-timestamp": "1614265330",
    "svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
SVIX_TIME = datetime.fromtimestamp(1614265330, UTC)

SENDGRID_KEY = (
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1F"
    "wCM/QmGUhA=="
)
SENDGRID_OTHER_KEY = (
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqTxd43gyp8IOEto2LdIfjRQrIbsd4SXZkLW6jDutdhXSJCWHw8REntlo7aNDthvj+y7GjUuFDb/R"
    "1NGe1OPzpA=="
)
SENDGRID_BODY = b'{"category":"example_payload","event":"test_event","message_id":"message_id"}'
SENDGRID_TIMESTAMP = "1588788367"
SENDGRID_SIGNATURE = "MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0="


def test_the_signature_published_by_svix_is_valid_for_five_minutes() -> None:
    for minutes in (-5, 0, 5):
        verify_svix_signature(SVIX_HEADERS, SVIX_BODY, SVIX_KEY, SVIX_TIME + timedelta(minutes=minutes))

    for seconds in (-301, 301):
        with pytest.raises(ReportTooOld):
            verify_svix_signature(SVIX_HEADERS, SVIX_BODY, SVIX_KEY, SVIX_TIME + timedelta(seconds=seconds))


def test_one_of_several_svix_signatures_is_enough() -> None:
    signatures = f"v1,AAAA v2,x {SVIX_HEADERS['svix-signature']}"

    verify_svix_signature({**SVIX_HEADERS, "svix-signature": signatures}, SVIX_BODY, SVIX_KEY, SVIX_TIME)


@pytest.mark.parametrize(
    "changes",
    [
        {"svix-id": "msg_other"},
        {"svix-timestamp": "1614265331"},
        {"svix-timestamp": ""},
        {"svix-timestamp": "٣"},
        {"svix-timestamp": "9" * 5000},
        {"svix-signature": ""},
        {"svix-signature": "v1,"},
        {"svix-signature": "v1,\xff"},
        {"svix-signature": SVIX_HEADERS["svix-signature"].replace("v1,", "v2,")},
        {"svix-signature": SVIX_HEADERS["svix-signature"].replace("g0hM", "g0hN")},
    ],
)
def test_a_changed_svix_header_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(ReportUnsigned):
        verify_svix_signature({**SVIX_HEADERS, **changes}, SVIX_BODY, SVIX_KEY, SVIX_TIME)


def test_another_body_or_key_does_not_match_the_svix_signature() -> None:
    with pytest.raises(ReportUnsigned):
        verify_svix_signature(SVIX_HEADERS, SVIX_BODY + b" ", SVIX_KEY, SVIX_TIME)
    with pytest.raises(ReportUnsigned):
        verify_svix_signature(SVIX_HEADERS, SVIX_BODY, RESEND_REPORT_KEY, SVIX_TIME)


def test_the_signature_published_by_sendgrid_is_valid() -> None:
    verify_sendgrid_signature(SENDGRID_SIGNATURE, SENDGRID_TIMESTAMP, SENDGRID_BODY, SENDGRID_KEY)


@pytest.mark.parametrize(
    ("signature", "timestamp", "body", "key"),
    [
        (SENDGRID_SIGNATURE.replace("H2j/0=", "H3j/0="), SENDGRID_TIMESTAMP, SENDGRID_BODY, SENDGRID_KEY),
        (SENDGRID_SIGNATURE, "1588788368", SENDGRID_BODY, SENDGRID_KEY),
        (SENDGRID_SIGNATURE, SENDGRID_TIMESTAMP, b"payload", SENDGRID_KEY),
        (SENDGRID_SIGNATURE, SENDGRID_TIMESTAMP, SENDGRID_BODY, SENDGRID_OTHER_KEY),
        ("", SENDGRID_TIMESTAMP, SENDGRID_BODY, SENDGRID_KEY),
        ("not base64", SENDGRID_TIMESTAMP, SENDGRID_BODY, SENDGRID_KEY),
    ],
)
def test_a_changed_sendgrid_report_is_refused(signature: str, timestamp: str, body: bytes, key: str) -> None:
    with pytest.raises(ReportUnsigned):
        verify_sendgrid_signature(signature, timestamp, body, key)


def test_a_report_of_sendgrid_is_accepted_for_a_day() -> None:
    body = sendgrid_events({"event": "spamreport", "email": "gil@example.com"})

    assert len(read_sendgrid_reports(sign_sendgrid(body), body, SENDGRID_REPORT_KEY, now() + timedelta(hours=23))) == 1
    with pytest.raises(ReportTooOld):
        read_sendgrid_reports(sign_sendgrid(body), body, SENDGRID_REPORT_KEY, now() + timedelta(hours=25))


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("email.bounced", {"bounce": {"type": "Permanent", "message": "no such user"}}, "bounce"),
        ("email.bounced", {}, "bounce"),
        ("email.bounced", {"bounce": {"type": "Transient"}}, None),
        ("email.bounced", {"bounce": {"type": "Undetermined"}}, None),
        ("email.complained", {}, "complaint"),
        ("email.delivered", {}, None),
        ("email.delivery_delayed", {}, None),
        ("an event of the future", {}, None),
    ],
)
def test_permanent_bounces_and_complaints_of_resend_are_reports(
    kind: str, data: dict[str, Any], reason: str | None
) -> None:
    body = resend_event(kind, "gil@example.com", "re-1", **data)

    reports = read_resend_reports(sign_resend(body), body, RESEND_REPORT_KEY, now())

    assert [report.reason for report in reports] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"event": "bounce", "type": "bounce", "reason": "550 5.1.1 no such user"}, "bounce"),
        ({"event": "bounce", "type": "blocked", "reason": "550 IP blocked"}, None),
        ({"event": "spamreport"}, "complaint"),
        ({"event": "dropped", "reason": "Bounced Address"}, "bounce"),
        ({"event": "dropped", "reason": "Invalid"}, "bounce"),
        ({"event": "dropped", "reason": "Spam Reporting Address"}, "complaint"),
        ({"event": "dropped", "reason": "Spam Content"}, None),
        ({"event": "deferred"}, None),
        ({"event": "delivered"}, None),
        ({"event": 7}, None),
    ],
)
def test_bounces_complaints_and_drops_of_sendgrid_are_reports(event: dict[str, Any], reason: str | None) -> None:
    body = sendgrid_events({"email": "gil@example.com", "sg_message_id": "14c.dfd.64b.filter0001.1.2.0", **event})

    reports = read_sendgrid_reports(sign_sendgrid(body), body, SENDGRID_REPORT_KEY, now())

    assert [report.reason for report in reports] == ([reason] if reason else [])
    assert all({"14c", "14c.dfd.64b"} <= set(report.message_ids) for report in reports)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"null",
        b"7",
        b'"x"',
        b"[" * 100_000,
        b'{"type": "email.bounced"}',
        b'{"type": "email.bounced", "data": {"to": "gil@example.com"}}',
        b'[[{"event": "bounce"}]]',
    ],
)
def test_a_malformed_report_is_refused(body: bytes) -> None:
    with pytest.raises((ReportMalformed, ReportUnsigned)):
        read_resend_reports(sign_resend(body), body, RESEND_REPORT_KEY, now())
    with pytest.raises((ReportMalformed, ReportUnsigned)):
        read_sendgrid_reports(sign_sendgrid(body), body, SENDGRID_REPORT_KEY, now())


@pytest.mark.parametrize("field", ["email", "reason", "sg_message_id", "smtp-id", "type"])
@pytest.mark.parametrize("value", [None, 7, [], {}, "\x00\ud800", "a" * 5000])
def test_odd_values_in_a_report_cause_no_error(field: str, value: object) -> None:
    events = sendgrid_events({"event": "bounce", "email": "gil@example.com", field: value})
    event = resend_event("email.bounced", "gil@example.com", "re-1", bounce={"message": value}, subject=value)
    try:
        read_sendgrid_reports(sign_sendgrid(events), events, SENDGRID_REPORT_KEY, now())
        read_resend_reports(sign_resend(event), event, RESEND_REPORT_KEY, now())
    except Problem as problem:
        pytest.fail(f"refused: {problem}")


@pytest.mark.parametrize(
    ("code", "text", "is_about_recipient", "is_rejected"),
    [
        (550, "5.1.1 No such user", True, True),
        (550, "No such user", True, True),
        (553, "Invalid address", True, True),
        (554, "5.1.10 Domain accepts no mail", True, True),
        (550, "5.2.1 Mailbox disabled", True, True),
        (550, "5.1.1 No such user", False, True),
        # The mailbox is full, the sender is blocked, the content looks like spam, or the server relays nothing.
        (552, "5.2.2 Mailbox full", True, False),
        (550, "5.7.1 Blocked", True, False),
        (554, "Relay access denied", True, False),
        (550, "Looks like spam", False, False),
        (550, "5.1.8 Bad sender", False, False),
        # A 4xx reply is temporary.
        (450, "4.2.1 Greylisted", True, False),
        (451, "5.1.1 confused", True, False),
        (452, "4.2.2 Mailbox full", True, False),
    ],
)
def test_only_a_permanent_reply_about_the_address_rejects_it(
    code: int, text: str, *, is_about_recipient: bool, is_rejected: bool
) -> None:
    assert rejects_address(code, text, is_about_recipient=is_about_recipient) is is_rejected


@pytest.mark.parametrize("keys", [{"resend_key": "whsec_?"}, {"sendgrid_key": "AAAA"}, {"sendgrid_key": SVIX_KEY}])
def test_a_wrong_report_key_in_the_settings_is_refused(keys: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="This is not a"):
        ReportSettings.model_validate(keys)
