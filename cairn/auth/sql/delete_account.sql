-- Deletes a user who has requested it, with everything that belongs to the account. The log keeps one entry, which says
-- that the user with this id was deleted.
create or replace function auth.delete_account(person uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        delete from auth.audit_log where user_id = person;
        delete from auth.users where id = person;
        insert into auth.audit_log (user_id, act, payload) values (person, 'user_deleted', '{"requested_by": "owner"}');
    end;
grant execute on function auth.delete_account to service_role;

create or replace function auth.phone_of(person uuid) returns text
    language sql stable security definer set search_path = ''
    return (select phone from auth.users where id = person);
grant execute on function auth.phone_of to service_role;

-- Other packages call this to record an act in the log of the account.
create or replace function auth.log_act(person uuid, act text, ip text) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into auth.audit_log (user_id, act, ip) values (person, act, ip);
    end;
grant execute on function auth.log_act to service_role;

-- Adds an act of the operator to the log. The details name what else it concerned, such as a company.
create or replace function auth.log_operator_act(person uuid, act text, details jsonb) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into auth.audit_log (user_id, act, payload) values (person, act, details || '{"by": "operator"}');
    end;
grant execute on function auth.log_operator_act to service_role;
