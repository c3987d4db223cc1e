-- The mail provider of an earlier user would see every email of the company. The provider of the service is used again.
create or replace trigger forget_provider after update of handed_over_at on auth.users
    for each row execute function accounts.delete_settings('messaging', 'configurations');
