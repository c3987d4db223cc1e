-- Old messages are found by their age. Rows are added in the order of their age, so these indexes are tiny and cost little.
create index emails_age_idx on public.emails using brin (created_at);
create index notifications_age_idx on public.notifications using brin (created_at);
