-- Changes to these tables appear in open browser windows.

create or replace trigger note_change after insert on waivers.signed
    for each row execute function realtime.note_change('public', 'signed_waivers', 'key', 'company_id');

create or replace trigger note_revocation after update of revoked_at on waivers.signed
    for each row execute function realtime.note_change('public', 'signed_waivers', 'key', 'company_id');

-- The participants of a waiver with a form. A waiver without one stores no participant, so only the change of `signed_waivers` reports
-- it. The view hides a guardian who does not take part, so there is nothing to report.
create or replace trigger note_change after insert on waivers.participants
    for each row when (new.takes_part) execute function realtime.note_change('public', 'participants', 'key', 'company_id');

create or replace trigger note_cancellation after update of cancelled_at on waivers.sessions
    for each row execute function realtime.note_change('public', 'waiver_sessions', 'key', 'company_id');

-- The directory shows an invited adult at once.
create or replace trigger note_invitation after insert on waivers.sessions
    for each row when (new.invited_by is not null)
    execute function realtime.note_change('public', 'waiver_sessions', 'key', 'company_id');

create or replace trigger note_change after insert on public.sent_waivers
    for each row execute function realtime.note_change('public', 'sent_waivers', 'key', 'company_id');

-- The outbox contains only the id, because a template can be large, and a short request can change many of them. Templates
-- are deleted only together with their company.
create or replace trigger note_change after insert or update on public.waiver_templates
    for each row execute function realtime.note_change('public', 'waiver_templates', 'key', 'company_id');
