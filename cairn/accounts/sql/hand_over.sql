-- Triggers on `handed_over_at` run when an account is given to the person who proved its address (see cairn/auth/hand_over.py).
-- An earlier user may have entered addresses of their own, which would receive what guests of the company sign and write. Each
-- package removes such addresses from its own tables.

-- Returns the company of this user, or null if it has other members, to whom its settings belong as well.
create or replace function accounts.company_only_of(person uuid) returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select p.company_id
          from public.profiles p
         where p.id = person
           and not exists (select from public.profiles other where other.company_id = p.company_id and other.id <> person);
    end;

-- Resets the settings of the company. Besides the reply address, the earlier user may have set a sender name, a short retention
-- of waivers, a short lifetime of links, or the websites that may show the signing pages. They may also have requested
-- the deletion of the account or the company.
create or replace function accounts.reset_company_settings() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.companies
       set reply_to = default, sender_name = default, keep_waivers_months = default, link_days = default, framed_by = default,
           -- A deletion that has begun is not stopped halfway.
           delete_at = case when deleted_at is not null then delete_at end
     where id = accounts.company_only_of(new.id);
    update public.profiles set delete_at = null where id = new.id;
    return null;
end
$$;

create or replace trigger reset_company_settings after update of handed_over_at on auth.users
    for each row execute function accounts.reset_company_settings();

-- A trigger function for other packages: deletes the rows of the user's company from the table that the arguments name. For
-- example, `delete_rows_of_company('messaging', 'configurations')` deletes them from messaging.configurations.
create or replace function accounts.delete_rows_of_company() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    execute format('delete from %I.%I where company_id = $1', tg_argv[0], tg_argv[1])
      using accounts.company_only_of(new.id);
    return null;
end
$$;
