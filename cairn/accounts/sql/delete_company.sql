-- The owner of a company is the person who created it. If that person has left, it is the remaining person who joined first.
create or replace function accounts.owner_of(company uuid) returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select p.id from public.profiles p where p.company_id = company order by p.created_at, p.id limit 1;
    end;
grant execute on function accounts.owner_of to service_role;

-- Schedules the deletion of a company, and stops the renewal of its subscription.
create or replace function accounts.schedule_company_deletion(company uuid, at timestamptz) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    update public.companies c set delete_at = schedule_company_deletion.at where c.id = company;
    perform jobs.raise_event('deletion.requested', jsonb_build_object('company_id', company));
end
$$;
grant execute on function accounts.schedule_company_deletion to service_role;

-- Prevents the deletion of a company from beginning until this transaction ends. Returns false if it has already begun.
create or replace function accounts.block_company_deletion(company uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    perform from public.companies c where c.id = company and c.deleted_at is null for share;
    return found;
end
$$;

-- Begins the deletion: removes the name, the sender and other settings, and turns off reminders and embedding. The row stays with the
-- remaining settings, because signed heads and the histories of erased waivers refer to it.
create or replace function accounts.begin_company_deletion(company uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        update public.companies c
           set deleted_at = clock_timestamp(), name = default, time_zone = default, link_days = default, reminders = false,
               sender_name = default, reply_to = default, framed_by = '{}', keep_waivers_months = default
         where c.id = company;
    end;
grant execute on function accounts.begin_company_deletion to service_role;
