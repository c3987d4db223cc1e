-- Sessions (a sending awaiting a signature) and signed waivers.
--
-- The tables live in schema `waivers`, where nobody may write. What the wire calls `waiver_sessions` and
-- `signed_waivers` are views over them that read with the caller's own rights, and whose writes are the functions
-- below: opening a session and signing are each one insert, complete or not at all, through whichever door it came.

create table waivers.sessions (
    id                   uuid primary key default gen_random_uuid(),
    company_id           uuid references public.companies,
    template_id          text not null,
    template_name        text not null,
    template_description text not null default '',
    template_content     text not null check (length(template_content) <= 200000),
    recipient_name       text check (length(recipient_name) <= 400),
    recipient_email      text check (length(recipient_email) <= 320),
    status               text not null check (status in ('pending', 'signed', 'template_default')),
    created_at           timestamptz not null default now(),
    expires_at           timestamptz,
    first_waiver_id      uuid,
    constraint signed_sessions_have_a_waiver check ((status = 'signed') = (first_waiver_id is not null))
);
create index sessions_newest_idx on waivers.sessions (company_id, created_at desc);
create index sessions_pending_idx on waivers.sessions (company_id, created_at desc) where status = 'pending';
create unique index sessions_one_default_idx on waivers.sessions (company_id, template_id) nulls not distinct
    where status = 'template_default';

create table waivers.signed (
    id            uuid primary key default gen_random_uuid(),
    session_id    uuid not null references waivers.sessions,
    company_id    uuid references public.companies,
    template_id   text not null,
    template_name text not null,
    signer_name   text not null check (length(signer_name) between 1 and 400),
    signer_email  text not null check (length(signer_email) between 3 and 320),
    signature     text not null,
    content       text not null,
    signed_at     timestamptz not null,
    ip            text,
    user_agent    text,
    record_sha256 bytea not null
);
create index signed_newest_idx on waivers.signed (company_id, signed_at desc);
create index signed_session_idx on waivers.signed (session_id, signed_at desc);
-- Already compressed: trying to compress a PNG again only costs time.
alter table waivers.signed alter column signature set storage external;
alter table waivers.sessions add foreign key (first_waiver_id) references waivers.signed deferrable initially deferred;

-- Append-only, each entry holding the hash of the one before it in its session.
create table waivers.audit_events (
    id         bigint generated always as identity primary key,
    session_id uuid not null references waivers.sessions,
    company_id uuid references public.companies,
    name       text not null,
    facts      jsonb not null,
    at         timestamptz not null,
    previous   bytea,
    hash       bytea not null
);
create index audit_events_session_idx on waivers.audit_events (session_id, id);

alter table waivers.sessions     enable row level security;
alter table waivers.signed       enable row level security;
alter table waivers.audit_events enable row level security;

create policy "company reads its own sessions" on waivers.sessions
    for select to authenticated using (company_id = (select accounts.my_company()));
create policy "whoever names the exact id reads that session" on waivers.sessions
    for select to anon, authenticated using (id = (select auth.asked_uuid()));
create policy "company reads its own signed waivers" on waivers.signed
    for select to authenticated using (company_id = (select accounts.my_company()));
create policy "company reads its own audit events" on waivers.audit_events
    for select to authenticated using (company_id = (select accounts.my_company()));

grant select on waivers.sessions, waivers.signed to anon, authenticated, service_role;
grant select on waivers.audit_events to authenticated, service_role;

create function accounts.company_name(company uuid) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select coalesce((select nullif(trim(name), '') from public.companies where id = $1), 'the Company');
    end;

-- The signature comes from the first signed record, stored once. Whoever only holds the link may not read that
-- record, so for them these columns are null without any rule of their own.
create view public.waiver_sessions with (security_invoker = true) as
    select s.id, s.template_id, s.recipient_name, s.recipient_email, s.status, s.template_content, s.created_at,
           w.signed_at, w.signature, w.signer_name, w.signer_email,
           s.company_id, s.template_name, s.template_description, s.expires_at,
           accounts.company_name(s.company_id) as company_name
      from waivers.sessions s
      left join waivers.signed w on w.id = s.first_waiver_id;

create view public.signed_waivers with (security_invoker = true) as
    select id, template_id, template_name, signer_name, signer_email, signature, content, session_id, signed_at, company_id
      from waivers.signed;

grant select, insert, update on public.waiver_sessions to anon, authenticated, service_role;
grant select, insert on public.signed_waivers to anon, authenticated, service_role;

create function waivers.append_audit(session waivers.sessions, name text, facts jsonb) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    before bytea := (select e.hash from waivers.audit_events e where e.session_id = session.id order by e.id desc limit 1);
    moment timestamptz := clock_timestamp();
