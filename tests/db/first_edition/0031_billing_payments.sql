-- Who pays, what was bought and what it cost. Each row follows from what the payment provider has confirmed; people read
-- their own, and nobody but the server writes. A card's number is nowhere: the provider keeps cards.

create table billing.customers (
    id         uuid primary key default gen_random_uuid(),
    provider   text not null check (provider in ('stripe', 'sandbox')),
    -- What the provider calls them.
    reference  text not null unique check (length(reference) between 1 and 255),
    company_id uuid references public.companies,
    -- Somebody who pays for themselves.
    user_id    uuid references auth.users on delete set null,
    -- As a visitor gave it to the provider: whoever proves to have this address is given what was paid.
    email      text check (length(email) <= 320 and email = lower(email)),
    created_at timestamptz not null default now(),
    constraint customers_are_a_company_or_a_person check (company_id is null or user_id is null)
);
create index customers_company_idx on billing.customers (company_id);
create index customers_user_idx on billing.customers (user_id);
create index customers_unclaimed_idx on billing.customers (email) where company_id is null and user_id is null;
alter table billing.customers enable row level security;
create policy "company reads as whom it pays" on billing.customers
    for select to authenticated using (company_id = (select accounts.my_company()));
create policy "people read as whom they pay" on billing.customers
    for select to authenticated using (user_id = (select auth.uid()));
grant select (id, provider, company_id, user_id, created_at) on billing.customers to authenticated;
grant select, insert, update on billing.customers to service_role;

-- An order at the provider's door. The amount decides what it buys: that of a plan buys the plan, any other buys none.
create table billing.checkouts (
    id           uuid primary key default gen_random_uuid(),
    provider     text not null check (provider in ('stripe', 'sandbox')),
    amount_cents int not null check (amount_cents between 1 and 999999),
    description  text not null check (length(description) between 1 and 200),
    plan         text generated always as (case amount_cents when 2000 then 'basic' when 4000 then 'professional' end) stored,
    company_id   uuid references public.companies,
    user_id      uuid references auth.users on delete set null,
    -- The network it came from, so that one of them cannot fill the table. Forgotten after a day.
    network      text check (length(network) <= 64),
    created_at   timestamptz not null default now(),
    paid_at      timestamptz
);
create index checkouts_network_idx on billing.checkouts (network, created_at desc) where network is not null;
create index checkouts_unpaid_idx on billing.checkouts (created_at) where paid_at is null;
create index checkouts_company_idx on billing.checkouts (company_id);
create index checkouts_user_idx on billing.checkouts (user_id);
alter table billing.checkouts enable row level security;
grant select, insert, update, delete on billing.checkouts to service_role;

create table billing.subscriptions (
    id          uuid primary key default gen_random_uuid(),
    customer_id uuid not null references billing.customers,
    reference   text not null unique check (length(reference) between 1 and 255),
    plan        text not null check (plan in ('basic', 'professional')),
    -- past_due: a payment failed and is tried again; the plan goes on meanwhile.
    status      text not null check (status in ('active', 'past_due', 'paused', 'ended')),
    -- When the paid time is over: it is paid for anew then, or ends if that was asked for.
    renews_at   timestamptz,
    is_ending   boolean not null default false,
    -- When the provider said so. What it said earlier and we hear later changes nothing.
    as_of       timestamptz not null,
    created_at  timestamptz not null default now()
);
create index subscriptions_customer_idx on billing.subscriptions (customer_id, created_at desc);
create index subscriptions_renewal_idx on billing.subscriptions (renews_at) where status in ('active', 'past_due');
alter table billing.subscriptions enable row level security;
create policy "whoever pays reads their subscriptions" on billing.subscriptions
    for select to authenticated using (customer_id in (select id from billing.customers));
grant select on billing.subscriptions to authenticated;
grant select, insert, update on billing.subscriptions to service_role;

create table billing.invoices (
    id           uuid primary key default gen_random_uuid(),
    customer_id  uuid not null references billing.customers,
    reference    text not null unique check (length(reference) between 1 and 255),
    -- Counted for each payer, from 1000.
    number       int not null check (number >= 1000),
    description  text not null check (length(description) <= 500),
    amount_cents int not null,
    status       text not null check (status in ('paid', 'open')),
    issued_at    timestamptz not null,
    -- The provider's own page of it.
    url          text check (length(url) <= 2000 and url ~ '^https?://')
);
create index invoices_customer_idx on billing.invoices (customer_id, issued_at desc);
alter table billing.invoices enable row level security;
create policy "whoever pays reads their invoices" on billing.invoices
    for select to authenticated using (customer_id in (select id from billing.customers));
grant select on billing.invoices to authenticated;
grant select, insert, update on billing.invoices to service_role;

-- What the provider told, by its own ids: telling it again changes nothing.
create table billing.heard_events (
    provider text not null,
    id       text not null check (length(id) between 1 and 255),
    heard_at timestamptz not null default now(),
    primary key (provider, id)
);
alter table billing.heard_events enable row level security;
grant select, insert on billing.heard_events to service_role;

