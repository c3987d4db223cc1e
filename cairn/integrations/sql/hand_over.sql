-- The endpoints of an earlier user would receive every signature of the company.
create or replace trigger forget_endpoints after update of handed_over_at on auth.users
    for each row execute function accounts.delete_settings('integrations', 'endpoints');
