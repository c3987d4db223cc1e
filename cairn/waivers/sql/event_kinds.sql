-- The kinds of events in the history of a session, with the titles that the app, the certificate page and the evidence pack
-- show. To add a kind, add its title here and call waivers.append_audit with its name; a test compares both.
create or replace function waivers.event_title(name text) returns text
    language sql immutable
    return coalesce($${
        "session.opened":      "Waiver created",
        "session.viewed":      "Link opened",
        "session.renewed":     "Sent again with a new link",
        "session.upgraded":    "History prepared for erasure",
        "session.sampled":     "Marked as sample data: all times above are made up",
        "email.requested":     "Email written",
        "email.accepted":      "Email accepted by the mail server",
        "email.kept":          "Email stored, but not delivered",
        "email.bounced":       "Email came back",
        "email.failed":        "Email not sent",
        "email.cancelled":     "Email no longer needed, not sent",
        "text.requested":      "Text message written",
        "text.delivered":      "Text message accepted by the gateway",
        "text.failed":         "Text message not sent",
        "recipient.corrected": "Recipient corrected by the company",
        "adult.invited":       "Adult invited to sign a waiver of their own",
        "waiver.signed":       "Signed",
        "waiver.cancelled":    "Cancelled by the company",
        "waiver.revoked":      "Revoked by the company",
        "waiver.superseded":   "Superseded by a newer waiver",
        "document.sealed":     "Document sealed",
        "document.downloaded": "Document downloaded",
        "evidence.exported":   "Evidence pack exported",
        "waiver.held":         "Put on legal hold",
        "hold.released":       "Legal hold released",
        "waiver.erased":       "Erased",
        "session.erased":      "Erased, because it was never signed"
    }$$::jsonb ->> name, name);
grant execute on function waivers.event_title to authenticated, service_role;

-- The history of a company's sessions, for the timeline of the app.
create or replace view public.waiver_events with (security_invoker = true) as
    select id as event_id, session_id, company_id, at, name, waivers.event_title(name) as title, details from waivers.audit_events;
grant select on public.waiver_events to authenticated, service_role;
