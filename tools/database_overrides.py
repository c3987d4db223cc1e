"""Lists the names and types that tools/database_types.py cannot read from the catalog."""

from collections.abc import Mapping

from cairn.kit import frozen_dataclass

# This maps each table, view and function that the browser uses to the name of one row: `profiles` gets the types
# `ProfileRow`, `ProfileInsert` and `ProfileUpdate`.
ROW_NAMES: Mapping[str, str] = {
    "activities": "Activity",
    "booking_readiness": "BookingReadiness",
    "bookings": "Booking",
    "chain_heads": "ChainHead",
    "checkin_log": "CheckinLogEntry",
    "checkins": "Checkin",
    "companies": "Company",
    "consent_texts": "ConsentText",
    "emails": "Email",
    "erasure_requests": "ErasureRequest",
    "group_status": "GroupMember",
    "invoices": "Invoice",
    "my_companies": "MyCompany",
    "my_waivers": "MyWaiver",
    "notifications": "Notification",
    "participants": "Participant",
    "participants_for_export": "ExportedParticipant",
    "planned_erasures": "PlannedErasure",
    "profiles": "Profile",
    "push_subscriptions": "PushSubscription",
    "reminder_preview": "ReminderPreview",
    "sent_waivers": "SentWaiver",
    "signed_waivers": "SignedWaiver",
    "subscriptions": "Subscription",
    "suppressed_addresses": "SuppressedAddress",
    "trials": "Trial",
    "trip_participants": "TripParticipant",
    "trip_readiness": "TripReadiness",
    "trips": "Trip",
    "waiver_allowance": "Allowance",
    "waiver_counts": "WaiverCounts",
    "waiver_directory": "DirectoryEntry",
    "waiver_events": "WaiverEvent",
    "waiver_sessions": "Session",
    "waiver_template_versions": "TemplateVersion",
    "waiver_templates": "Template",
    "webhook_deliveries": "Delivery",
    "webhook_endpoints": "Endpoint",
}

