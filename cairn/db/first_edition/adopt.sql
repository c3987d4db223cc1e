-- Brings a database of the first edition (42 numbered migrations) to the state of the baselines: the renames since then.
-- Functions, views, triggers and policies are then re-applied from the sql/ folders like after any other change.

comment on schema cairn is 'The migration ledger and the definitions that were applied.';
create table cairn.definitions (
    object text primary key,
    sha256 text not null
);
alter table cairn.definitions enable row level security;
grant select on cairn.definitions to service_role;

drop policy "whoever names the exact id reads that session" on waivers.sessions;
drop policy "whoever names the exact id reads that template" on public.waiver_templates;
do $$
begin
    if not exists (select from pg_roles where rolname = 'authenticated_by_id') then
        create role authenticated_by_id nologin inherit;
    end if;
    grant authenticated to authenticated_by_id;
    grant authenticated_by_id to authenticator;
    -- The old role stays as long as another database of this cluster has not been upgraded.
    drop role if exists authenticated_asking;
exception when dependent_objects_still_exist then
    null;
end
$$;

alter policy "whoever pays reads their invoices" on billing.invoices rename to "the payer reads their invoices";
alter policy "whoever pays reads their subscriptions" on billing.subscriptions
    rename to "the payer reads their subscriptions";
alter policy "company reads as whom it pays" on billing.customers rename to "company reads its own billing customer";
alter policy "people read as whom they pay" on billing.customers rename to "people read their own billing customer";
alter policy "people see which of their browsers are told" on public.push_subscriptions
    rename to "people see which of their browsers are notified";
alter policy "people have their own browsers told" on public.push_subscriptions
    rename to "people subscribe their own browsers";
alter policy "people stop having their browsers told" on public.push_subscriptions
    rename to "people unsubscribe their own browsers";
alter policy "everyone reads what they are asked to agree to" on public.consent_texts
    rename to "everyone reads the consent texts";
-- PostgreSQL had cut the old name off at 63 characters.
alter policy "company reads the versions of its own templates and of the samp" on public.waiver_template_versions
    rename to "company reads versions of its own templates and of the samples";

alter function auth.asked_id() rename to requested_id;
alter function auth.asked_uuid() rename to requested_uuid;
alter function accounts.settle_new_person() rename to create_profile;
alter trigger settle_new_person on auth.users rename to create_profile;
alter function cairn.email_requested() set schema messaging;
alter function cairn.text_message_requested() set schema messaging;
alter function accounts.note_proven_email() set schema auth;
alter function accounts.my_proven_email() set schema auth;
alter function realtime.seen(regclass, boolean, jsonb, jsonb) rename to visible_rows;
alter function realtime.asked(regclass, boolean, name) rename to visible_rows_query;
alter function waivers.request_facts() rename to request_origin;
alter function waivers.record_hash(text, text, text, text) rename to record_hash_v1;
alter function waivers.refuse_no_words() rename to refuse_empty_content;
alter trigger refuse_no_words on waivers.signed rename to refuse_empty_content;

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

-- The kinds of messages.
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

-- PostgreSQL names constraints after their table and column; those of "not null" exist from version 18 on.
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
