-- People, how they prove who they are, and the sessions they hold. Only our own server code (service_role) enters here.

create table auth.users (
    id                   uuid primary key default gen_random_uuid(),
    email                text check (email = lower(email) and length(email) <= 255),
    encrypted_password   text,
    email_confirmed_at   timestamptz,
    confirmation_sent_at timestamptz,
    last_sign_in_at      timestamptz,
    app_metadata         jsonb not null default '{}',
    user_metadata        jsonb not null default '{}',
    banned_until         timestamptz,
    created_at           timestamptz not null default now(),
    updated_at           timestamptz not null default now()
);
create unique index users_email_idx on auth.users (email);

create table auth.identities (
    id              uuid primary key default gen_random_uuid(),
    user_id         uuid not null references auth.users on delete cascade,
    provider        text not null,
    provider_id     text not null,
    identity_data   jsonb not null default '{}',
    last_sign_in_at timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now(),
    unique (provider, provider_id)
);
create index identities_user_idx on auth.identities (user_id);

create table auth.sessions (
    id           uuid primary key default gen_random_uuid(),
    user_id      uuid not null references auth.users on delete cascade,
    aal          text not null default 'aal1' check (aal in ('aal1', 'aal2')),
    amr          jsonb not null default '[]',
    user_agent   text,
    ip           text,
    created_at   timestamptz not null default now(),
    refreshed_at timestamptz
);
create index sessions_user_idx on auth.sessions (user_id);

-- Tokens form a chain: each names the one it replaced. Only a hash is kept, so a copy of the table opens nothing.
create table auth.refresh_tokens (
    id           bigint generated always as identity primary key,
    session_id   uuid not null references auth.sessions on delete cascade,
    token_sha256 bytea not null unique,
    parent_id    bigint references auth.refresh_tokens on delete cascade,
    revoked_at   timestamptz,
    created_at   timestamptz not null default now()
);
create index refresh_tokens_session_idx on auth.refresh_tokens (session_id);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent_id);

create table auth.audit_log (
    id         bigint generated always as identity primary key,
    user_id    uuid,
    act        text not null,
    ip         text,
    facts      jsonb not null default '{}',
    created_at timestamptz not null default now()
);

alter table auth.users          enable row level security;
alter table auth.identities     enable row level security;
alter table auth.sessions       enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.audit_log      enable row level security;

grant select, insert, update, delete on auth.users, auth.identities, auth.sessions, auth.refresh_tokens to service_role;
grant select, insert on auth.audit_log to service_role;
