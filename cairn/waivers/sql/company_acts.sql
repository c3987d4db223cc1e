-- What all acts of a company on its waivers have in common: who acts, why, and from where.

-- Returns the caller's company. Refuses callers who have no company, or whose company is suspended.
create or replace function waivers.acting_company() returns uuid
    language plpgsql stable set search_path = '' as $$
declare
    company uuid := accounts.my_company();
begin
    perform accounts.refuse_suspended();
    if company is null then
        perform waivers.refuse('changing_needs_company');
    end if;
    return company;
end
$$;

-- Returns the cleaned reason. Refuses a reason that is empty or too long, because the history shows why a company acted.
create or replace function waivers.clean_reason(reason text) returns text
    language plpgsql stable set search_path = '' as $$
declare
    cleaned text := cairn.clean_line(reason);
begin
    if coalesce(cleaned, '') = '' then
        perform waivers.refuse('reason_required');
    end if;
    if length(cleaned) > 500 then
        perform waivers.refuse('reason_too_long');
    end if;
    return cleaned;
end
$$;

-- Describes where the request of a company came from. The name of the person is copied, so that the history
-- stays readable after they have left.
create or replace function waivers.act_origin() returns jsonb
    language sql stable set search_path = '' as $$
    select waivers.request_origin() || jsonb_strip_nulls(jsonb_build_object(
        'by_name', (select p.name from accounts.people p where p.user_id = auth.uid())))
$$;
