"""What tools/database_types.py cannot read from the catalog of the public schema. Each entry has its reason."""

from collections.abc import Mapping
from dataclasses import dataclass

# The tables, views and functions that the browser uses, with the name of one row: `profiles` gets the types
# `ProfileRow`, `ProfileInsert` and `ProfileUpdate`.
ROW_NAMES: Mapping[str, str] = {
    "companies": "Company",
    "consent_texts": "ConsentText",
    "emails": "Email",
    "invoices": "Invoice",
    "my_waivers": "MyWaiver",
    "notifications": "Notification",
    "profiles": "Profile",
    "push_subscriptions": "PushSubscription",
    "sent_waivers": "SentWaiver",
    "signed_waivers": "SignedWaiver",
    "subscriptions": "Subscription",
    "trials": "Trial",
    "waiver_allowance": "Allowance",
    "waiver_directory": "DirectoryEntry",
    "waiver_sessions": "Session",
    "waiver_template_versions": "TemplateVersion",
    "waiver_templates": "Template",
    "webhook_deliveries": "Delivery",
    "webhook_endpoints": "Endpoint",
}

# The types of columns that a view computes or a function returns, and of jsonb. Without an entry such a column may be
# null, because the catalog does not say otherwise.
COLUMN_TYPES: Mapping[tuple[str, str], str] = {
    # The database writes only texts into it.
    ("notifications", "data"): "{ [field: string]: string | null }",
    # accounts.company_name falls back to "the Company".
    ("waiver_sessions", "company_name"): "string",
    # encode() of a column that is not null.
    ("signed_waivers", "record_sha256"): "string",
    # A case expression with these two results.
    ("signed_waivers", "document_status"): '"preparing" | "ready"',
    # Computed from start_date, which is not null.
    ("trials", "days_remaining"): "number",
    ("trials", "is_active"): "boolean",
    # A subquery on billing.customers, which every subscription references.
    ("subscriptions", "provider"): '"stripe" | "sandbox"',
    # Copied from the endpoint, whose column has the check constraint.
    ("webhook_deliveries", "kind"): '"webhook" | "zapier"',
    # A subquery on integrations.endpoints, which every delivery references.
    ("webhook_deliveries", "endpoint_name"): "string",
    # The functions below select these from columns that are not null, or compute one of a few values.
    ("my_waivers", "session_id"): "string",
    ("my_waivers", "status"): '"pending" | "expired" | "signed"',
    ("my_waivers", "template_name"): "string",
    ("my_waivers", "company_name"): "string",
    ("my_waivers", "sent_at"): "string",
    ("my_waivers", "document_status"): '"preparing" | "ready" | null',
    ("waiver_directory", "id"): "string",
    ("waiver_directory", "type"): '"signed" | "pending"',
    ("waiver_directory", "session_id"): "string",
    ("waiver_directory", "template_id"): "string",
    ("waiver_directory", "template_name"): "string",
    ("waiver_directory", "name"): "string",
    ("waiver_directory", "status"): '"signed" | "pending" | "expired"',
    ("waiver_directory", "place"): "string",
    ("waiver_allowance", "month"): "string",
    ("waiver_allowance", "sent"): "number",
}

# The results of functions that return a single value. Without an entry the value may be null.
RESULT_TYPES: Mapping[str, str] = {
    "count_waiver_directory": "number",
    "my_address": '"proven" | "unverified" | "sign in again" | null',
    "send_reminders": "number",
    "tell_trial": '"welcome" | "reminder" | null',
}


@dataclass(frozen=True, slots=True)
class ViewWrites:
    required: Mapping[str, str]
    optional: Mapping[str, str]


# An INSTEAD OF trigger handles writes to these views, so the catalog does not say which columns it uses. Updates of
# both are accepted only for old clients and change nothing, so they have no type.
VIEW_INSERTS: Mapping[str, ViewWrites] = {
    "waiver_sessions": ViewWrites(
        required={"template_id": "string", "status": '"pending" | "template_default"', "template_content": "string"},
        optional={
            "id": "string",
            "company_id": "string",
            "recipient_email": "string | null",
            "recipient_name": "string | null",
        },
    ),
    "signed_waivers": ViewWrites(
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
        optional={"consent_language": "string", "consent_version": "string", "consented_at": "string"},
    ),
}
