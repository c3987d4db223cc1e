-- A waiver that is sent by text message too: counted once, told beside its mail, and asked about again where a company
-- wants that.

alter table public.companies add column reminders_by_text boolean not null default false;
grant update (reminders_by_text) on public.companies to authenticated;

-- Not on the session: whoever holds the link reads that.
alter table public.sent_waivers
    add column recipient_phone text check (recipient_phone ~ '^\+[1-9][0-9]{4,14}$'),
    add column text_status     text check (text_status in ('sending', 'delivered', 'failed')),
    add column text_error      text;

-- What became of the newest text message is told once, by the worker that sent it; the sending follows.
create function waivers.follow_text() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.sent_waivers
       set recipient_phone = '+' || new.recipient, text_status = new.status, text_error = new.error
     where session_id = new.session_id and company_id = new.company_id;
    return null;
end
$$;
revoke execute on function waivers.follow_text() from public;
create trigger follow_text after insert or update of status on public.text_messages
    for each row when (new.session_id is not null and new.company_id is not null) execute function waivers.follow_text();

-- The first message about a waiver counts it, whether that is a mail or a text; the second finds it counted.
create trigger count_sending after insert on public.text_messages
    for each row when (new.kind = 'letter' and new.session_id is not null and new.status = 'sending')
    execute function billing.count_sending();

-- It was meant to be sent, and no message about it went out or still may.
create or replace function waivers.was_never_mailed(session uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from public.sent_waivers w where w.session_id = session)
               and not exists (select from public.emails e
                                where e.session_id = session and e.kind = 'letter'
                                  and e.status not in ('failed', 'cancelled'))
               and not exists (select from public.text_messages t
                                where t.session_id = session and t.kind = 'letter' and t.status <> 'failed');
    end;

-- As in migration 0032: what reached nobody does not count, unless another message about the same waiver did or may.
create or replace function billing.give_back_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    freed date;
begin
    -- Whoever sends it again at this moment holds this row, and then their message is seen by the question that follows.
    perform from billing.counted_sendings where session_id = new.session_id for update;
    if not exists (select from public.emails e
                    where e.session_id = new.session_id and e.kind = 'letter'
                      and e.status not in ('failed', 'cancelled'))
       and not exists (select from public.text_messages t
                        where t.session_id = new.session_id and t.kind = 'letter' and t.status <> 'failed') then
        delete from billing.counted_sendings where session_id = new.session_id returning month into freed;
        update billing.sendings_by_month set sent = sent - 1
         where company_id = new.company_id and month = freed and sent > 0;
    end if;
    return null;
end
$$;
create trigger give_back_sending after update of status on public.text_messages
    for each row when (new.kind = 'letter' and new.session_id is not null
                       and new.status = 'failed' and old.status <> 'failed')
    execute function billing.give_back_sending();
