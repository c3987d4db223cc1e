-- The id of a waiver is printed on its document, so it opens nothing. The signer's browser chooses a secret when it signs,
-- and each email with the document contains a secret of its own. Only their hashes are stored.

alter table waivers.signed add column document_secret_sha256 bytea;

create table waivers.document_links (
    secret_sha256 bytea primary key,
    waiver_id     uuid not null references waivers.signed,
    created_at    timestamptz not null default now()
);
create index document_links_waiver_idx on waivers.document_links (waiver_id);

alter table waivers.document_links enable row level security;
grant select, insert on waivers.document_links to service_role;
