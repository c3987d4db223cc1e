-- A sending tells the truth from its first moment to its last, however often it is tried.

-- A mail asked for anew is on its way again, whatever became of the one before.
create function waivers.begin_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.sent_waivers set email_status = 'sending', email_error = null
     where session_id = new.session_id and company_id = new.company_id and email_status <> 'sending';
    return null;
end
$$;
revoke execute on function waivers.begin_sending() from public;
create trigger begin_sending after insert on public.emails
    for each row when (new.session_id is not null) execute function waivers.begin_sending();

-- The browser asked for a mail and was refused before there was one, so no mail will ever say what became of it.
create function public.note_failed_sending(session_id uuid, reason text) returns void
    language sql security definer set search_path = '' as $$
    update public.sent_waivers w set email_status = 'failed', email_error = left(reason, 1000)
     where w.session_id = $1 and w.company_id = accounts.my_company() and w.email_status = 'sending'
       and not exists (select from public.emails e where e.session_id = $1 and e.company_id = w.company_id)
$$;
revoke execute on function public.note_failed_sending from public;
grant execute on function public.note_failed_sending to authenticated;
