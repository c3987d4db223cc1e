-- Trials, payments and the monthly allowance. Only the server writes these rows, after the payment provider has confirmed
-- them; users can read their own. Card numbers are never stored, because the provider keeps them.

create schema billing;
grant usage on schema billing to authenticated, service_role;

-- A trial lasts seven days from a person's first sign-in. It is stored on the server, so that a user cannot restart it.
create table billing.trials (
    user_id          uuid primary key references auth.users on delete cascade,
    start_date       timestamptz not null default now(),
    subscribed       boolean not null default false,
    -- The last day, in the user's time zone, on which the notice about the remaining days was shown.
    last_notified_on date
);

create table billing.customers (
    id         uuid primary key default gen_random_uuid(),
    provider   text not null check (provider in ('stripe', 'sandbox')),
    -- The id of this customer at the provider.
    reference  text not null unique check (length(reference) between 1 and 255),
    company_id uuid references public.companies,
    -- Set if a person pays who does not belong to a company.
    user_id    uuid references auth.users on delete set null,
    -- The email address given to the provider. A payment made without an account is assigned to the user who proves that
    -- this address is theirs.
    email      text check (length(email) <= 320 and email = lower(email)),
    created_at timestamptz not null default now(),
    constraint customers_are_a_company_or_a_person check (company_id is null or user_id is null)
);
create index customers_company_idx on billing.customers (company_id);
create index customers_user_idx on billing.customers (user_id);
create index customers_unclaimed_idx on billing.customers (email) where company_id is null and user_id is null;

-- An order at the provider. Its amount decides which plan it pays for; an amount that is not the price of a plan buys none.
create table billing.checkouts (
    id           uuid primary key default gen_random_uuid(),
    provider     text not null check (provider in ('stripe', 'sandbox')),
    amount_cents int not null check (amount_cents between 1 and 999999),
    description  text not null check (length(description) between 1 and 200),
    plan         text generated always as (case amount_cents when 2000 then 'basic' when 4000 then 'professional' end) stored,
    company_id   uuid references public.companies,
    user_id      uuid references auth.users on delete set null,
    -- The buyer's IP network, so that one network cannot fill the table. Cleared after a day.
    network      text check (length(network) <= 64),
    created_at   timestamptz not null default now(),
    paid_at      timestamptz
);
create index checkouts_network_idx on billing.checkouts (network, created_at desc) where network is not null;
create index checkouts_unpaid_idx on billing.checkouts (created_at) where paid_at is null;
create index checkouts_company_idx on billing.checkouts (company_id);
create index checkouts_user_idx on billing.checkouts (user_id);

create table billing.subscriptions (
    id          uuid primary key default gen_random_uuid(),
    customer_id uuid not null references billing.customers,
    reference   text not null unique check (length(reference) between 1 and 255),
    plan        text not null check (plan in ('basic', 'professional')),
    -- past_due: a payment failed and is retried; the plan continues meanwhile.
    status      text not null check (status in ('active', 'past_due', 'paused', 'ended')),
    -- The end of the paid period. The subscription is then renewed, or ends if it was cancelled (is_ending).
    renews_at   timestamptz,
    is_ending   boolean not null default false,
    -- When the provider reported this state. Events with an earlier time are ignored.
    as_of       timestamptz not null,
    created_at  timestamptz not null default now()
);
create index subscriptions_customer_idx on billing.subscriptions (customer_id, created_at desc);
create index subscriptions_renewal_idx on billing.subscriptions (renews_at) where status in ('active', 'past_due');

create table billing.invoices (
    id           uuid primary key default gen_random_uuid(),
    customer_id  uuid not null references billing.customers,
    reference    text not null unique check (length(reference) between 1 and 255),
    -- Each payer's invoices are numbered from 1000.
    number       int not null check (number >= 1000),
    description  text not null check (length(description) <= 500),
    amount_cents int not null,
    status       text not null check (status in ('paid', 'open')),
    issued_at    timestamptz not null,
    -- The invoice on the provider's website.
    url          text check (length(url) <= 2000 and url ~ '^https?://')
);
create index invoices_customer_idx on billing.invoices (customer_id, issued_at desc);

-- The ids of events received from the provider, so that each is processed once.
create table billing.received_events (
    provider    text not null,
    id          text not null check (length(id) between 1 and 255),
    received_at timestamptz not null default now(),
    primary key (provider, id)
);

-- The cards entered in the sandbox, which is the provider if no other is configured. It charges nothing, and stores only the
-- last four digits of a card number.
create table billing.sandbox_cards (
    id        text primary key default 'pm_sandbox_' || gen_random_uuid(),
    customer  text not null,
    brand     text not null check (length(brand) <= 20),
    last4     text not null check (last4 ~ '^[0-9]{4}$'),
    exp_month int not null check (exp_month between 1 and 12),
    exp_year  int not null check (exp_year between 2000 and 2100),
    used_at   timestamptz not null default now(),
    unique (customer, brand, last4, exp_month, exp_year)
);

create table billing.sendings_by_month (
    company_id uuid not null references public.companies,
    -- The first day of the month, in UTC.
    month      date not null,
    sent       int not null check (sent >= 0),
    primary key (company_id, month)
);

-- The sessions already counted, so that a second message about the same waiver is not counted again.
create table billing.counted_sendings (
    session_id uuid primary key,
    company_id uuid not null references public.companies,
    month      date not null
);
create index counted_sendings_company_idx on billing.counted_sendings (company_id);

alter table billing.trials            enable row level security;
alter table billing.customers         enable row level security;
alter table billing.checkouts         enable row level security;
alter table billing.subscriptions     enable row level security;
alter table billing.invoices          enable row level security;
alter table billing.received_events   enable row level security;
alter table billing.sandbox_cards     enable row level security;
alter table billing.sendings_by_month enable row level security;
alter table billing.counted_sendings  enable row level security;

grant select (id, provider, company_id, user_id, created_at) on billing.customers to authenticated;
grant select on billing.trials, billing.subscriptions, billing.invoices to authenticated;
grant select on billing.sendings_by_month to authenticated, service_role;
grant select on billing.counted_sendings to service_role;
grant select, insert on billing.received_events to service_role;
grant select, insert, update
    on billing.trials, billing.customers, billing.subscriptions, billing.invoices, billing.sandbox_cards to service_role;
grant select, insert, update, delete on billing.checkouts to service_role;
