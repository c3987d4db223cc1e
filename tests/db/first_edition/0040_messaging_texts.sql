-- Text messages to guests stand beside those that hold codes: they are a company's, and it sees what became of them.

alter table public.text_messages
    add column company_id uuid references public.companies,
    -- What it is about, for those who know.
    add column session_id uuid,
    add column kind       text not null default 'code' check (kind in ('code', 'letter', 'reminder')),
    -- Given to the gateway, whose answer is not known yet: a guest's is not given a second time.
    add column handed_at  timestamptz,
    add constraint only_codes_are_nobodys check ((kind = 'code') = (company_id is null));

create index text_messages_company_idx on public.text_messages (company_id, created_at desc);
create index text_messages_session_idx on public.text_messages (session_id, created_at desc);
create index text_messages_newest_idx on public.text_messages (created_at desc);
create index text_messages_recipient_idx on public.text_messages (recipient, created_at desc);

create policy "company reads its own text messages" on public.text_messages
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select on public.text_messages to authenticated;
