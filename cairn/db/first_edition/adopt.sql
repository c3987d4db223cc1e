-- Upgrades the tables of a database that Cairn created before version 0.2 (the first edition, with 42 numbered
-- migrations) to those that the baseline migrations create. The functions, views, triggers and policies of the first
-- edition are listed in objects.txt; `migrate` replaces or drops them afterwards, like any definition that has changed.
-- A line `-- define function x.y` is replaced by the current definition of that function before this file runs.

comment on schema cairn is 'The migration ledger and the definitions that were applied.';
create table cairn.definitions (
    object text primary key,
    sha256 text not null
);
alter table cairn.definitions enable row level security;
grant select on cairn.definitions to service_role;

drop policy "whoever names the exact id reads that session" on waivers.sessions;
drop policy "whoever names the exact id reads that template" on public.waiver_templates;
-- The role of a signed-in user whose request names one exact id.
do $$
begin
    if not exists (select from pg_roles where rolname = 'authenticated_by_id') then
        create role authenticated_by_id nologin inherit;
    end if;
    grant authenticated to authenticated_by_id;
    grant authenticated_by_id to authenticator;
end
$$;
do $$
begin
    drop role if exists authenticated_asking;
exception when dependent_objects_still_exist then
    -- Another database of this cluster still uses the role.
    null;
end
$$;

-- `migrate` identifies a function by its name alone, so names must be unique.
alter function waivers.record_hash(text, text, text, text) rename to record_hash_v1;

-- The parameters of functions that an index uses cannot be renamed in place.
drop view waivers.listed_signed, waivers.listed_pending;
drop index waivers.sessions_search_idx, waivers.signed_search_idx;
drop function waivers.search_keys, waivers.search_words;
-- define function waivers.search_text
-- define function waivers.search_keys
create index sessions_search_idx on waivers.sessions using gin
    (waivers.search_keys(company_id, waivers.search_text(recipient_name, recipient_email, template_name)))
    where status = 'pending';
create index signed_search_idx on waivers.signed using gin
    (waivers.search_keys(company_id, waivers.search_text(signer_name, signer_email, template_name)));

-- The kind 'letter' (a message that is not a reminder, a test or a code) is now called 'message'.
alter table public.emails drop constraint emails_kind_check;
alter table public.text_messages drop constraint text_messages_kind_check;
update public.emails set kind = 'message' where kind = 'letter';
update public.text_messages set kind = 'message' where kind = 'letter';
alter table public.emails
    alter column kind set default 'message',
    add constraint emails_kind_check check (kind in ('message', 'reminder', 'test'));
alter table public.text_messages
    add constraint text_messages_kind_check check (kind in ('code', 'message', 'reminder'));

comment on column public.emails.session_id is 'The waiver session that the email is about. This package only stores it.';
alter table jobs.events rename facts to payload;
alter table auth.audit_log rename facts to payload;
alter table waivers.audit_events rename facts to details;
alter table waivers.reminders rename asked_at to requested_at;
alter table billing.trials rename told_on to last_notified_on;
alter table billing.heard_events rename heard_at to received_at;
alter table billing.heard_events rename to received_events;

-- PostgreSQL names constraints after their table and column, so these are renamed too. "not null" is a named constraint
-- only from version 18 on.
do $$
declare
    renamed record;
begin
    for renamed in
        select c.conrelid::regclass as relation, c.conname as old_name, names.new_name
          from (values ('events_facts_not_null', 'events_payload_not_null'),
                       ('audit_log_facts_not_null', 'audit_log_payload_not_null'),
                       ('audit_events_facts_not_null', 'audit_events_details_not_null'),
                       ('reminders_asked_at_not_null', 'reminders_requested_at_not_null'),
                       ('heard_events_pkey', 'received_events_pkey'),
                       ('heard_events_id_check', 'received_events_id_check'),
                       ('heard_events_id_not_null', 'received_events_id_not_null'),
                       ('heard_events_provider_not_null', 'received_events_provider_not_null'),
                       ('heard_events_heard_at_not_null', 'received_events_received_at_not_null')
               ) as names (old_name, new_name)
          join pg_constraint c on c.conname = names.old_name
         where c.connamespace::regnamespace::text in ('auth', 'billing', 'jobs', 'waivers')
    loop
        execute format('alter table %s rename constraint %I to %I', renamed.relation, renamed.old_name, renamed.new_name);
    end loop;
end
$$;
