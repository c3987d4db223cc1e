-- Removes the addresses from the counted sendings of a session whose waiver is erased. The sendings still count.
create or replace function billing.erase_recipients(session uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        update billing.counted_sendings c set recipient = 'erased ' || gen_random_uuid() where c.session_id = session;
    end;
