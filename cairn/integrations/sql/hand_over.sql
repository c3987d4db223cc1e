-- The endpoints of an earlier user would receive every signature of the company.
create or replace function integrations.forget_endpoints() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    delete from integrations.endpoints where company_id = accounts.company_only_of(new.id);
    return null;
end
$$;
revoke execute on function integrations.forget_endpoints from public;

create or replace trigger forget_endpoints after update of handed_over_at on auth.users
    for each row execute function integrations.forget_endpoints();
