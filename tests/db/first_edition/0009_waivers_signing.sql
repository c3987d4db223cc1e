-- Signing is one insert: everything below happens, or nothing does.

create function waivers.sign() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions;
    stored  waivers.signed;
begin
    new.signer_name := trim(new.signer_name);
    new.signer_email := lower(trim(new.signer_email));
    if coalesce(new.signer_name, '') = '' or coalesce(new.signer_email, '') = '' or coalesce(new.signature, '') = '' then
        raise exception 'Name, email and signature are required.' using errcode = 'PT400';
    end if;
    if new.signer_email !~ '^[^@\s]+@[^@\s]+$' then
        raise exception 'This email address is not complete.' using errcode = 'PT400';
    end if;
    perform waivers.check_signature(new.signature);

    -- The lock makes simultaneous signers of one session take turns; a repeated id then finds what the first one stored.
    select * into session from waivers.sessions where id = new.session_id for update;
    if session.id is null then
        raise exception 'Could not find the waiver session.' using errcode = 'PT404';
    end if;
    select * into stored from waivers.signed where id = new.id;
    if stored.id is null then
        stored := waivers.store_signature(session, new);
    elsif stored.session_id <> session.id or stored.signature <> new.signature then
        raise exception 'This waiver id is taken.' using errcode = '23505';
    end if;

    select stored.id, stored.template_id, stored.template_name, stored.signer_name, stored.signer_email,
           stored.signature, stored.content, stored.session_id, stored.signed_at, stored.company_id
      into new;
    return new;
end
$$;
create trigger sign instead of insert on public.signed_waivers
    for each row execute function waivers.sign();

create function waivers.store_signature(session waivers.sessions, asked public.signed_waivers) returns waivers.signed
    language plpgsql set search_path = '' as $$
declare
    moment  timestamptz := clock_timestamp();
    words   text := waivers.fill(session.template_content, asked.signer_name, accounts.company_name(session.company_id));
    waiver  waivers.signed;
begin
    if session.status = 'template_default' then
        raise exception 'This session is the template''s own. Open a new session to sign.' using errcode = 'PT409';
    end if;
    if session.status = 'pending' and session.expires_at <= moment then
        raise exception 'This waiver has expired. Please ask for a new link.' using errcode = 'PT410';
    end if;

    insert into waivers.signed
           (id, session_id, company_id, template_id, template_name, signer_name, signer_email, signature, content,
            signed_at, ip, user_agent, record_sha256)
    values (coalesce(asked.id, gen_random_uuid()), session.id, session.company_id, session.template_id,
            session.template_name, asked.signer_name, asked.signer_email, asked.signature, words, moment,
            nullif(current_setting('request.ip', true), ''), nullif(current_setting('request.user_agent', true), ''),
            waivers.record_hash(words, asked.signer_name, asked.signer_email, asked.signature))
    returning * into waiver;

    -- A second signature adds a record; the session keeps its first.
    update waivers.sessions set status = 'signed', first_waiver_id = waiver.id
     where id = session.id and status = 'pending';

    perform waivers.append_audit(session, 'waiver.signed', waivers.request_facts() || jsonb_build_object(
        'waiver_id', waiver.id, 'signer_name', waiver.signer_name, 'signer_email', waiver.signer_email,
        'record_sha256', encode(waiver.record_sha256, 'hex')));
    perform jobs.raise_event('waiver.signed', jsonb_build_object(
        'waiver_id', waiver.id, 'session_id', waiver.session_id, 'company_id', waiver.company_id));
    return waiver;
end
$$;
revoke execute on function waivers.store_signature from public;

-- One pass: a guest named "[COMPANY NAME]" stays a guest and is not filled in a second time.
create function waivers.fill(content text, participant text, company text) returns text
    language sql immutable
    return (select coalesce(string_agg(replace(piece, '[COMPANY NAME]', company), participant order by place), '')
              from unnest(string_to_array(content, '[PARTICIPANT NAME]')) with ordinality as part (piece, place));

-- One hash over what was signed, by whom, and how; each field on its own line and hashed first, so none can run into the next.
create function waivers.record_hash(content text, signer_name text, signer_email text, signature text) returns bytea
    language sql immutable
    return sha256(sha256(convert_to(content, 'UTF8')) || sha256(convert_to(signer_name, 'UTF8'))
                  || sha256(convert_to(signer_email, 'UTF8')) || sha256(convert_to(signature, 'UTF8')));

create function waivers.check_signature(signature text) returns void
    language plpgsql immutable as $$
declare
    png bytea;
begin
    if length(signature) > 700000 then
        raise exception 'The signature is too large.' using errcode = 'PT400';
    end if;
    if not starts_with(signature, 'data:image/png;base64,') then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end if;
    begin
        png := decode(substr(signature, 23), 'base64');
    exception when others then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end;
    if substr(png, 1, 8) <> '\x89504e470d0a1a0a' or length(png) < 45 then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end if;
end
$$;

create table public.sent_waivers (
    id               uuid primary key default gen_random_uuid(),
    company_id       uuid not null references public.companies default accounts.my_company(),
    session_id       uuid not null references waivers.sessions,
    template_id      text not null,
    template_name    text not null,
    template_content text not null,
    recipient_name   text not null,
    recipient_email  text not null,
    status           text not null default 'pending' check (status in ('pending', 'sent_pdf')),
    sent_as_pdf      boolean not null default false,
    email_status     text not null default 'sending' check (email_status in ('sending', 'delivered', 'kept', 'failed')),
    email_message_id text,
    email_error      text,
    sent_at          timestamptz not null default now()
);
create index sent_waivers_newest_idx on public.sent_waivers (company_id, sent_at desc);
create index sent_waivers_session_idx on public.sent_waivers (session_id);
alter table public.sent_waivers enable row level security;
create policy "company reads its own sendings" on public.sent_waivers
    for select to authenticated using (company_id = (select accounts.my_company()));
create policy "company records its own sendings" on public.sent_waivers
    for insert to authenticated with check (
        company_id = (select accounts.my_company())
        and exists (select from waivers.sessions s where s.id = session_id and s.company_id = (select accounts.my_company())));
grant select on public.sent_waivers to authenticated;
grant insert (id, company_id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, status, sent_as_pdf)
    on public.sent_waivers to authenticated;
grant select, insert, update on public.sent_waivers to service_role;

-- What became of the mail is told once, by the worker that sent it; the sending follows.
create function waivers.follow_email() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.sent_waivers
       set email_status = new.status, email_message_id = new.message_id, email_error = new.error
     where session_id = new.session_id and company_id = new.company_id;
    return null;
end
$$;
create trigger follow_email after update of status on public.emails
    for each row when (new.session_id is not null) execute function waivers.follow_email();