-- The cards of the sandbox, which is the provider where no other is set up. It charges nothing and keeps no number.
create table billing.sandbox_cards (
    id         text primary key default 'pm_sandbox_' || gen_random_uuid(),
    customer   text not null,
    brand      text not null check (length(brand) <= 20),
    last4      text not null check (last4 ~ '^[0-9]{4}$'),
    exp_month  int not null check (exp_month between 1 and 12),
    exp_year   int not null check (exp_year between 2000 and 2100),
    used_at    timestamptz not null default now(),
    unique (customer, brand, last4, exp_month, exp_year)
);
alter table billing.sandbox_cards enable row level security;
grant select, insert, update on billing.sandbox_cards to service_role;

-- Each from one table, so that writing to them is refused as a right one has not, and not as something views cannot do.
create view public.subscriptions with (security_invoker = true) as
    select id, plan, status, renews_at, is_ending, created_at,
           (select c.company_id from billing.customers c where c.id = customer_id) as company_id,
           (select c.provider from billing.customers c where c.id = customer_id) as provider
      from billing.subscriptions;
create view public.invoices with (security_invoker = true) as
    select id, number, description, amount_cents, status, issued_at, url,
           (select c.company_id from billing.customers c where c.id = customer_id) as company_id
      from billing.invoices;
grant select on public.subscriptions, public.invoices to authenticated, service_role;

create function billing.plan_of(company uuid) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select s.plan
          from billing.subscriptions s
          join billing.customers c on c.id = s.customer_id
         where c.company_id = company and s.status in ('active', 'past_due')
         order by s.created_at desc
         limit 1;
    end;
revoke execute on function billing.plan_of from public;
grant execute on function billing.plan_of to service_role;

create function billing.is_subscribed(person uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (
            select from public.profiles p
              join billing.customers c on c.user_id = p.id or c.company_id = p.company_id
              join billing.subscriptions s on s.customer_id = c.id and s.status in ('active', 'past_due')
             where p.id = person);
    end;
revoke execute on function billing.is_subscribed from public;

-- Everybody of a company is subscribed, or nobody.
create function billing.follow_subscriptions(company uuid, person uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        update billing.trials t set subscribed = billing.is_subscribed(t.user_id)
         where (t.user_id = person or t.user_id in (select p.id from public.profiles p where p.company_id = company))
           and t.subscribed <> billing.is_subscribed(t.user_id);
    end;
revoke execute on function billing.follow_subscriptions from public;

create function billing.subscription_changed() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    payer billing.customers := (select c from billing.customers c where c.id = new.customer_id);
begin
    perform billing.follow_subscriptions(payer.company_id, payer.user_id);
    perform jobs.raise_event('subscription.changed', jsonb_build_object('customer_id', payer.id));
    return null;
end
$$;
revoke execute on function billing.subscription_changed() from public;
create trigger subscription_changed after insert or update of status, plan on billing.subscriptions
    for each row execute function billing.subscription_changed();

create function billing.number_invoice() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    payer billing.customers := (select c from billing.customers c where c.id = new.customer_id);
begin
    perform billing.count_invoices_of(coalesce(payer.company_id, payer.user_id, payer.id));
    new.number := coalesce(billing.last_invoice(payer.company_id, payer.user_id, payer.id) + 1, 1000);
    return new;
end
$$;
revoke execute on function billing.number_invoice() from public;
create trigger number_invoice before insert on billing.invoices
    for each row execute function billing.number_invoice();

-- One at a time for each payer.
create function billing.count_invoices_of(payer uuid) returns void
    language sql
    return pg_advisory_xact_lock(hashtextextended('invoices of ' || payer, 0));
revoke execute on function billing.count_invoices_of from public;

create function billing.last_invoice(company uuid, person uuid, customer uuid) returns int
    language sql stable security definer set search_path = ''
    begin atomic
        select max(i.number)
          from billing.invoices i
          join billing.customers c on c.id = i.customer_id
         where c.company_id = company or c.user_id = person or c.id = customer;
    end;
revoke execute on function billing.last_invoice from public;

-- Who paid becomes known. Their invoices go on counting where those that the company or person already has end.
create function billing.give_customer(customer uuid, company uuid, person uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    last int;
begin
    perform billing.count_invoices_of(coalesce(company, person));
    last := billing.last_invoice(company, person, null);
    update billing.customers c
       set company_id = company, user_id = case when company is null then person end
     where c.id = customer and c.company_id is null and c.user_id is null;
    if not found then
        return;
    end if;
    update billing.invoices i set number = coalesce(last, 999) + later.place
      from (select id, row_number() over (order by issued_at, id) as place
              from billing.invoices where customer_id = customer) later
     where i.id = later.id;
    perform billing.follow_subscriptions(company, person);
    perform jobs.raise_event('subscription.changed', jsonb_build_object('customer_id', customer));
end
$$;
revoke execute on function billing.give_customer from public;
grant execute on function billing.give_customer to service_role;

-- A visitor's payment finds its account when somebody signs in who had proven that very address before.
create function billing.claim_payments() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform billing.give_customer(c.id, p.company_id, p.id)
       from billing.customers c
       join public.profiles p on p.id = new.user_id
      where c.email = lower(new.proven_email) and c.company_id is null and c.user_id is null;
    return null;
end
$$;
revoke execute on function billing.claim_payments() from public;
create trigger claim_payments after insert on auth.sessions
    for each row when (new.proven_email is not null) execute function billing.claim_payments();

-- Whoever joins a company that has subscribed, has too.
create or replace function billing.start_trial() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into billing.trials (user_id, subscribed) values (new.user_id, billing.is_subscribed(new.user_id))
    on conflict do nothing;
    return null;
end
$$;
