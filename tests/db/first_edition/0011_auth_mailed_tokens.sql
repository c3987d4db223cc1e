-- What is sent to people so that they prove an address: one-time tokens, the flows they belong to, and how often.

alter table auth.users
    add column phone                    text check (phone ~ '^[1-9][0-9]{4,14}$'),
    add column phone_confirmed_at       timestamptz,
    add column invited_at               timestamptz,
    add column recovery_sent_at         timestamptz,
    add column new_email                text check (new_email = lower(new_email) and length(new_email) <= 255),
    add column email_change_sent_at     timestamptz,
    -- Which of the two addresses has yet to confirm the change.
    add column email_change_awaits      text[] not null default '{}',
    add column new_phone                text check (new_phone ~ '^[1-9][0-9]{4,14}$'),
    add column phone_change_sent_at     timestamptz,
    add column reauthentication_sent_at timestamptz,
    add column is_anonymous             boolean not null default false,
    add column deleted_at               timestamptz;
create unique index users_phone_idx on auth.users (phone);
create index users_newest_idx on auth.users (created_at desc, id);
create index users_new_email_idx on auth.users (new_email) where new_email is not null;
create index users_new_phone_idx on auth.users (new_phone) where new_phone is not null;

-- A sign-in that is under way in somebody's browser: with the challenge only that browser can answer (PKCE), and, when
-- it goes by way of a provider, as the state that must come back. `auth_code` is what the browser exchanges in the end.
create table auth.flow_state (
    id                     uuid primary key default gen_random_uuid(),
    user_id                uuid references auth.users on delete cascade,
    auth_code              uuid not null unique default gen_random_uuid(),
    code_challenge         text,
    code_challenge_method  text check (code_challenge_method in ('s256', 'plain')),
    provider               text not null,
    authentication_method  text not null,
    provider_token         text,
    provider_refresh_token text,
    referrer               text,
    auth_code_issued_at    timestamptz,
    created_at             timestamptz not null default now(),
    constraint challenges_name_their_method check ((code_challenge is null) = (code_challenge_method is null))
);
create index flow_state_user_idx on auth.flow_state (user_id);
create index flow_state_age_idx on auth.flow_state (created_at);

-- One per person and purpose: a newer mail makes the older one worthless. Only a hash is kept.
create table auth.one_time_tokens (
    user_id      uuid not null references auth.users on delete cascade,
    purpose      text not null check (purpose in (
                     'signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new',
                     'sms', 'phone_change', 'reauthentication')),
    token_sha256 bytea not null unique,
    sent_to      text not null,
    flow_id      uuid references auth.flow_state on delete set null,
    created_at   timestamptz not null default now(),
    primary key (user_id, purpose)
);
create index one_time_tokens_flow_idx on auth.one_time_tokens (flow_id);
create index one_time_tokens_age_idx on auth.one_time_tokens (created_at);

-- Buckets that refill with time: `full_at` is when one is full again. Losing them in a crash forgives everybody a
-- little, which is why they need no write-ahead log.
create unlogged table auth.rate_limits (
    bucket  text primary key,
    full_at timestamptz not null
);
create index rate_limits_full_idx on auth.rate_limits (full_at);

alter table auth.flow_state      enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.rate_limits     enable row level security;
grant select, insert, update, delete on auth.flow_state, auth.one_time_tokens, auth.rate_limits to service_role;

-- A letter with a key in it is forgotten as soon as it was handed over.
alter table public.emails add column secret boolean not null default false;

-- Text messages, as emails: asked for by a row, sent by the worker. They hold codes, so no company reads them.
create table public.text_messages (
    id         uuid primary key default gen_random_uuid(),
    recipient  text not null check (recipient ~ '^[1-9][0-9]{4,14}$'),
    body       text not null check (length(body) <= 1600),
    channel    text not null default 'sms' check (channel in ('sms', 'whatsapp')),
    status     text not null default 'sending' check (status in ('sending', 'delivered', 'failed')),
    attempts   int not null default 0,
    error      text,
    message_id text,
    created_at timestamptz not null default now(),
    sent_at    timestamptz
);
alter table public.text_messages enable row level security;
grant select, insert, update on public.text_messages to service_role;

create function cairn.text_message_requested() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event('text_message.requested', jsonb_build_object('text_message_id', new.id));
    return null;
end
$$;
create trigger text_message_requested after insert on public.text_messages
    for each row execute function cairn.text_message_requested();

-- The company of a new person is written back beside their role, so that tokens carry both.
create or replace function accounts.settle_new_person() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    chosen_role text := coalesce(new.app_metadata ->> 'role', 'company');
    company     uuid;
begin
    if chosen_role = 'company' then
        company := nullif(new.app_metadata ->> 'company_id', '')::uuid;
        if company is null then
            insert into public.companies default values returning id into company;
        end if;
    end if;
    insert into public.profiles (id, role, name, email, company_id)
    values (
        new.id,
        chosen_role,
        left(coalesce(nullif(trim(new.user_metadata ->> 'name'), ''), nullif(split_part(new.email, '@', 1), ''), 'Someone'), 200),
        coalesce(new.email, ''),
        company
    );
    update auth.users
       set app_metadata = app_metadata || jsonb_strip_nulls(jsonb_build_object('role', chosen_role, 'company_id', company))
     where id = new.id;
    return new;
end
$$;

update auth.users u
   set app_metadata = u.app_metadata || jsonb_strip_nulls(jsonb_build_object('role', p.role, 'company_id', p.company_id))
  from public.profiles p
 where p.id = u.id;

-- The public side follows when an address is changed.
create function accounts.follow_new_address() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.profiles set email = coalesce(new.email, '') where id = new.id;
    return null;
end
$$;
create trigger follow_new_address after update of email on auth.users
    for each row when (old.email is distinct from new.email) execute function accounts.follow_new_address();

revoke execute on function accounts.follow_new_address() from public;
