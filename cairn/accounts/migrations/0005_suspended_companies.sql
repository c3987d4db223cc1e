-- Since when the operator has suspended the company. Null: it is active.
alter table public.companies add column suspended_at timestamptz;
