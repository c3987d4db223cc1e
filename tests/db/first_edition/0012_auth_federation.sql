-- Getting in through others (Google, a company's own identity provider), and proving it twice.
-- As with all of this room: only our own server code (service_role) enters.

-- A sign-in that left for somewhere else and is expected back. `id` travels as `state`, `auth_code` is what the browser
-- exchanges for a session in the PKCE form; `auth_code_issued_at` is set once, so that an answer that comes a second
-- time finds nothing to answer.
create table if not exists auth.flow_state (
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
alter table auth.flow_state
    -- What we keep for our own half of PKCE with the provider.
    add column nonce             text,
    add column provider_verifier text,
    -- What a first sign-in becomes.
    add column role              text check (role in ('company', 'customer')),
    -- Whose account the identity is to join, when it was asked for by someone signed in.
    add column linking_user_id   uuid references auth.users on delete cascade,
    add column sso_provider_id   uuid;
create index if not exists flow_state_age_idx on auth.flow_state (created_at);
create index if not exists flow_state_user_idx on auth.flow_state (user_id);
create index flow_state_linking_idx on auth.flow_state (linking_user_id);
create index flow_state_sso_idx on auth.flow_state (sso_provider_id);

create table auth.mfa_factors (
    id                 uuid primary key default gen_random_uuid(),
    user_id            uuid not null references auth.users on delete cascade,
    friendly_name      text not null default '' check (length(friendly_name) <= 200),
    factor_type        text not null check (factor_type in ('totp', 'phone', 'webauthn')),
    status             text not null default 'unverified' check (status in ('unverified', 'verified')),
    -- Sealed: a copy of the table makes no codes.
    secret             text,
    phone              text,
    -- Public key, credential id and counter of a passkey or security key.
    credential         jsonb,
    -- The newest time step a code was accepted for, so that no code is accepted twice.
    last_step          bigint,
    last_challenged_at timestamptz,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    constraint mfa_factors_one_name unique (user_id, friendly_name)
);

create table auth.mfa_challenges (
    id            uuid primary key default gen_random_uuid(),
    factor_id     uuid not null references auth.mfa_factors on delete cascade,
    ip            text,
    -- The code that was sent by text message, under the server's secret, or the bytes a key has to sign.
    code_hmac     bytea,
    nonce         bytea,
    failures      int not null default 0,
    verified_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index mfa_challenges_factor_idx on auth.mfa_challenges (factor_id, created_at desc);

create table auth.mfa_recovery_codes (
    user_id     uuid not null references auth.users on delete cascade,
    code_sha256 bytea not null,
    used_at     timestamptz,
    created_at  timestamptz not null default now(),
    primary key (user_id, code_sha256)
);

-- Which factor raised a session, so that a factor that is removed takes its trust along.
alter table auth.sessions add column factor_id uuid references auth.mfa_factors on delete set null;
create index sessions_factor_idx on auth.sessions (factor_id);

create table auth.sso_providers (
    id                uuid primary key default gen_random_uuid(),
    entity_id         text not null unique check (length(entity_id) <= 1024),
    sso_url           text not null,
    certificates      text[] not null check (cardinality(certificates) > 0),
    metadata_xml      text not null,
    attribute_mapping jsonb not null default '{}',
    -- Whose people these are: a new one joins this company instead of founding another.
    company_id        uuid references public.companies on delete set null,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now()
);

create table auth.sso_domains (
    domain          text primary key check (domain = lower(domain) and length(domain) between 1 and 253),
    sso_provider_id uuid not null references auth.sso_providers on delete cascade
);
create index sso_providers_company_idx on auth.sso_providers (company_id);
create index sso_domains_provider_idx on auth.sso_domains (sso_provider_id);
alter table auth.flow_state
    add constraint flow_state_sso_provider_fkey foreign key (sso_provider_id) references auth.sso_providers on delete cascade;

alter table auth.flow_state         enable row level security;
alter table auth.mfa_factors        enable row level security;
alter table auth.mfa_challenges     enable row level security;
alter table auth.mfa_recovery_codes enable row level security;
alter table auth.sso_providers      enable row level security;
alter table auth.sso_domains        enable row level security;

grant select, insert, update, delete
    on auth.flow_state, auth.mfa_factors, auth.mfa_challenges, auth.mfa_recovery_codes, auth.sso_providers, auth.sso_domains
    to service_role;
