alter table public.companies
    -- When the company is deleted, because its owner has requested that. Null: it stays, or it is deleted completely.
    add column delete_at  timestamptz,
    -- When the deletion began. The row stays, because signed heads and the histories of erased waivers refer to it.
    add column deleted_at timestamptz;
create index companies_delete_at_idx on public.companies (delete_at) where delete_at is not null;
