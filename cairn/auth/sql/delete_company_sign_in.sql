-- Deletes the single sign-on of a company that is deleted, so that no one joins it any more.
create or replace function auth.delete_single_sign_on(company uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        delete from auth.sso_providers p where p.company_id = company;
    end;
grant execute on function auth.delete_single_sign_on to service_role;