# These are the types of jsonb columns, and of columns that a view computes or a function returns. Without an entry, a
# computed or returned column may be null, because the catalog does not say that it is not.
COLUMN_TYPES: Mapping[tuple[str, str], str] = {
    # The database writes only strings into this object.
    ("notifications", "data"): "{ [field: string]: string | null }",
    # accounts.company_name returns "the Company" if there is no name.
    ("erasure_requests", "company_name"): "string",
    # The view is a union, so the catalog does not say from which columns of tables its columns come.
    ("participants", "birth_date"): "string | null",
    ("participants", "company_id"): "string",
    ("participants", "kind"): '"adult" | "minor"',
    ("participants", "waiver_id"): "string",
    ("participants", "id"): "string",
    ("participants", "name"): "string",
    ("participants", "number"): "number",
    ("participants", "answers"): "{ [question: string]: unknown }",
    ("participants", "flags"): "{ question: string; text: string }[]",
    ("participants_for_export", "waiver_id"): "string",
    ("participants_for_export", "name"): "string",
    ("participants_for_export", "kind"): '"adult" | "minor"',
    ("participants_for_export", "flags"): "string[]",
    # A question of the form, which the database has checked, and its answer.
    ("participants_for_export", "answers"): '(import("./waiver-form/types").Question & { answer: unknown })[]',
    # Every planned erasure has a time.
    ("planned_erasures", "erase_at"): "string",
    # accounts.company_name returns "the Company" if there is no name.
    ("waiver_sessions", "company_name"): "string",
    # The value is encode() of a column that is not null.
    ("signed_waivers", "record_sha256"): "string",
    ("chain_heads", "hash"): "string",
    ("chain_heads", "root"): "string",
    ("chain_heads", "signature"): "string",
    # The value is a case expression with these results.
    ("chain_heads", "timestamp_status"): '"none" | "pending" | "confirmed"',
    # The database writes only strings and whole numbers into this object.
    ("waiver_events", "details"): "{ [field: string]: string | number | null }",
    # waivers.event_title returns the name of an event that has no title.
    ("waiver_events", "title"): "string",
    # The value is a case expression with these results.
    ("signed_waivers", "document_status"): '"preparing" | "ready" | "failed"',
    # Both columns are computed from start_date, which is not null.
    ("trials", "days_remaining"): "number",
    ("trials", "is_active"): "boolean",
    # The value comes from billing.customers, which every subscription references.
    ("subscriptions", "provider"): '"stripe" | "sandbox"',
    # The value is copied from the endpoint, where a check constraint allows these two kinds.
    ("webhook_deliveries", "kind"): '"webhook" | "zapier"',
    # The value comes from integrations.endpoints, which every delivery references.
    ("webhook_deliveries", "endpoint_name"): "string",
    # The functions below select these values from columns that are not null, or compute one of a few values.
    ("my_companies", "company_id"): "string",
    ("my_companies", "company_name"): "string",
    ("my_companies", "waiver_count"): "number",
    ("my_waivers", "session_id"): "string",
    ("my_waivers", "status"): '"pending" | "expired" | "signed" | "revoked"',
    ("my_waivers", "template_name"): "string",
    ("my_waivers", "company_name"): "string",
    ("my_waivers", "sent_at"): "string",
    ("my_waivers", "document_status"): '"preparing" | "ready" | "failed" | null',
    ("waiver_directory", "id"): "string",
    ("waiver_directory", "type"): '"signed" | "pending"',
    ("waiver_directory", "session_id"): "string",
    ("waiver_directory", "template_id"): "string",
    ("waiver_directory", "template_name"): "string",
    ("waiver_directory", "name"): "string",
    ("waiver_directory", "status"): (
        '"signed" | "pending" | "expired" | "cancelled" | "revoked" | "superseded" | "erased"'
    ),
    ("waiver_directory", "place"): "string",
    ("waiver_directory", "minors"): "string[]",
    ("waiver_directory", "flags"): "string[]",
    ("reminder_preview", "session_id"): "string",
    ("reminder_preview", "name"): "string",
    ("reminder_preview", "template_name"): "string",
    ("reminder_preview", "group_count"): "number",
    ("waiver_allowance", "month"): "string",
    ("waiver_allowance", "sent"): "number",
    # The functions of trips count, and select these values from columns that are not null.
    ("booking_readiness", "covered"): "number",
    ("booking_readiness", "ready"): "boolean",
    ("group_status", "first_name"): "string",
    ("group_status", "ready"): "boolean",
    **{("trip_readiness", name): "number" for name in ("expected", "covered", "checked_in", "flagged")},
    **{("trip_participants", name): "string" for name in ("booking_id", "participant_id", "name")},
    **{("trip_participants", name): "string[]" for name in ("waiver_ids", "missing_template_ids")},
    ("trip_participants", "kind"): '"adult" | "minor"',
    ("trip_participants", "flags"): "{ question: string; text: string }[]",
    ("trip_participants", "ready"): "boolean",
    **{("waiver_counts", name): "number" for name in ("total", "signed", "pending", "expired", "cancelled", "revoked")},
}

# These are the result types of functions that return a single value. A value without an entry may be null.
RESULT_TYPES: Mapping[str, str] = {
    "correct_recipient": "string",
    "invite_adult": "string",
    "count_waiver_directory": "number",
    "my_address": '"proven" | "unverified" | "sign in again" | null',
    "open_group_session": "SessionRow",
    "resend_waiver": "string",
    "send_reminders": "number",
    "trips_on": "TripRow",
    "tell_trial": '"welcome" | "reminder" | null',
}


@frozen_dataclass
class InsertColumns:
    required: Mapping[str, str]
    optional: Mapping[str, str]


# An INSTEAD OF trigger handles writes to these views, so the catalog does not say which columns can be written. Updates
# are accepted only for old clients and change nothing, so they have no type.
VIEW_INSERTS: Mapping[str, InsertColumns] = {
    "waiver_sessions": InsertColumns(
        required={"template_id": "string", "status": '"pending" | "template_default"', "template_content": "string"},
        optional={
            "id": "string",
            "company_id": "string",
            "recipient_email": "string | null",
            "recipient_name": "string | null",
        },
    ),
    "signed_waivers": InsertColumns(
        required={
            "content": "string",
            "first_viewed_at": "string",
            "id": "string",
            "last_viewed_at": "string",
            "scroll_depth": "number",
            "session_id": "string",
            "signature": "string",
            "signer_email": "string",
            "signer_name": "string",
            "strokes": "object | null",
            "template_id": "string",
            "template_name": "string",
            "time_zone": "string",
        },
        optional={
            "consent_language": "string",
            "consent_version": "string",
            "consented_at": "string",
            "document_secret": "string",
            # Only a waiver with a form has these columns.
            "answers": "object",
            "participants": "object",
            "guardian": "object | null",
            "initials": "object",
        },
    ),
}