begin
    insert into waivers.audit_events (session_id, company_id, name, facts, at, previous, hash)
    values (session.id, session.company_id, name, facts, moment, before,
            waivers.audit_hash(before, session.id, name, facts, moment));
end
$$;
revoke execute on function waivers.append_audit from public;

-- One line per field, so that no two different entries read the same.
create function waivers.audit_hash(previous bytea, session_id uuid, name text, facts jsonb, at timestamptz) returns bytea
    language sql stable set timezone = 'UTC'
    return sha256(coalesce(previous, '') || convert_to(
        concat_ws(E'\n', session_id, name, facts, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), 'UTF8'));

create function waivers.open_session() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    company  uuid := accounts.my_company();
    template public.waiver_templates;
    opened   waivers.sessions;
begin
    select * into template from public.waiver_templates t
     where t.id = new.template_id and (t.company_id is null or company is null or t.company_id = company);
    new.status := coalesce(new.status, 'pending');
    if new.status not in ('pending', 'template_default') then
        raise exception 'A session starts as pending or template_default and becomes signed only by signing.'
            using errcode = 'PT400';
    end if;

    if company is null and auth.role() is distinct from 'service_role' then
        if new.recipient_name is not null or new.recipient_email is not null or new.status = 'template_default' then
            raise exception 'Only a company can send waivers.' using errcode = '42501';
        end if;
        if template.id is null then
            raise exception 'The requested waiver template could not be found.' using errcode = 'PT404';
        end if;
        -- A signer does not get to write the waiver they sign.
        new.template_content := template.content;
        -- A sample belongs to nobody, so the link names the company it was handed out by.
        company := coalesce(template.company_id,
                            (select c.id from public.companies c where c.id = new.company_id));
    elsif company is null then
        company := new.company_id;
    end if;

    insert into waivers.sessions as s
           (id, company_id, template_id, template_name, template_description, template_content,
            recipient_name, recipient_email, status, expires_at)
    values (coalesce(new.id, gen_random_uuid()), company, new.template_id,
            coalesce(template.name, new.template_name, new.template_id),
            coalesce(template.description, ''),
            coalesce(new.template_content, template.content, ''),
            nullif(trim(new.recipient_name), ''), nullif(lower(trim(new.recipient_email)), ''),
            new.status,
            case when new.status = 'pending' then now() + interval '30 days' end)
    on conflict do nothing
    returning * into opened;

    if opened.id is null then
        -- Asked again for what is there: the default session of a template, or the session whose id the client made.
        select * into opened from waivers.sessions s
         where s.company_id is not distinct from company and s.template_id = new.template_id
           and (s.id = new.id or (new.status = 'template_default' and s.status = 'template_default'));
        if opened.id is null then
            raise exception 'This session id is taken.' using errcode = '23505';
        end if;
    else
        perform waivers.append_audit(opened, 'session.opened', waivers.request_facts());
    end if;

    new.id := opened.id;
    new.company_id := opened.company_id;
    new.template_name := opened.template_name;
    new.template_description := opened.template_description;
    new.template_content := opened.template_content;
    new.recipient_name := opened.recipient_name;
    new.recipient_email := opened.recipient_email;
    new.status := opened.status;
    new.created_at := opened.created_at;
    new.expires_at := opened.expires_at;
    new.company_name := accounts.company_name(opened.company_id);
    new.signed_at := null; new.signature := null; new.signer_name := null; new.signer_email := null;
    return new;
end
$$;
create trigger open_session instead of insert on public.waiver_sessions
    for each row execute function waivers.open_session();

-- Where a request came from, as evidence. Nothing here decides anything.
create function waivers.request_facts() returns jsonb
    language sql stable
    return jsonb_strip_nulls(jsonb_build_object(
        'ip', nullif(current_setting('request.ip', true), ''),
        'user_agent', nullif(current_setting('request.user_agent', true), ''),
        'by', auth.uid()));

-- Older clients send the session's new state after signing. It is true by then and changes nothing; before then it is a lie.
create function waivers.keep_session() returns trigger
    language plpgsql as $$
begin
    if old.status <> 'signed' then
        raise exception 'A session becomes signed only by signing.' using errcode = 'PT409';
    end if;
    return old;
end
$$;
create trigger keep_session instead of update on public.waiver_sessions
    for each row execute function waivers.keep_session();

-- Nobody has the right to delete; the trigger only makes the refusal say so instead of speaking of views.
create function waivers.refuse_delete() returns trigger
    language plpgsql as $$
begin
    raise exception 'Waiver sessions are kept.' using errcode = '42501';
end
$$;
create trigger refuse_delete instead of delete on public.waiver_sessions
    for each row execute function waivers.refuse_delete();
