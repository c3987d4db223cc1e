-- Users, how they prove their identity, and their sessions. Only the server (service_role) has access.

create schema auth;
grant usage on schema auth to anon, authenticated, service_role;

create table auth.users (
    id                       uuid primary key default gen_random_uuid(),
    email                    text check (email = lower(email) and length(email) <= 255),
    encrypted_password       text,
    email_confirmed_at       timestamptz,
    confirmation_sent_at     timestamptz,
    last_sign_in_at          timestamptz,
    app_metadata             jsonb not null default '{}',
    user_metadata            jsonb not null default '{}',
    banned_until             timestamptz,
    created_at               timestamptz not null default now(),
    updated_at               timestamptz not null default now(),
    phone                    text check (phone ~ '^[1-9][0-9]{4,14}$'),
    phone_confirmed_at       timestamptz,
    invited_at               timestamptz,
    recovery_sent_at         timestamptz,
    new_email                text check (new_email = lower(new_email) and length(new_email) <= 255),
    email_change_sent_at     timestamptz,
    -- Which of the two addresses still has to confirm the change.
    email_change_awaits      text[] not null default '{}',
    new_phone                text check (new_phone ~ '^[1-9][0-9]{4,14}$'),
    phone_change_sent_at     timestamptz,
    reauthentication_sent_at timestamptz,
    is_anonymous             boolean not null default false,
    deleted_at               timestamptz
);
create unique index users_email_idx on auth.users (email);
create unique index users_phone_idx on auth.users (phone);
create index users_newest_idx on auth.users (created_at desc, id);
create index users_new_email_idx on auth.users (new_email) where new_email is not null;
create index users_new_phone_idx on auth.users (new_phone) where new_phone is not null;

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

create table auth.mfa_factors (
    id                 uuid primary key default gen_random_uuid(),
    user_id            uuid not null references auth.users on delete cascade,
    friendly_name      text not null default '' check (length(friendly_name) <= 200),
    factor_type        text not null check (factor_type in ('totp', 'phone', 'webauthn')),
    status             text not null default 'unverified' check (status in ('unverified', 'verified')),
    -- Encrypted, so that a copy of the table cannot produce codes.
    secret             text,
    phone              text,
    -- Public key, credential id and counter of a passkey or security key.
    credential         jsonb,
    -- The newest time step for which a code was accepted, so that no code is accepted twice.
    last_step          bigint,
    last_challenged_at timestamptz,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    constraint mfa_factors_one_name unique (user_id, friendly_name)
);

create table auth.mfa_challenges (
    id          uuid primary key default gen_random_uuid(),
    factor_id   uuid not null references auth.mfa_factors on delete cascade,
    ip          text,
    -- HMAC of the code that was sent by text message, or the bytes that a security key has to sign.
    code_hmac   bytea,
    nonce       bytea,
    failures    int not null default 0,
    verified_at timestamptz,
    created_at  timestamptz not null default now()
);
create index mfa_challenges_factor_idx on auth.mfa_challenges (factor_id, created_at desc);

create table auth.mfa_recovery_codes (
    user_id     uuid not null references auth.users on delete cascade,
    code_sha256 bytea not null,
    used_at     timestamptz,
    created_at  timestamptz not null default now(),
    primary key (user_id, code_sha256)
);

create table auth.sessions (
    id           uuid primary key default gen_random_uuid(),
    user_id      uuid not null references auth.users on delete cascade,
    aal          text not null default 'aal1' check (aal in ('aal1', 'aal2')),
    amr          jsonb not null default '[]',
    user_agent   text,
    ip           text,
    created_at   timestamptz not null default now(),
    refreshed_at timestamptz,
    -- The factor that raised the session to aal2, so that removing the factor also removes its trust.
    factor_id    uuid references auth.mfa_factors on delete set null,
    -- The address that was already confirmed when the session started.
    proven_email text
);
create index sessions_user_idx on auth.sessions (user_id);
create index sessions_factor_idx on auth.sessions (factor_id);

-- Tokens form a chain: each names the one it replaced. Only a hash is stored, so that a copy of the table is useless.
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

create table auth.sso_providers (
    id                uuid primary key default gen_random_uuid(),
    entity_id         text not null unique check (length(entity_id) <= 1024),
    sso_url           text not null,
    certificates      text[] not null check (cardinality(certificates) > 0),
    metadata_xml      text not null,
    attribute_mapping jsonb not null default '{}',
    -- New users of this provider join this company instead of creating one.
    company_id        uuid,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now()
);
create index sso_providers_company_idx on auth.sso_providers (company_id);

create table auth.sso_domains (
    domain          text primary key check (domain = lower(domain) and length(domain) between 1 and 253),
    sso_provider_id uuid not null references auth.sso_providers on delete cascade
);
create index sso_domains_provider_idx on auth.sso_domains (sso_provider_id);

-- A sign-in in progress: with the PKCE challenge of the browser, or, for an external provider, as the OAuth state. The
-- browser finally exchanges `auth_code`. `auth_code_issued_at` is set once, so that a replayed callback is rejected.
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
    -- The server's own half of PKCE with the provider.
    nonce                  text,
    provider_verifier      text,
    -- The role of a user who signs in for the first time.
    role                   text check (role in ('company', 'customer')),
    -- The signed-in user who links the identity to their account.
    linking_user_id        uuid references auth.users on delete cascade,
    sso_provider_id        uuid,
    constraint flow_state_sso_provider_fkey
        foreign key (sso_provider_id) references auth.sso_providers on delete cascade,
    constraint challenges_name_their_method check ((code_challenge is null) = (code_challenge_method is null))
);
create index flow_state_user_idx on auth.flow_state (user_id);
create index flow_state_age_idx on auth.flow_state (created_at);
create index flow_state_linking_idx on auth.flow_state (linking_user_id);
create index flow_state_sso_idx on auth.flow_state (sso_provider_id);

-- One per user and purpose, so that a newer email invalidates the older one. Only a hash is stored.
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

-- Token buckets; `full_at` is the time when one is full again. Losing them in a crash only resets the limits, so they are
-- unlogged. There is no index on `full_at` and free space in each page, so that updates stay heap-only: with an index, a
-- busy address left thousands of dead rows behind.
create unlogged table auth.rate_limits (
    bucket  text primary key,
    full_at timestamptz not null
) with (fillfactor = 50);

create table auth.audit_log (
    id         bigint generated always as identity primary key,
    user_id    uuid,
    act        text not null,
    ip         text,
    payload    jsonb not null default '{}',
    created_at timestamptz not null default now()
);

alter table auth.users              enable row level security;
alter table auth.identities         enable row level security;
alter table auth.mfa_factors        enable row level security;
alter table auth.mfa_challenges     enable row level security;
alter table auth.mfa_recovery_codes enable row level security;
alter table auth.sessions           enable row level security;
alter table auth.refresh_tokens     enable row level security;
alter table auth.sso_providers      enable row level security;
alter table auth.sso_domains        enable row level security;
alter table auth.flow_state         enable row level security;
alter table auth.one_time_tokens    enable row level security;
alter table auth.rate_limits        enable row level security;
alter table auth.audit_log          enable row level security;

grant select, insert, update, delete
    on auth.users, auth.identities, auth.mfa_factors, auth.mfa_challenges, auth.mfa_recovery_codes, auth.sessions,
       auth.refresh_tokens, auth.sso_providers, auth.sso_domains, auth.flow_state, auth.one_time_tokens, auth.rate_limits
    to service_role;
grant select, insert on auth.audit_log to service_role;
