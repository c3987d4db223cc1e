-- The mail provider that an earlier user has entered would see every email of the company. The server's own is used again.
create or replace function messaging.forget_provider() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    delete from messaging.configurations where company_id = accounts.company_only_of(new.id);
    return null;
end
$$;
revoke execute on function messaging.forget_provider from public;

create or replace trigger forget_provider after update of handed_over_at on auth.users
    for each row execute function messaging.forget_provider();
