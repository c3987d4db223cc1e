-- Buckets, the objects in them, and the bytes those are made of. A row here is the truth about an object: its bytes lie
-- elsewhere under a name that never changes, so moving is an update and replacing is pointing to other bytes.

create schema storage;
grant usage on schema storage to anon, authenticated, service_role;

create function storage.foldername(name text) returns text[]
    language sql immutable parallel safe
    return trim_array(string_to_array(name, '/'), 1);

create function storage.filename(name text) returns text
    language sql immutable parallel safe
    return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];

create function storage.extension(name text) returns text
    language sql immutable parallel safe
    return (string_to_array(storage.filename(name), '.'))[cardinality(string_to_array(storage.filename(name), '.'))];

-- Each accent has one spelling, nothing invisible is in a name, and no part of a path points elsewhere.
create function storage.is_plain(name text) returns boolean
    language sql immutable parallel safe
    return name is nfc normalized and name !~ '[\x01-\x1f\x7f]'
           and not string_to_array(name, '/') && array['', '.', '..'];

create table storage.buckets (
    id                 text collate "C" primary key
                       check (length(id) between 1 and 100 and storage.is_plain(id) and position('/' in id) = 0),
    name               text not null unique,
    owner              uuid default auth.uid(),
    public             boolean not null default false,
    file_size_limit    bigint check (file_size_limit >= 0),
    allowed_mime_types text[],
    -- Bytes are encrypted before they leave the server.
    sealed             boolean not null default false,
    -- What is in it stays, for everybody.
    write_once         boolean not null default false,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    constraint secrets_are_never_public check (not (public and (sealed or write_once)))
);
create trigger buckets_touch before update on storage.buckets
    for each row execute function cairn.touch_updated_at();

-- Written down before the first byte is, and crossed out after the last one is gone: what no object and no upload uses is
-- what a crash left behind, and nothing else is ever swept.
create table storage.blobs (
    version    uuid primary key default gen_random_uuid(),
    sealed     boolean not null,
    started_at timestamptz not null default now()
);
create index blobs_started_idx on storage.blobs (started_at);

create table storage.objects (
    id               uuid primary key default gen_random_uuid(),
    bucket_id        text collate "C" not null references storage.buckets,
    name             text collate "C" not null check (octet_length(name) <= 1024 and storage.is_plain(name)),
    owner            uuid default auth.uid(),
    owner_id         text default auth.jwt() ->> 'sub',
    -- Checked at commit: an object whose bytes were never written down cannot be.
    version          uuid not null default gen_random_uuid() references storage.blobs deferrable initially deferred,
    metadata         jsonb,
    user_metadata    jsonb,
    path_tokens      text[] generated always as (string_to_array(name, '/')) stored,
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    last_accessed_at timestamptz not null default now(),
    unique (bucket_id, name)
);
create unique index objects_version_idx on storage.objects (version);
create trigger objects_touch before update on storage.objects
    for each row execute function cairn.touch_updated_at();

-- Resumable uploads, and the pieces that have arrived.
create table storage.uploads (
    id            uuid primary key default gen_random_uuid(),
    bucket_id     text collate "C" not null references storage.buckets on delete cascade,
    name          text collate "C" not null,
    owner_id      text,
    upsert        boolean not null,
    sealed        boolean not null,
    content_type  text not null,
    cache_control text not null,
    user_metadata jsonb,
    length        bigint check (length >= 0),
    received      bigint not null default 0,
    finished_at   timestamptz,
    created_at    timestamptz not null default now(),
    expires_at    timestamptz not null,
    check (received <= length)
);
create index uploads_expires_idx on storage.uploads (expires_at);
create index uploads_bucket_idx on storage.uploads (bucket_id);

create table storage.upload_parts (
    upload_id uuid not null references storage.uploads on delete cascade,
    start     bigint not null,
    size      bigint not null check (size > 0),
    version   uuid not null unique references storage.blobs,
    primary key (upload_id, start)
);

alter table storage.buckets      enable row level security;
alter table storage.blobs        enable row level security;
alter table storage.objects      enable row level security;
alter table storage.uploads      enable row level security;
alter table storage.upload_parts enable row level security;

-- Policies decide about rows. Which bytes an object is made of is settled by the server alone: no one may point their own
-- object at another's bytes.
grant select on storage.buckets, storage.objects to anon, authenticated;
grant insert, update, delete on storage.buckets to anon, authenticated;
grant insert (id, bucket_id, name, owner, owner_id, user_metadata) on storage.objects to anon, authenticated;
grant update (bucket_id, name, owner, owner_id, user_metadata, last_accessed_at) on storage.objects to anon, authenticated;
grant delete on storage.objects to anon, authenticated;
grant select, insert, update, delete
    on storage.buckets, storage.blobs, storage.objects, storage.uploads, storage.upload_parts to service_role;

-- A reader of an object is told how its bytes are kept, without entering the table of blobs.
create function storage.is_sealed(version uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select b.sealed from storage.blobs b where b.version = $1;
    end;

-- Row-level security does not hold the service role; this does. An object is settled once its bytes are written down.
create function storage.keep_what_is_written_once() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from storage.buckets where id = old.bucket_id and write_once)
       and exists (select from storage.blobs where version = old.version) then
        raise exception 'Objects of this bucket can be neither replaced nor deleted' using errcode = '42501';
    end if;
    return coalesce(new, old);
end
$$;
create trigger keep_what_is_written_once before update or delete on storage.objects
    for each row execute function storage.keep_what_is_written_once();

create function storage.keep_promises_of_buckets() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if (old.write_once and not new.write_once) or (old.sealed and not new.sealed) or old.id <> new.id then
        raise exception 'What a bucket promised cannot be taken back' using errcode = '42501';
    end if;
    return new;
end
$$;
create trigger keep_promises_of_buckets before update on storage.buckets
    for each row execute function storage.keep_promises_of_buckets();
revoke execute on function storage.keep_what_is_written_once(), storage.keep_promises_of_buckets() from public;

insert into storage.buckets (id, name, public, sealed, write_once, file_size_limit, allowed_mime_types) values
    ('signed-waivers',   'signed-waivers',   false, true,  true,  null,    array['application/pdf']),
    ('profile-pictures', 'profile-pictures', true,  false, false, 5000000, array['image/*']);

-- <company id>/<waiver id>.pdf
create policy "company reads its own signed waivers" on storage.objects
    for select to authenticated
    using (bucket_id = 'signed-waivers' and path_tokens[1] = (select accounts.my_company())::text);

-- <user id>/…; whoever knows the address sees it, because the bucket is public.
create policy "people see their own pictures" on storage.objects
    for select to authenticated
    using (bucket_id = 'profile-pictures' and path_tokens[1] = (select auth.uid())::text);
create policy "people add their own pictures" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'profile-pictures' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people replace their own pictures" on storage.objects
    for update to authenticated
    using (bucket_id = 'profile-pictures' and path_tokens[1] = (select auth.uid())::text)
    with check (bucket_id = 'profile-pictures' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people remove their own pictures" on storage.objects
    for delete to authenticated
    using (bucket_id = 'profile-pictures' and path_tokens[1] = (select auth.uid())::text);
