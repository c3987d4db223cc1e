-- Deletes all messages that Cairn itself, and not a company, has sent to a person whose account is deleted. `is_proven` says
-- that the person had confirmed the address. Anyone can sign up with the address of a stranger, whose emails and complaint must
-- stay.
create or replace function messaging.delete_messages_to(address text, phone text, is_proven boolean) returns void
    language sql security definer set search_path = ''
    begin atomic
        delete from public.emails e
         where is_proven and e.company_id is null and lower(e.recipient) = lower(address);
        delete from public.text_messages t where t.company_id is null and t.recipient = ltrim(phone, '+');
        delete from messaging.suppressions s
         where is_proven and s.company_id is null and s.address = lower(delete_messages_to.address);
    end;
grant execute on function messaging.delete_messages_to to service_role;
