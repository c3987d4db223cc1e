-- These functions delete up to `up_to` old messages and return how many they deleted. The worker calls them regularly.

-- Deletes emails that are about no waiver. An email about a waiver is evidence, so it is erased together with the waiver.
create or replace function messaging.delete_old_emails(up_to int, older_than interval) returns bigint
    language sql security definer set search_path = ''
    begin atomic
        with old as (
            select e.id from public.emails e
             where e.created_at < now() - older_than and not e.secret
               and e.session_id is null and e.about_id is null and e.attachment_id is null
             limit up_to for update skip locked),
        deleted as (
            delete from public.emails e using old where e.id = old.id returning e.id)
        select count(*) from deleted;
    end;
grant execute on function messaging.delete_old_emails to service_role;

-- Deletes emails with a link or a code for signing in.
create or replace function messaging.delete_old_sign_in_emails(up_to int, older_than interval) returns bigint
    language sql security definer set search_path = ''
    begin atomic
        with old as (
            select e.id from public.emails e
             where e.created_at < now() - older_than and e.secret
             limit up_to for update skip locked),
        deleted as (
            delete from public.emails e using old where e.id = old.id returning e.id)
        select count(*) from deleted;
    end;
grant execute on function messaging.delete_old_sign_in_emails to service_role;

-- Deletes text messages with a code for signing in. Text messages to guests are deleted when their waiver is erased.
create or replace function messaging.delete_old_codes(up_to int, older_than interval) returns bigint
    language sql security definer set search_path = ''
    begin atomic
        with old as (
            select t.id from public.text_messages t
             where t.created_at < now() - older_than and t.kind = 'code'
             limit up_to for update skip locked),
        deleted as (
            delete from public.text_messages t using old where t.id = old.id returning t.id)
        select count(*) from deleted;
    end;
grant execute on function messaging.delete_old_codes to service_role;

create or replace function messaging.delete_old_notifications(up_to int, older_than interval) returns bigint
    language sql security definer set search_path = ''
    begin atomic
        with old as (
            select n.id from public.notifications n
             where n.created_at < now() - older_than
             limit up_to for update skip locked),
        deleted as (
            delete from public.notifications n using old where n.id = old.id returning n.id)
        select count(*) from deleted;
    end;
grant execute on function messaging.delete_old_notifications to service_role;
