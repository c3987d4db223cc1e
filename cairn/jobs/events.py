"""Every event there is, and the newest migration that raises it, so that triggers are not invisible from Python."""

EVENTS = {
    "email.requested": "0006_messaging_letters",
    "reminder.requested": "0024_waivers_reminders",
    "waiver.signed": "0014_waivers_documents",
    "subscription.changed": "0031_billing_payments",
    "text_message.requested": "0011_auth_mailed_tokens",
    "row.changed": "0016_realtime_whole",
    "broadcast.sent": "0016_realtime_whole",
}
