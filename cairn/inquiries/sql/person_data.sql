-- Returns the messages that a person has sent to the operator, for their own export.
create or replace function inquiries.person_data(address text, person uuid) returns jsonb
    language sql stable security definer set search_path = ''
    begin atomic
        select jsonb_build_object('messages_to_support', (
            select jsonb_agg(to_jsonb(m) - array['user_id', 'company_id', 'network'] order by m.created_at)
              from inquiries.messages m where m.user_id = person or lower(m.email) = address));
    end;
revoke execute on function inquiries.person_data from public;
grant execute on function inquiries.person_data to service_role;
