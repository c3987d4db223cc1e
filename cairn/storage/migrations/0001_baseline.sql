-- Buckets, their objects, and the blobs that hold the bytes. A blob is stored under a name that never changes, so moving an
-- object is an update and replacing it is pointing to another blob.

create schema storage;
grant usage on schema storage to anon, authenticated, service_role;

-- define function storage.is_plain

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
    -- Objects can be neither replaced nor deleted, by any role.
    write_once         boolean not null default false,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    constraint secrets_are_never_public check (not (public and (sealed or write_once)))
);

-- A row is inserted before the first byte is written and deleted after the last one is removed. A blob that no object and
-- no upload refers to was left behind by a crash; only such blobs are removed.
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
    -- Checked at commit, so that an object cannot exist without its blob.
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

-- Resumable uploads and the parts that have arrived.
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

-- Policies decide about rows. Only the server sets the blob of an object, so that no user can point an object at another
-- user's bytes.
grant select on storage.buckets, storage.objects to anon, authenticated;
grant insert, update, delete on storage.buckets to anon, authenticated;
grant insert (id, bucket_id, name, owner, owner_id, user_metadata) on storage.objects to anon, authenticated;
grant update (bucket_id, name, owner, owner_id, user_metadata, last_accessed_at) on storage.objects to anon, authenticated;
grant delete on storage.objects to anon, authenticated;
grant select, insert, update, delete
    on storage.buckets, storage.blobs, storage.objects, storage.uploads, storage.upload_parts to service_role;

-- No SVG among the pictures: it can contain scripts, and pictures are served from the product's own origin.
insert into storage.buckets (id, name, public, sealed, write_once, file_size_limit, allowed_mime_types) values
    ('signed-waivers',   'signed-waivers',   false, true,  true,  null,    array['application/pdf']),
    ('profile-pictures', 'profile-pictures', true,  false, false, 5000000,
     array['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
