-- When an account is handed over to another user, the mail provider of the earlier user is deleted, because it would see
-- every email of the company. The company then sends through the server's own provider again.
create or replace trigger forget_provider after update of handed_over_at on auth.users
    for each row execute function accounts.delete_rows_of_company('messaging', 'configurations');
