-- When an account is handed over to another user, the endpoints of the earlier user are deleted, because they would
-- continue to receive each newly signed waiver of the company.
create or replace trigger forget_endpoints after update of handed_over_at on auth.users
    for each row execute function accounts.delete_rows_of_company('integrations', 'endpoints');
