-- Limits how fast a company fills the database with templates. Each saved change copies the text into a version, which is
-- kept for good, and one short request can change many templates. The service role has no company and no limits.

-- Refuses further changes if the company has saved too much in the last 24 hours. Runs once for each statement, before its
-- first row is written.
create or replace function waivers.check_saved_text() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_bytes_a_day    constant bigint := 20000000;
    -- Much more than a row needs, so that a company saves at most 2,000 versions in a day. An export has a file for each.
    bytes_of_empty_row constant bigint := 10000;
begin
    if (select sum(octet_length(v.content) + octet_length(v.description) + octet_length(v.name)
                   + coalesce(octet_length(v.form::text), 0) + bytes_of_empty_row)
          from public.waiver_template_versions v
         where v.company_id = (select accounts.my_company()) and v.saved_at > now() - interval '1 day') > max_bytes_a_day then
        perform waivers.refuse('template_quota_reached');
    end if;
    return null;
end
$$;

create or replace trigger check_saved_text before insert or update of name, description, content, form
    on public.waiver_templates for each statement execute function waivers.check_saved_text();

-- Refuses a statement that changes too many templates. Refused rows use space on the disk until PostgreSQL cleans up, so
-- the rows are counted one by one. The trigger that sets `updated_at` to the time of the transaction runs before this
-- one, because triggers run in the order of their names.
create or replace function waivers.check_changed_templates() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_templates constant int := 20;
begin
    if (select count(*) from public.waiver_templates t
         where t.company_id = (select accounts.my_company()) and t.version > 1 and t.updated_at = now()) >= max_templates then
        perform waivers.refuse('too_many_templates_changed');
    end if;
    return new;
end
$$;

create or replace trigger limit_changed_templates before update on public.waiver_templates
    for each row when (new.version <> old.version) execute function waivers.check_changed_templates();

create or replace function waivers.check_template_count() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_templates constant int := 1000;
begin
    if (select count(*) from public.waiver_templates t where t.company_id = (select accounts.my_company())) > max_templates then
        perform waivers.refuse('template_limit_reached');
    end if;
    return null;
end
$$;

create or replace trigger check_template_count after insert on public.waiver_templates
    for each statement execute function waivers.check_template_count();
