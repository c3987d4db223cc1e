-- What people decide about themselves: their picture, how they want to be told, and which advice they have had enough of.

alter table public.profiles
    -- The name of an object in the bucket `profile-pictures`.
    add column profile_picture    text,
    add column email_on_signing   boolean not null default false,
    add column first_steps_hidden boolean not null default false,
    add constraint pictures_lie_in_ones_own_folder check (profile_picture ~ ('^' || id || '/[A-Za-z0-9._-]{1,100}$'));
grant update (profile_picture, email_on_signing, first_steps_hidden) on public.profiles to authenticated;

-- Pictures only: an SVG is a document that can carry scripts, and these are shown under the product's own address.
update storage.buckets
   set allowed_mime_types = array['image/png', 'image/jpeg', 'image/webp', 'image/gif']
 where id = 'profile-pictures';

-- A browser that asked to be told, with the keys by which only it can read what is sent there. It is told for as long as
-- its session lasts: whoever signs out, or is signed out from elsewhere, leaves nobody behind who reads on.
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
alter table public.push_subscriptions enable row level security;
create policy "people see which of their browsers are told" on public.push_subscriptions
    for select to authenticated using (user_id = (select auth.uid()));
create policy "people have their own browsers told" on public.push_subscriptions
    for insert to authenticated with check (user_id = (select auth.uid()));
create policy "people stop having their browsers told" on public.push_subscriptions
    for delete to authenticated using (user_id = (select auth.uid()));
grant select (id, user_id, endpoint, created_at) on public.push_subscriptions to authenticated;
grant insert (endpoint, p256dh, auth) on public.push_subscriptions to authenticated;
grant delete on public.push_subscriptions to authenticated;
grant select, insert, delete on public.push_subscriptions to service_role;

-- Enough for every device somebody owns, and too few to be used against a push service.
create function accounts.limit_push_subscriptions() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    delete from public.push_subscriptions
     where id in (select s.id from public.push_subscriptions s
                   where s.user_id = new.user_id order by s.created_at desc offset 10);
    return null;
end
$$;
revoke execute on function accounts.limit_push_subscriptions() from public;
create trigger limit_push_subscriptions after insert on public.push_subscriptions
    for each row execute function accounts.limit_push_subscriptions();
