-- Returns the messages that a person has sent to the operator, for their own export, at most 1,000 on one page.
create or replace function inquiries.person_data(address text, person uuid, page int) returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        select 'messages_to_support', to_jsonb(m) - array['user_id', 'company_id', 'network']
          from inquiries.messages m where m.user_id = person or lower(m.email) = address
         order by m.created_at, m.id limit 1000 offset 1000 * page;
    end;
grant execute on function inquiries.person_data to service_role;
