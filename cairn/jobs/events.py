"""Every event there is, and the newest migration that raises it, so that triggers are not invisible from Python."""

EVENTS = {
    "email.requested": "0006_messaging_letters",
    "waiver.signed": "0014_waivers_documents",
    "row.changed": "0010_realtime_changes",
}
