-- Companies and the profiles of their people.

create schema accounts;
grant usage on schema accounts to anon, authenticated, service_role;

-- define function auth.jwt
-- define function auth.has_second_factor
-- define function auth.uid
-- define function accounts.are_websites

create table public.companies (
    id                  uuid primary key default gen_random_uuid(),
    name                text not null default '' check (length(name) <= 200),
    created_at          timestamptz not null default now(),
    updated_at          timestamptz not null default now(),
    time_zone           text not null default 'UTC' check (length(time_zone) <= 64),
    link_days           int not null default 30 check (link_days between 1 and 365),
    reminders           boolean not null default true,
    reminder_first_days int not null default 3 check (reminder_first_days between 1 and 60),
    reminder_every_days int not null default 3 check (reminder_every_days between 1 and 60),
    reminder_limit      int not null default 3 check (reminder_limit between 1 and 10),
    -- If empty, the company's name and the address of the person who sends are used.
    sender_name         text check (length(sender_name) <= 200 and sender_name !~ '[\r\n]'),
    reply_to            text check (length(reply_to) <= 320 and reply_to ~ '^[^@\s<>",;]+@[^@\s<>",;]+$'),
    -- Origins, such as https://rio.example, that may embed the signing page. `*` is any website, an empty list is none.
    framed_by           text[] not null default '{*}'
                        check (framed_by = '{*}' or (cardinality(framed_by) <= 20 and accounts.are_websites(framed_by))),
    reminders_by_text   boolean not null default false
);
alter table auth.sso_providers add foreign key (company_id) references public.companies on delete set null;

create table public.profiles (
    id                 uuid primary key references auth.users on delete cascade,
    role               text not null check (role in ('company', 'customer')),
    name               text not null check (length(name) between 1 and 200),
    email              text not null,
    company_id         uuid references public.companies,
    bio                text not null default '' check (length(bio) <= 2000),
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    -- The name of an object in the bucket `profile-pictures`.
    profile_picture    text,
    email_on_signing   boolean not null default false,
    first_steps_hidden boolean not null default false,
    constraint companies_belong_to_company_people check ((role = 'company') = (company_id is not null)),
    constraint pictures_lie_in_ones_own_folder check (profile_picture ~ ('^' || id || '/[A-Za-z0-9._-]{1,100}$'))
);
create index profiles_company_idx on public.profiles (company_id);

-- define function accounts.my_company

-- Browsers that receive push notifications, with the keys that only they can decrypt with. A subscription ends with its
-- session: after signing out, even remotely, a device receives nothing.
create table public.push_subscriptions (
    id         uuid primary key default gen_random_uuid(),
    user_id    uuid not null default auth.uid() references auth.users on delete cascade,
    session_id uuid not null default (auth.jwt() ->> 'session_id')::uuid references auth.sessions on delete cascade,
    endpoint   text not null check (length(endpoint) <= 1000),
    p256dh     text not null check (p256dh ~ '^[A-Za-z0-9_-]{80,90}=?$'),
    auth       text not null check (auth ~ '^[A-Za-z0-9_-]{20,24}={0,2}$'),
    created_at timestamptz not null default now(),
    unique (session_id, endpoint)
);
create index push_subscriptions_user_idx on public.push_subscriptions (user_id, created_at desc);

alter table public.companies          enable row level security;
alter table public.profiles           enable row level security;
alter table public.push_subscriptions enable row level security;

-- Column grants protect id, role, email and company, which are set at sign-up.
grant select on public.companies, public.profiles to authenticated;
grant update (name, time_zone, link_days, reminders, reminder_first_days, reminder_every_days, reminder_limit, sender_name,
              reply_to, framed_by, reminders_by_text)
    on public.companies to authenticated;
grant update (name, bio, profile_picture, email_on_signing, first_steps_hidden) on public.profiles to authenticated;
grant select, insert, update, delete on public.companies, public.profiles to service_role;
grant select (id, user_id, endpoint, created_at) on public.push_subscriptions to authenticated;
grant insert (endpoint, p256dh, auth) on public.push_subscriptions to authenticated;
grant delete on public.push_subscriptions to authenticated;
grant select, insert, delete on public.push_subscriptions to service_role;
