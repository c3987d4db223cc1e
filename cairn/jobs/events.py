"""Lists every event that SQL raises, with the files that raise it."""

EVENTS = {
    "email.requested": ("cairn/messaging/sql/request_sending.sql",),
    "sign_in_email.requested": ("cairn/messaging/sql/request_sending.sql",),
    "provider_email.requested": ("cairn/messaging/sql/request_sending.sql",),
    "endpoint_email.requested": ("cairn/messaging/sql/request_sending.sql",),
    "text_message.requested": ("cairn/messaging/sql/request_sending.sql",),
    "sign_in_text.requested": ("cairn/messaging/sql/request_sending.sql",),
    "row.changed": ("cairn/realtime/sql/publish.sql",),
    "broadcast.sent": ("cairn/realtime/sql/send.sql",),
    "deletion.requested": ("cairn/accounts/sql/delete_company.sql",),
    "subscription.changed": ("cairn/billing/sql/claim_payments.sql", "cairn/billing/sql/subscriptions.sql"),
    "payment.unclaimed": ("cairn/billing/sql/claim_payments.sql",),
    "reminder.requested": ("cairn/waivers/sql/remind.sql",),
    "waiver.signed": ("cairn/waivers/sql/sign.sql",),
    "erasure.requested": ("cairn/waivers/sql/erasure_requests.sql",),
    "waiver.erased": ("cairn/waivers/sql/erase.sql",),
}
