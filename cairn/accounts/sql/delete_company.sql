-- The owner of a company is the person who created its account, or the one who joined it first of those who are left.
create or replace function accounts.owner_of(company uuid) returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select p.id from public.profiles p where p.company_id = company order by p.created_at, p.id limit 1;
    end;
grant execute on function accounts.owner_of to service_role;

-- Plans the deletion of a company. Its plan is then no longer renewed.
create or replace function accounts.plan_company_deletion(company uuid, at timestamptz) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    update public.companies c set delete_at = plan_company_deletion.at where c.id = company;
    perform jobs.raise_event('deletion.requested', jsonb_build_object('company_id', company));
end
$$;
grant execute on function accounts.plan_company_deletion to service_role;

-- Keeps the deletion of a company from beginning before the transaction ends. Returns false if it has begun already.
create or replace function accounts.delay_company_deletion(company uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    perform from public.companies c where c.id = company and c.deleted_at is null for share;
    return found;
end
$$;

-- Begins the deletion: removes the name and the settings. What stays is the id, to which the evidence refers.
create or replace function accounts.begin_company_deletion(company uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        update public.companies c
           set deleted_at = clock_timestamp(), name = default, time_zone = default, link_days = default, reminders = false,
               sender_name = default, reply_to = default, framed_by = '{}', keep_waivers_months = default
         where c.id = company;
    end;
grant execute on function accounts.begin_company_deletion to service_role;
